import type { PointRequest } from '../../libs/engine/past/points.js';
import { type Blamed, EXIT, Failure, Refused } from './failure.js';
import type { Question, Source } from './source.js';
import { textIn } from './text-in.js';

interface Answered {
  readonly ok?: { readonly data: unknown };
  readonly err?: { readonly message: string; readonly details?: readonly Blamed[] };
}

/** A running server, queried over HTTP with the permissions of the token. */
class ServerSource implements Source {
  constructor(
    private readonly url: string,
    private readonly drive_id: string,
    private readonly token: string,
  ) {}

  ask<Input, Answer>(
    { path, method, body }: Question<Input, Answer>,
    input: Input,
    as_of?: PointRequest,
  ): Promise<Answer> {
    const query = as_of && textOf(as_of);
    return this.call(
      method ?? 'POST',
      query ? `${path}?as_of=${encodeURIComponent(query)}` : path,
      method === 'GET' ? undefined : body ? body(input) : input,
    );
  }

  /** Sends a request below the organization's path. @throws Failure */
  async call<Answer>(method: 'GET' | 'POST', path: string, input?: unknown): Promise<Answer> {
    const address = `${this.url.replace(/\/$/, '')}/v1/drive/${this.drive_id}/${path}`;
    const response = await fetch(address, {
      method,
      ...(input !== undefined && { body: JSON.stringify(input) }),
      headers: {
        ...(input !== undefined && { 'content-type': 'application/json' }),
        authorization: `Bearer ${this.token}`,
      },
    }).catch(({ cause }: { cause?: { code?: string } }) => {
      // The text of other errors may quote the token.
      const why = cause?.code === undefined ? '' : ` (${cause.code})`;
      throw new Failure(`${this.url} cannot be reached${why}.`, EXIT.unreachable);
    });
    const { status } = response;
    const body = (await response.json().catch(() => null)) as Answered | null;
    if (body?.ok) return body.ok.data as Answer;
    if (!body?.err) throw new Failure(`The server answered ${status}.`, EXIT.unreachable);
    // The same question may be answered later.
    if (status >= 500 || status === 429) throw new Failure(body.err.message, EXIT.unreachable);
    throw new Refused(body.err.message, body.err.details ?? []);
  }

  async close(): Promise<void> {}
}

/** In the form of `as_of`; empty for the current revision. */
function textOf({ at, revision, at_ms }: PointRequest): string {
  return at ?? (revision === undefined ? String(at_ms ?? '') : `r${revision}`);
}

/** The server named by the options. @throws Failure without a token */
export function serverOf(
  { url, drive, tokenFile }: { url: string; drive: string; tokenFile?: string },
  env: Readonly<Record<string, string | undefined>>,
): ServerSource {
  if (!drive.startsWith('DriveID_'))
    throw new Failure(
      'With --url, --drive must be an id: a token is one organization’s.',
      EXIT.usage,
    );
  return new ServerSource(url, drive, tokenOf(tokenFile, env));
}

/** Never an argument: all users of the machine can see arguments. */
function tokenOf(
  token_file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (token_file !== undefined) return oneLine(textIn(token_file), token_file);
  if (env.DRIVE_TOKEN) return oneLine(env.DRIVE_TOKEN, 'DRIVE_TOKEN');
  throw new Failure('--url needs a token: set DRIVE_TOKEN or give --token-file.', EXIT.usage);
}

function oneLine(text: string, source: string): string {
  const token = text.trim();
  if (/^[!-~]+$/.test(token)) return token;
  throw new Failure(`${source} must contain the token and nothing else.`, EXIT.usage);
}
