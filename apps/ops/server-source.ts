import { readFileSync } from 'node:fs';
import { EXIT, Failure } from './failure.js';
import type { Question, Source } from './source.js';

interface Answered {
  readonly ok?: { readonly data: unknown };
  readonly err?: { readonly message: string };
}

/** A running server, asked over HTTP as whoever the token is for. */
class ServerSource implements Source {
  constructor(
    private readonly url: string,
    private readonly drive_id: string,
    private readonly token: string,
  ) {}

  ask<Input, Answer>({ path }: Question<Input, Answer>, input: Input): Promise<Answer> {
    return this.call('POST', path, input);
  }

  /** Asks below `/organization/`. @throws Failure */
  async call<Answer>(method: 'GET' | 'POST', path: string, input?: unknown): Promise<Answer> {
    const address = `${this.url.replace(/\/$/, '')}/v1/drive/${this.drive_id}/organization/${path}`;
    const { status, body } = await this.send(method, address, input);
    if (body?.ok) return body.ok.data as Answer;
    const message = body?.err?.message ?? `The server answered ${status}.`;
    throw new Failure(message, body?.err ? EXIT.refused : EXIT.unreachable);
  }

  async close(): Promise<void> {}

  private async send(
    method: string,
    address: string,
    input: unknown,
  ): Promise<{ status: number; body: Answered | null }> {
    try {
      const response = await fetch(address, {
        method,
        ...(input !== undefined && { body: JSON.stringify(input) }),
        headers: {
          ...(input !== undefined && { 'content-type': 'application/json' }),
          authorization: `Bearer ${this.token}`,
        },
      });
      const body = (await response.json().catch(() => null)) as Answered | null;
      return { status: response.status, body };
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      throw new Failure(
        `${this.url} cannot be reached (${cause?.code ?? String(error)}).`,
        EXIT.unreachable,
      );
    }
  }
}

/** The server that a command names. @throws Failure without a token */
export function serverOf(
  { url, drive, tokenFile }: { url: string; drive: string; tokenFile?: string },
  env: Readonly<Record<string, string | undefined>>,
): ServerSource {
  return new ServerSource(url, drive, tokenOf(tokenFile, env));
}

/** Never an argument: those are seen by every user of the machine. */
function tokenOf(
  token_file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (token_file === undefined) {
    if (env.DRIVE_TOKEN) return env.DRIVE_TOKEN;
    throw new Failure('--url needs a token: set DRIVE_TOKEN or give --token-file.', EXIT.usage);
  }
  try {
    return readFileSync(token_file, 'utf8').trim();
  } catch {
    throw new Failure(`${token_file} cannot be read.`, EXIT.usage);
  }
}
