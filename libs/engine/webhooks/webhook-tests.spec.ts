import type { WebhookRequest, WebhookResponse } from './deliveries.js';
import { WebhookTests } from './webhook-tests.js';

const REQUEST: WebhookRequest = {
  url: 'https://a.example/',
  delivery_id: 'one',
  timestamp_ms: 0,
  secrets: [],
  signature: '',
  body: '{}',
};

describe('tests of webhooks', () => {
  const open: ((response: WebhookResponse) => void)[] = [];
  /** Answers when told, or when ended. */
  const sender = {
    send: (_: WebhookRequest, signal: AbortSignal) =>
      new Promise<WebhookResponse>((resolve) => {
        open.push(resolve);
        signal.addEventListener('abort', () => resolve({ status: null, reason: 'stopped' }));
      }),
  };
  const limits = { parallel_max: 3, tests_per_drive: 2, close_grace_ms: 0 };

  beforeEach(() => {
    open.length = 0;
  });

  it('are so many at a time by drive, and over all drives', async () => {
    const tests = new WebhookTests(sender, limits);
    const begun = [tests.send('a', REQUEST), tests.send('a', REQUEST)];
    expect(() => tests.send('a', REQUEST)).toThrow('overloaded');
    begun.push(tests.send('b', REQUEST));
    expect(() => tests.send('b', REQUEST)).toThrow('overloaded');
    expect(open).toHaveLength(3);
    open[0]!({ status: 204, reason: null });
    expect(await begun[0]).toEqual({ status: 204, latency_ms: expect.any(Number), error: null });
    begun.push(tests.send('a', REQUEST));
    expect(() => tests.send('a', REQUEST)).toThrow('overloaded');
    await tests.close();
    const ended = await Promise.all(begun.slice(1));
    expect(ended.map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 3 }, () => [null, 'stopped']),
    );
  });
});
