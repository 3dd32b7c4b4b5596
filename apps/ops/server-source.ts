import { EXIT, Failure } from './failure.js';
import type { Question, Source } from './source.js';

interface Answered {
  readonly ok?: { readonly data: unknown };
  readonly err?: { readonly message: string };
}

/** A running server, asked over HTTP as whoever the token is for. */
export class ServerSource implements Source {
  constructor(
    private readonly url: string,
    private readonly drive_id: string,
    private readonly token: string,
  ) {}

  async ask<Input, Answer>({ path }: Question<Input, Answer>, input: Input): Promise<Answer> {
    const address = `${this.url.replace(/\/$/, '')}/v1/drive/${this.drive_id}/organization/${path}`;
    const { status, body } = await this.post(address, input);
    if (body?.ok) return body.ok.data as Answer;
    const message = body?.err?.message ?? `The server answered ${status}.`;
    throw new Failure(message, body?.err ? EXIT.refused : EXIT.unreachable);
  }

  async close(): Promise<void> {}

  private async post(
    address: string,
    input: unknown,
  ): Promise<{ status: number; body: Answered | null }> {
    try {
      const response = await fetch(address, {
        method: 'POST',
        body: JSON.stringify(input),
        headers: {
          'content-type': 'application/json',
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
