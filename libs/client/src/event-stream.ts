/** A message of a `text/event-stream`. */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** The messages of a response; comments are ignored. @param received called with each piece of it */
export async function* messagesOf(
  response: Response,
  received: () => void = () => {},
): AsyncGenerator<Message, void> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let message = { id: '', event: '', data: [] as string[] };
  try {
    for (;;) {
      const { done, value: piece } = await reader.read();
      if (done) return;
      received();
      const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
        if (field === 'id') message.id = value;
        else if (field === 'event') message.event = value;
        else if (field === 'data') message.data.push(value);
        if (line !== '') continue;
        const { id, event, data } = message;
        message = { id, event: '', data: [] };
        if (data.length > 0) yield { id, event, data: data.join('\n') };
      }
    }
  } finally {
    // Who stops reading needs the connection no longer.
    await reader.cancel().catch(() => {});
  }
}
