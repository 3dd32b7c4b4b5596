/**
 * Requests sprayed over processes that serve the same organizations. A client that goes from one to another takes
 * along how far it has seen each organization, as the interface asks of it.
 */
class Replicas {
  private readonly origins = new Map<string, readonly string[]>();
  private readonly seen = new Map<string, string>();
  private next = 0;

  /** From now on what is sent to one origin goes to any of these in turn. */
  serve(origin: string, origins: readonly string[]): void {
    this.origins.set(origin, origins);
  }

  forget(origin: string): void {
    this.origins.delete(origin);
  }

  /** Where a request goes, and with which headers. */
  route(
    url: string,
    headers: Readonly<Record<string, string>>,
  ): { url: string; headers: Readonly<Record<string, string>> } {
    const { origin } = new URL(url);
    const origins = this.origins.get(origin);
    if (!origins) return { url, headers };
    const to = origins[this.next++ % origins.length]!;
    const revision = this.seen.get(driveOf(url));
    const is_given = Object.keys(headers).some((name) => name.toLowerCase() === MIN_REVISION);
    return {
      url: to + url.slice(origin.length),
      headers:
        revision === undefined || is_given ? headers : { ...headers, [MIN_REVISION]: revision },
    };
  }

  /** Notes how far an answer has shown its organization. */
  answered(url: string, headers: Headers): void {
    const revision = headers.get('drive-revision');
    if (revision !== null) this.saw(driveOf(url), Number(revision));
  }

  /** Notes how far an organization has been seen, also past the interface. */
  saw(drive_id: string, revision: number): void {
    const before = Number(this.seen.get(drive_id) ?? -1);
    if (revision > before) this.seen.set(drive_id, String(revision));
  }
}

const MIN_REVISION = 'min-drive-revision';

function driveOf(url: string): string {
  return /\/v1\/drive\/([^/?]+)/.exec(url)?.[1] ?? '';
}

/** An answer without when people were last seen, which every process notes by itself at first. */
export function withoutPresence(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value) => (name === 'last_online_ms' ? 0 : value));
  return JSON.parse(text);
}

export const replicas = new Replicas();
