import { describe, expect, it } from '@jest/globals';
import { prefersEvents, ProgressEvents } from './progress-events.js';

describe('an event stream is preferred', () => {
  it.each([
    ['text/event-stream', true],
    ['text/event-stream, application/json;q=0.5', true],
    ['application/json, text/event-stream;q=0.5', false],
    ['*/*', false],
    ['application/*', false],
    ['text/html', false],
    ['', false],
    [undefined, false],
  ])('by the header Accept: %s → %s', (accept, preferred) => {
    expect(prefersEvents(accept)).toBe(preferred);
  });
});

describe('events of progress', () => {
  it('begin with the first progress', async () => {
    const events = new ProgressEvents();
    events.progress(0, 10);
    await events.begun;
    expect(String(events.stream.read())).toBe(
      'event: progress\ndata: {"checked_events":0,"events_total":10}\n\n',
    );
  });

  it('hold one message for a client that reads nothing, and the result', () => {
    const events = new ProgressEvents();
    for (let checked = 0; checked < 100_000; checked++) events.progress(checked, 100_000);
    const { readableLength } = events.stream;
    expect(readableLength).toBeLessThan(100);
    events.finish({ valid: true });
    const text = String(events.stream.read());
    expect(text).toContain('"checked_events":0,');
    expect(text.endsWith('event: result\ndata: {"valid":true}\n\n')).toBe(true);
  });
});
