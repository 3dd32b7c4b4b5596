import { messagesOf } from './event-stream.js';

describe('the messages of a response', () => {
  it.each([1, 2])('close it when reading ends after message %i', async (wanted) => {
    let is_open = true;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel() {
        is_open = false;
      },
    });
    let read = 0;
    for await (const { data } of messagesOf(new Response(body))) {
      expect([data, is_open]).toEqual(['1', true]);
      if (++read === wanted) break;
    }
    expect(is_open).toBe(false);
  });
});
