import { webhookCommands } from '../../domain/webhooks/commands.js';
import { jest } from '@jest/globals';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import { StreamDeleted } from '../../event-store/port.js';
import { streamOf } from '../fold/fold.js';
import { DRIVE_A } from '../testing/engine.js';
import { hooked, WebhooksSpec, webhooksOf } from '../testing/webhooks.js';

const A = 'https://a.example/';
const B = 'https://b.example/';
const fresh = { secret: 'whsec_rotated' };

describe('webhooks of a process that ended', () => {
  let live: WebhooksSpec;

  beforeEach(async () => {
    live = await WebhooksSpec.begin();
  });
  afterEach(() => live.close());

  it('go on where they stopped and repeat nothing', async () => {
    await hooked(live.spec, A);
    await live.spec.note();
    await live.webhooks.idle();
    await live.restart();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2]);
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2, 3]);
  });

  it('tell of events that were stored but not yet looked at', async () => {
    await hooked(live.spec, A);
    await live.webhooks.idle();
    await live.webhooks.close();
    await live.spec.note();
    await live.spec.note();
    expect(live.receivers.got).toEqual([]);
    await live.restart({ crash: true });
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2, 3]);
  });

  it('catch up with more than one page may hold', async () => {
    for (const url of [A, B, 'https://c.example/']) await hooked(live.spec, url);
    await live.webhooks.idle();
    await live.webhooks.close();
    for (let at = 0; at < 300; at++) await live.spec.note();
    live.receivers.got.length = 0;
    await live.restart({ crash: true });
    await live.webhooks.idle();
    const expected = Array.from({ length: 300 }, (_, at) => at + 4);
    for (const url of [A, B, 'https://c.example/']) expect(live.revisionsAt(url)).toEqual(expected);
  });

  it('send what waited, each at least once', async () => {
    await hooked(live.spec, A);
    live.receivers.fails(A);
    await live.spec.note();
    await live.spec.note();
    await live.webhooks.idle();
    live.receivers.answers.delete(A);
    await live.restart();
    await live.later(5_000);
    expect(live.revisionsAt(A)).toEqual([2, 2, 3]);
  });

  it('tell of the first event after a creation that crashed before anybody looked', async () => {
    await live.webhooks.close();
    await hooked(live.spec, A);
    await live.restart({ crash: true });
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2]);
  });

  it('stay open if the process stops before it has read what follows a creation', async () => {
    await live.webhooks.close();
    await hooked(live.spec, A);
    await live.spec.note();
    const stopped = live.spec.restarted();
    stopped.now = live.spec.now + 11 * 60_000;
    const webhooks = webhooksOf(stopped, live.receivers);
    const { loader } = stopped.drives;
    const load = loader.load.bind(loader);
    let closing: Promise<void> | undefined;
    loader.load = (...asked) => {
      closing ??= webhooks.close();
      return load(...asked);
    };
    await webhooks.start();
    await webhooks.idle();
    await closing;
    expect(closing).toBeDefined();
    await live.restart({ crash: true });
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2, 3]);
  });

  it('go on where the stream of another drive was deleted', async () => {
    const other = 'DriveID_0';
    await live.spec.spawn(other);
    for (const [url, drive_id] of [
      [A, DRIVE_A],
      [B, other],
    ] as const)
      await hooked(live.spec, url, { drive_id });
    await live.webhooks.idle();
    await live.webhooks.close();
    await live.spec.note();
    const events = live.spec.events.store;
    const head = jest.spyOn(events, 'head').mockImplementation(async (stream) => {
      if (stream === streamOf(other)) throw new StreamDeleted(stream);
      return MemoryEventStore.prototype.head.call(events, stream);
    });
    await live.restart({ crash: true });
    await live.webhooks.idle();
    head.mockRestore();
    expect(live.revisionsAt(A)).toHaveLength(1);
  });

  it('load no drive that has nothing new', async () => {
    await hooked(live.spec, A);
    await live.spec.note();
    await live.webhooks.idle();
    await live.restart();
    await live.webhooks.idle();
    expect([...live.spec.drives.inMemory()].map(({ drive_id }) => drive_id)).toEqual([]);
  });

  it('begin anew where nothing is known of them', async () => {
    await hooked(live.spec, A);
    await live.spec.note();
    await live.webhooks.idle();
    await live.spec.side.jobs.close(DRIVE_A, Infinity);
    await live.restart();
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2, 3]);
  });

  it('stand still when the stream was rewound, until one is changed', async () => {
    const id = await hooked(live.spec, A);
    await live.spec.note();
    await live.webhooks.idle();
    const reactor = (await live.spec.side.jobs.reactor(DRIVE_A))!;
    const elsewhere = { ...reactor, event_hash: new Uint8Array(32) };
    const bounds = { count: 0, bytes: 0 };
    expect(await live.spec.side.jobs.advance(reactor, elsewhere, [], bounds)).toBe(true);
    await live.restart();
    await live.webhooks.idle();
    const [found] = await live.spec.side.jobs.quarantinedReactors(9);
    expect(found).toMatchObject({
      drive_id: DRIVE_A,
      quarantined: 'revision 2 is not the event it was',
    });
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2]);
    await live.spec.run(webhookCommands.UpdateWebhook, { id, note: 'go on', fresh });
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2, 4, 5]);
    expect(await live.spec.side.jobs.quarantinedReactors(9)).toEqual([]);
  });

  it('whose stream ends before the place they stood at stand still too', async () => {
    await hooked(live.spec, A);
    await live.webhooks.idle();
    const reactor = (await live.spec.side.jobs.reactor(DRIVE_A))!;
    await live.spec.side.jobs.advance(reactor, { ...reactor, revision: 99 }, [], {
      count: 0,
      bytes: 0,
    });
    await live.restart();
    await live.webhooks.idle();
    expect(
      (await live.spec.side.jobs.quarantinedReactors(9)).map(({ quarantined }) => quarantined),
    ).toEqual(['the stream ends before revision 99']);
  });

  it('need nobody to look once the last one is gone for a while', async () => {
    const id = await hooked(live.spec, A);
    await live.spec.run(webhookCommands.DeleteWebhook, { id });
    await live.webhooks.idle();
    expect(await live.spec.side.jobs.reactor(DRIVE_A)).not.toBeNull();
    live.spec.now += 11 * 60_000;
    await live.spec.note();
    await live.webhooks.idle();
    expect(await live.spec.side.jobs.reactor(DRIVE_A)).toBeNull();
    await hooked(live.spec, B);
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(B)).toHaveLength(1);
  });

  it('reach a receiver that fails, hangs and comes back with each of 1,000 events, in order', async () => {
    await hooked(live.spec, A);
    await hooked(live.spec, B);
    live.receivers.answers.set(A, (nth) => {
      if (nth % 7 === 0) return { status: 500, reason: null };
      if (nth % 11 === 0) return { status: null, reason: 'no answer in time' };
      return { status: 204, reason: null };
    });
    for (let batch = 0; batch < 100; batch++) {
      await Promise.all(Array.from({ length: 10 }, () => live.spec.note()));
      if (batch % 20 === 10) await live.restart({ crash: batch % 40 === 10 });
      if (batch % 5 === 0) await live.later(5_000);
    }
    await live.webhooks.idle();
    for (let at = 0; at < 2_000 && (await live.spec.side.jobs.counts()).waiting > 0; at++)
      await live.later(5_000);
    const expected = Array.from({ length: 1_000 }, (_, at) => at + 3);
    expect(firsts(live.revisionsAt(A)).filter((revision) => revision > 2)).toEqual(expected);
    expect(live.revisionsAt(B).filter((revision) => revision > 2)).toEqual(expected);
    expect(isInOrder(live.revisionsAt(A))).toBe(true);
  });
});

/** Each value once, in the order of first appearance. */
const firsts = (values: readonly number[]): number[] => [...new Set(values)];

/** True if later values are never smaller: repeated ones stand side by side. */
const isInOrder = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value >= values[at - 1]!);
