import { StoreRefused, StoreUnreachable } from '../../port.js';
import type { Connection } from './connection-string.js';
import { within } from './deadline.js';
import { acceptsCredentials, type Finding, probe, type ProbedServer } from './probe.js';

/** Permissions that a server may deny. */
export type Right = keyof typeof RIGHTS;

const RIGHTS = {
  append: 'to append events',
  streams: 'to read streams',
  metadata: 'to read the metadata of streams',
  all: 'to read $all, which is the administrators’ alone by default,',
} as const;

/** Minimum time between two probes of the same kind, ms. */
const PROBE_EVERY_MS = 1_000;
/** How long an error waits for its reason, ms, so that commands are refused quickly. */
const WAIT_MS = 300;

/** The finding of a probe, and the host. */
interface FoundAt extends Finding {
  readonly host: string;
}

/** Explains failures of a server in sentences: the client's errors say little or nothing. */
export class Refusals {
  private readonly probes = new Map<string, Recent<unknown>>();

  /** @param connection without it nothing is probed */
  constructor(private readonly connection?: Connection) {}

  /** The server denied its user a permission. */
  async denied(right: Right, error: unknown): Promise<StoreRefused> {
    const cause = { cause: error };
    const place = `the event store at ${this.connection?.hosts ?? 'its server'}`;
    const login = this.connection?.credentials?.username;
    if (login !== undefined && !(await this.isAccepted()))
      return new StoreRefused(
        `${place} does not accept the user ${login} with this password`,
        'The event store does not accept the user or the password of this service',
        right === 'append',
        cause,
      );
    const who = login === undefined ? 'callers without a user' : `the user ${login}`;
    const help = `an administrator grants it by: ops kurrentdb grant --user ${login ?? '<name>'}`;
    return new StoreRefused(
      `${place} denies ${who} the right ${RIGHTS[right]}; ${help}`.replace(',;', ';'),
      `The event store denies this service the right ${RIGHTS[right].split(',')[0]}`,
      right === 'append',
      cause,
    );
  }

  /** No server was reachable. */
  async unavailable(what: string, error: unknown): Promise<StoreUnreachable> {
    const cause = { cause: error };
    const found = await this.found().catch(() => null);
    if (!found) return new StoreUnreachable(`${what}: ${nameOf(error)}`, cause);
    const message = `${what}: the event store at ${found.host} ${found.sentence}`;
    const public_message = `The event store ${found.public_sentence ?? found.sentence}`;
    return found.may_pass
      ? new StoreUnreachable(message, cause, public_message)
      : new StoreRefused(message, public_message, false, cause);
  }

  private async isAccepted(): Promise<boolean> {
    const { credentials } = this.connection!;
    const ask = (): Promise<boolean> => isAccepted(this.connection!, credentials!);
    return within(this.recent('credentials', ask), WAIT_MS).catch(() => true);
  }

  private async found(): Promise<FoundAt | null> {
    const { connection } = this;
    if (!connection) return null;
    return within(
      this.recent('reason', () => findReason(connection)),
      WAIT_MS,
    );
  }

  /** The result of a probe, at most a second old. */
  private recent<T>(kind: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const last = this.probes.get(kind) as Recent<T> | undefined;
    if (last && now - last.asked_ms < PROBE_EVERY_MS) return last.answer;
    const answer = ask();
    answer.catch(() => {});
    this.probes.set(kind, { asked_ms: now, answer });
    return answer;
  }
}

interface Recent<T> {
  readonly asked_ms: number;
  readonly answer: Promise<T>;
}

/** The problem of the first unusable node; null if all answer. */
export async function findReason(connection: Connection): Promise<FoundAt | null> {
  for (const [host, server] of serversOf(connection)) {
    const found = await probe(server);
    if (found) return { ...found, host };
  }
  return null;
}

/** Whether the first reachable node accepts a user's password; true if none is reachable. */
export async function isAccepted(
  connection: Connection,
  credentials: NonNullable<Connection['credentials']>,
): Promise<boolean> {
  for (const [, server] of serversOf(connection)) {
    const accepted = await acceptsCredentials(server, credentials);
    if (accepted !== null) return accepted;
  }
  return true;
}

function serversOf({ hosts, trust }: Connection): [place: string, server: ProbedServer][] {
  return hosts.split(',').map((place) => {
    const [host = '', port = '2113'] = place.split(':');
    return [place, { host, port: Number(port), ...trust }];
  });
}

/** Errors of the client contain only their name. */
function nameOf(error: unknown): string {
  const { name, message } = error as Error;
  return name === 'Error' || name === 'NoAnswer' ? message : name;
}
