import { jest } from '@jest/globals';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import type { Webhook } from '../../domain/webhooks/record.js';
import type { NewDelivery } from '../../event-store/stores.js';
import type { Keyring } from '../keys/keyring.js';
import { DRIVE_A, EngineSpec, Note } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';
import { until } from '../testing/turn-counter.js';
import { hooked, Receivers, webhooksOf } from '../testing/webhooks.js';
import { type CausedMatch, deliveriesOf, partsOf } from './deliveries.js';
import { DEFAULT_WEBHOOK_LIMITS, queueBounds, type WebhookLimits } from './limits.js';
import type { Webhooks } from './webhooks.js';

const OTHER = 'DriveID_other';
const B = 'https://b.example/';
const slow = (nth: number): string => `https://slow${nth}.example/`;

describe('webhooks of a drive that floods others', () => {
  let spec: EngineSpec;
  let receivers: Receivers;
  let webhooks: Webhooks;

  const start = async (limits: Partial<WebhookLimits> = {}): Promise<void> => {
    spec = new EngineSpec();
    receivers = new Receivers();
    webhooks = webhooksOf(spec, receivers, limits);
    await webhooks.start();
    await spec.spawn();
    await spec.spawn(OTHER);
  };
  afterEach(async () => {
    await webhooks.close();
    await spec.drives.close();
  });

  it('leave a quarter of the places to other drives', async () => {
    await start({ parallel_max: 4 });
    for (let nth = 0; nth < 6; nth++) await hooked(spec, slow(nth));
    await hooked(spec, B, { drive_id: OTHER });
    await webhooks.idle();
    receivers.got.length = 0;
    const gate = new Gate();
    const delivered = Promise.withResolvers<void>();
    for (let nth = 0; nth < 6; nth++)
      receivers.answers.set(slow(nth), () =>
        gate.pass().then(() => ({ status: 200, reason: null })),
      );
    receivers.answers.set(B, () => {
      delivered.resolve();
      return { status: 200, reason: null };
    });
    await spec.note();
    await gate.reached;
    await spec.run(Note, { payload: 'noted' }, { drive_id: OTHER });
    await delivered.promise;
    // Alone, the drive uses the others.
    const slow_ones = receivers.got.filter(({ url }) => url !== B);
    expect(slow_ones).toHaveLength(3);
    gate.open();
    await webhooks.idle();
    expect(receivers.got.filter(({ url }) => url !== B)).toHaveLength(6);
  });

  it('are sent to after webhooks of a drive that waits for its first place', async () => {
    await start({ parallel_max: 8 });
    const LATER = 'DriveID_later';
    await spec.spawn(LATER);
    for (let nth = 0; nth < 6; nth++) await hooked(spec, slow(nth));
    for (let nth = 6; nth < 12; nth++) await hooked(spec, slow(nth), { drive_id: LATER });
    await hooked(spec, B, { drive_id: OTHER });
    await webhooks.idle();
    receivers.got.length = 0;
    const gates = Array.from({ length: 12 }, () => new Gate());
    const all_sent = Promise.withResolvers<void>();
    for (const [nth, gate] of gates.entries())
      receivers.answers.set(slow(nth), () => {
        if (receivers.got.length === 8) all_sent.resolve();
        return gate.pass().then(() => ({ status: 200, reason: null }));
      });
    await spec.note();
    await gates[5]!.reached;
    // Two of these are sent, a quarter, and four wait for longer than the next one.
    await spec.run(Note, { payload: 'noted' }, { drive_id: LATER });
    await all_sent.promise;
    const delivered = Promise.withResolvers<void>();
    receivers.answers.set(B, () => {
      delivered.resolve();
      return { status: 200, reason: null };
    });
    spec.now += 1;
    await spec.run(Note, { payload: 'noted' }, { drive_id: OTHER });
    const of_later = gates.findIndex((_, nth) => nth > 5 && receivers.at(slow(nth)).length > 0);
    gates[of_later]!.open();
    await delivered.promise;
    expect(receivers.got[8]!.url).toBe(B);
    for (const gate of gates) gate.open();
    await webhooks.idle();
    expect(receivers.got).toHaveLength(13);
  });

  it.each([
    ['as many as are read at one time', 8],
    ['many more', 20],
  ])('leave a quarter of the places to drives without slow receivers: %s', async (_, hooks) => {
    await start({ parallel_max: 4, slow_ms: 10 });
    const drives = [DRIVE_A, 'DriveID_c', 'DriveID_d', 'DriveID_e'];
    for (const drive_id of drives.slice(1)) await spec.spawn(drive_id);
    for (let nth = 0; nth < hooks; nth++)
      await hooked(spec, slow(nth), { drive_id: drives[nth % 4]! });
    await hooked(spec, B, { drive_id: OTHER });
    await webhooks.idle();
    for (let nth = 0; nth < hooks; nth++)
      receivers.answers.set(slow(nth), () => {
        until(performance.now() + 15);
        return { status: 500, reason: null };
      });
    for (const drive_id of drives) await spec.run(Note, { payload: 'noted' }, { drive_id });
    await webhooks.idle();
    receivers.got.length = 0;
    const gate = new Gate();
    for (let nth = 0; nth < hooks; nth++)
      receivers.answers.set(slow(nth), () =>
        gate.pass().then(() => ({ status: 200, reason: null })),
      );
    // All are due again now.
    spec.now += DEFAULT_WEBHOOK_LIMITS.first_retry_ms;
    webhooks.wake();
    await gate.reached;
    const delivered = Promise.withResolvers<void>();
    receivers.answers.set(B, () => {
      delivered.resolve();
      return { status: 200, reason: null };
    });
    await spec.run(Note, { payload: 'noted' }, { drive_id: OTHER });
    await delivered.promise;
    expect(receivers.got.filter(({ url }) => url !== B)).toHaveLength(3);
    gate.open();
    await webhooks.idle();
    expect(receivers.got.filter(({ url }) => url !== B)).toHaveLength(hooks);
  });

  it('queue large deliveries of one event in parts, all of them and once', async () => {
    await start();
    for (let nth = 0; nth < 12; nth++)
      await hooked(spec, slow(nth), { event: 'org.inbox.new_mail', alt_index: 'INBOX_NEW_MAIL' });
    const { jobs } = spec.side;
    const sizes: number[] = [];
    const { advance, enqueue } = jobs;
    jobs.advance = (from, to, found, bounds) => {
      sizes.push(found.length);
      return advance.call(jobs, from, to, found, bounds);
    };
    jobs.enqueue = (found, bounds) => {
      sizes.push(found.length);
      return enqueue.call(jobs, found, bounds);
    };
    sizes.length = 0;
    await spec.note('x'.repeat(300_000));
    await webhooks.idle();
    const stored = sizes.filter((size) => size > 0);
    expect(stored.length).toBeGreaterThan(1);
    expect(stored.reduce((sum, size) => sum + size)).toBe(12);
    for (let nth = 0; nth < 12; nth++) expect(receivers.at(slow(nth))).toHaveLength(1);
  });

  it('queue notices one after another, and only so many of a drive', async () => {
    await start({ drive_notices_max: 3 });
    await hooked(spec, B, { event: 'file.viewed', alt_index: 'ALL_FILES' });
    let at_once = 0;
    for (let nth = 0; nth < 5; nth++)
      webhooks.notice(DRIVE_A, () => {
        at_once += 1;
        return [{ event: 'file.viewed', indexes: ['ALL_FILES'] }];
      });
    await webhooks.idle();
    expect(at_once).toBe(3);
    expect(spec.reports.map(({ what }) => what)).toEqual(['notices left out']);
    webhooks.notice(DRIVE_A, () => [{ event: 'file.viewed', indexes: ['ALL_FILES'] }]);
    await webhooks.idle();
    expect(receivers.at(B)).toHaveLength(4);
  });

  it('do not wait for the notices of another drive', async () => {
    await start();
    await hooked(spec, B, { drive_id: OTHER, event: 'file.viewed', alt_index: 'ALL_FILES' });
    await hooked(spec, slow(1), { event: 'file.viewed', alt_index: 'ALL_FILES' });
    const delivered = Promise.withResolvers<void>();
    receivers.answers.set(B, () => {
      delivered.resolve();
      return { status: 200, reason: null };
    });
    const { drives } = spec;
    const gate = new Gate();
    const read = drives.read.bind(drives);
    jest
      .spyOn(drives, 'read')
      .mockImplementation(((drive_id: string, query: never) =>
        drive_id === DRIVE_A
          ? gate.pass().then(() => read(drive_id, query))
          : read(drive_id, query)) as typeof read);
    for (const drive_id of [DRIVE_A, OTHER])
      webhooks.notice(drive_id, () => [{ event: 'file.viewed', indexes: ['ALL_FILES'] }]);
    await delivered.promise;
    gate.open();
    await webhooks.idle();
    expect(receivers.at(slow(1))).toHaveLength(1);
  });
});

describe('deliveries of one occurrence', () => {
  const occurrence = { event: 'file.viewed', indexes: ['ALL_FILES'] } as const;
  const matches = (count: number): CausedMatch[] =>
    Array.from({ length: count }, (_, nth) => ({
      match: { webhook: { id: `WebhookID_${nth}` } as Webhook, occurrence, nth: 0 },
      cause: { key: '7', revision: 7, timestamp_ms: 1 },
    }));

  it('share one sealed body', () => {
    let sealed = 0;
    const keyring = {
      seal(key_id: string) {
        expect(key_id).toBe(DRIVE_KEY_ID);
        return { text: `sealed ${++sealed}` };
      },
    } as unknown as Keyring;
    const other = { ...matches(1)[0]!.match, occurrence: { ...occurrence } };
    const all = [
      ...matches(3),
      { match: other, cause: { key: '8', revision: 8, timestamp_ms: 1 } },
    ];
    const deliveries = [...deliveriesOf(DRIVE_A, all, keyring, 1)];
    expect(deliveries.map((one) => one.sealed)).toEqual([
      ...['sealed 1', 'sealed 1', 'sealed 1', 'sealed 2'],
    ]);
    expect(new Set(deliveries.map((one) => one.delivery_id)).size).toBe(4);
  });

  it.each([
    [0, 10, [0]],
    [501, 10, [500, 1]],
    [5, 1024 ** 2 / 2, [2, 2, 1]],
    [2, 8 * 1024 ** 2, [1, 1]],
  ])('are stored in parts: %d of %d bytes', (count, bytes, sizes) => {
    const delivery = { sealed: 'x'.repeat(bytes) } as NewDelivery;
    const parts = [...partsOf(Array.from({ length: count }, () => delivery))];
    expect(parts.map(({ length }) => length)).toEqual(sizes);
  });

  it('share the bytes that all webhooks of a drive may queue', () => {
    expect(queueBounds(DEFAULT_WEBHOOK_LIMITS, 1)).toEqual({
      count: 10_000,
      bytes: 64 * 1024 ** 2,
    });
    expect(queueBounds(DEFAULT_WEBHOOK_LIMITS, 16).bytes).toBe(64 * 1024 ** 2);
    expect(queueBounds(DEFAULT_WEBHOOK_LIMITS, 1024).bytes).toBe(1024 ** 2);
  });
});
