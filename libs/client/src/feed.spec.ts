import { mock } from 'node:test';
import { breakOff, failure, FakeService, type Step } from '../testing/fake-service.js';
import { messagesOf } from './event-stream.js';
import { connect, type FeedOptions } from './index.js';

const text = (revision: number): string =>
  `id: ${revision}\nevent: GroupCreated\ndata: {"revision":${revision}}\n\n`;

/** Sends events, then breaks off, ends or stays open. */
const feed =
  (revisions: readonly number[], then: 'breaks' | 'ends' | 'stays', head = 0): Step =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'drive-revision': `${head}` });
    response.write(`:\n\n${revisions.map(text).join('')}`, () => {
      if (then === 'breaks') setImmediate(() => response.destroy());
      if (then === 'ends') response.end();
    });
  };

describe('the live feed', () => {
  let service: FakeService;

  beforeAll(async () => {
    service = await FakeService.start();
  });
  afterAll(() => service.stop());

  const events = (options: FeedOptions = {}, max_wait_ms = 5) =>
    connect({
      url: service.url,
      drive_id: 'DriveID_1',
      retry: { first_wait_ms: 1, max_wait_ms, attempts: 3 },
    }).events(options);
  const resumed = () => service.received.map(({ headers }) => headers['last-event-id']);

  async function take(count: number, from: ReturnType<typeof events>): Promise<number[]> {
    const revisions: number[] = [];
    for await (const { revision } of from) if (revisions.push(revision) === count) break;
    return revisions;
  }

  it('resumes after the last event received', async () => {
    service.script(
      feed([5, 6], 'breaks'),
      breakOff,
      failure(503, 'server.stopping', { 'retry-after': '0' }),
      feed([7], 'ends'),
      feed([8], 'stays'),
    );
    const states: string[] = [];
    const on_state = (state: string): void => void states.push(state);
    expect(await take(4, events({ from: 4, on_state }))).toEqual([5, 6, 7, 8]);
    expect(resumed()).toEqual(['4', '6', '6', '6', '7']);
    expect(states).toEqual(['connected', 'lost', 'lost', 'lost', 'connected', 'lost', 'connected']);
  });

  it('of new events misses none if it is lost before the first', async () => {
    service.script(feed([], 'breaks', 12), feed([13], 'stays', 13));
    expect(await take(1, events())).toEqual([13]);
    expect(resumed()).toEqual([undefined, '12']);
  });

  it('counts silence as a lost connection', async () => {
    service.script((request, response) => {
      const next = Number(request.headers['last-event-id']) + 1;
      feed([next], 'stays')(request, response);
    });
    expect(await take(2, events({ from: 4, idle_ms: 50 }))).toEqual([5, 6]);
    // On a busy machine a connection may be silent for as long before its first event, and is then made once more.
    expect([...new Set(resumed())]).toEqual(['4', '5']);
  });

  it('ends with the error if the permission is lost', async () => {
    service.script(feed([5], 'ends'), failure(403, 'permission.denied'));
    const denied = take(2, events({ from: 4 }));
    await expect(denied).rejects.toMatchObject({ type: 'permission.denied' });
  });

  it('ends with what a function given as api_key throws', async () => {
    service.script(feed([5], 'ends'), feed([6], 'stays'));
    const revoked = new Error('the key was revoked');
    let asked = 0;
    const drive = connect({
      url: service.url,
      drive_id: 'DriveID_1',
      api_key: () => {
        if (++asked > 1) throw revoked;
        return 'key';
      },
      retry: { first_wait_ms: 1 },
    });
    await expect(take(2, drive.events({ from: 4 }))).rejects.toBe(revoked);
    expect(asked).toBe(2);
  });

  it('ends with an error of its own if the organization has lost events, and can start over', async () => {
    const drive = connect({ url: service.url, drive_id: 'DriveID_1', retry: { first_wait_ms: 1 } });
    service.script(feed([5], 'ends', 5), failure(400, 'feed.beyond-last-event'));
    await expect(take(2, drive.events({ from: 4 }))).rejects.toMatchObject({
      type: 'feed.beyond-last-event',
    });
    expect(drive.revision).toBeNull();
    service.script(feed([4], 'stays', 3));
    expect(await take(1, drive.events())).toEqual([4]);
    expect([resumed(), drive.revision]).toEqual([[undefined], 4]);
  });

  it('gives the first connection up', async () => {
    service.script(breakOff);
    await expect(take(1, events())).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(service.received).toHaveLength(3);
  });

  describe('waits', () => {
    let waits: unknown[];

    beforeEach(() => {
      waits = [];
      const { setTimeout: start } = globalThis;
      mock.method(Math, 'random', () => 1);
      mock.method(globalThis, 'setTimeout', (...args: Parameters<typeof start>) => {
        waits.push(args[1]);
        return start(...args);
      });
    });
    afterEach(() => mock.restoreAll());

    it('longer after each connection that brings no event', async () => {
      const empty = feed([], 'ends', 4);
      service.script(empty, empty, empty, feed([5], 'ends'), feed([6], 'stays'));
      // On a busy machine an empty connection may last for some milliseconds, and would count as one that worked.
      expect(await take(2, events({ from: 4 }, 60_000))).toEqual([5, 6]);
      expect(waits.filter((wait_ms) => Number(wait_ms) <= 5)).toEqual([1, 2, 4, 1]);
    });

    it('as long as the service asks before it is resumed', async () => {
      const closing = new AbortController();
      service.script(feed([5], 'ends'), failure(429, 'rate.limited', { 'retry-after': '20' }));
      const on_state = (_: string, error?: unknown): void => {
        if (error) setImmediate(() => closing.abort());
      };
      const ended = take(2, events({ from: 4, signal: closing.signal, on_state }));
      await expect(ended).rejects.toThrow('aborted');
      expect(waits).toContain(20_000);
      expect(service.received).toHaveLength(2);
    });

    it('no longer than other requests before the first connection', async () => {
      service.script(failure(429, 'rate.limited', { 'retry-after': '20' }));
      await expect(take(1, events())).rejects.toMatchObject({ type: 'rate.limited' });
      expect(service.received).toHaveLength(1);
    });
  });

  it('ends by signal, also while it waits', async () => {
    const closing = new AbortController();
    service.script(feed([], 'stays'));
    const on_state = (): void => closing.abort();
    const ended = take(1, events({ signal: closing.signal, on_state }));
    await expect(ended).rejects.toThrow('aborted');
  });

  it('closes its connection when the reader stops', async () => {
    const closed = new Promise((resolve) => {
      service.script((request, response) => {
        response.once('close', resolve);
        feed([5], 'stays')(request, response);
      });
    });
    await take(1, events());
    await expect(closed).resolves.toBeUndefined();
  });
});

describe('the messages of an event stream', () => {
  it.each([1, 2, 3, 7, 1000])('are read in pieces of %i characters', async (size) => {
    const stream = `:\n\n${text(1)}data: a\r\ndata:b\r\n\r\n${text(22)}`;
    const body = new ReadableStream<string>({
      start(pieces) {
        for (let at = 0; at < stream.length; at += size)
          pieces.enqueue(stream.slice(at, at + size));
        pieces.close();
      },
    }).pipeThrough(new TextEncoderStream());
    const messages = [];
    for await (const message of messagesOf(new Response(body))) messages.push(message);
    expect(messages).toEqual([
      { id: '1', event: 'GroupCreated', data: '{"revision":1}' },
      { id: '1', event: '', data: 'a\nb' },
      { id: '22', event: 'GroupCreated', data: '{"revision":22}' },
    ]);
  });
});
