/** A message of a `text/event-stream`. */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads messages from text that arrives in pieces. Comments are ignored. */
export class EventStreamParser {
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  /** The messages that a piece of text completes. */
  push(text: string): Message[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): Message[] {
    if (line === '') return this.#complete();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') this.#id = value;
    else if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    return [];
  }

  #complete(): Message[] {
    const message = { id: this.#id, event: this.#event, data: this.#data.join('\n') };
    const is_empty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return is_empty ? [] : [message];
  }
}

/** The messages of a response. @param received called with each piece of it */
export async function* messagesOf(
  response: Response,
  received: () => void = () => {},
): AsyncGenerator<Message, void> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const parser = new EventStreamParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      received();
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Who stops reading needs the connection no longer.
    await reader.cancel().catch(() => {});
  }
}
