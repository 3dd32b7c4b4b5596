/** What every event store must do when it is read, listened to and closed. */
import assert from 'node:assert/strict';

import {
  collector,
  delivered,
  event,
  events,
  freshStream,
  idsOf,
  mark,
  readAllAfter,
  revisionsOf,
  type EventStoreCase,
} from './contract-support.contract.js';
import { type FoldableEvent, NO_STREAM } from './port.js';

const foldable = ({ revision, event_id, type, timestamp_ms, data, hash }: FoldableEvent) => ({
  revision,
  event_id,
  type,
  timestamp_ms,
  data,
  hash: Buffer.from(hash).toString('hex'),
});

const reading: EventStoreCase[] = [
  {
    name: 'a stream reads forward in pages, from any revision, to an empty page past its end',
    async run(store) {
      const stream = freshStream();
      const written = events(7);
      await store.append(stream, NO_STREAM, written);
      const read = async (from: number, limit: number) =>
        revisionsOf(await store.readStream(stream, from, 'forward', limit));
      assert.deepEqual(await read(0, 3), [0, 1, 2]);
      assert.deepEqual(await read(3, 3), [3, 4, 5]);
      assert.deepEqual(await read(6, 3), [6]);
      assert.deepEqual(await read(7, 3), []);
      assert.deepEqual(await read(Infinity, 3), []);
    },
  },
  {
    name: 'a stream reads for folding as it reads forward, only less of each event',
    async run(store) {
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(7));
      assert.deepEqual(revisionsOf(await store.readFoldable(stream, 0, 3)), [0, 1, 2]);
      for (const [from, limit] of [
        [0, 3],
        [5, 9],
        [7, 3],
        [Infinity, 3],
      ] as const) {
        const whole = await store.readStream(stream, from, 'forward', limit);
        const lean = await store.readFoldable(stream, from, limit);
        assert.deepEqual(lean.map(foldable), whole.map(foldable));
      }
    },
  },
  {
    name: 'a stream reads backward in pages, from any revision or from its end',
    async run(store) {
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(7));
      const read = async (from: number, limit: number) =>
        revisionsOf(await store.readStream(stream, from, 'backward', limit));
      assert.deepEqual(await read(Infinity, 3), [6, 5, 4]);
      assert.deepEqual(await read(3, 3), [3, 2, 1]);
      assert.deepEqual(await read(0, 3), [0]);
      assert.deepEqual(await read(100, 2), [6, 5]);
      assert.deepEqual(await read(-1, 3), []);
    },
  },
  {
    name: 'a stream reads its own events only, and an unknown one reads as empty',
    async run(store) {
      const [one, two] = [freshStream(), freshStream()];
      const [ofOne, ofTwo] = [events(2), events(2)];
      await store.append(one, NO_STREAM, ofOne.slice(0, 1));
      await store.append(two, NO_STREAM, ofTwo);
      await store.append(one, 0, ofOne.slice(1));
      assert.deepEqual(idsOf(await store.readStream(one, 0, 'forward', 10)), idsOf(ofOne));
      assert.deepEqual(idsOf(await store.readStream(two, 0, 'forward', 10)), idsOf(ofTwo));
      assert.deepEqual(await store.readStream(freshStream(), 0, 'forward', 10), []);
      assert.deepEqual(await store.readStream(freshStream(), Infinity, 'backward', 10), []);
    },
  },
  {
    name: 'positions order the events of all streams as their appends were answered',
    async run(store) {
      const start = await mark(store);
      const [one, two] = [freshStream(), freshStream()];
      const order = [events(2), events(1), events(2)] as const;
      const places = [
        await store.append(one, NO_STREAM, order[0]),
        await store.append(two, NO_STREAM, order[1]),
        await store.append(one, 1, order[2]),
      ];
      const read = await readAllAfter(store, start, [one, two], 5);
      assert.deepEqual(idsOf(read), idsOf(order.flat()));
      const positions = read.map(({ position }) => position);
      for (const [i, position] of positions.entries()) {
        assert.ok(position > (i === 0 ? start : positions[i - 1]!));
      }
      assert.deepEqual(
        places.map(({ last_position }) => last_position),
        [positions[1], positions[2], positions[4]],
      );
    },
  },
  {
    name: 'all streams read in pages from any position, from -1 at their beginning',
    async run(store) {
      const stream = freshStream();
      const written = events(5);
      const { last_position } = await store.append(stream, NO_STREAM, written);
      const stored = await store.readStream(stream, 0, 'forward', 5);
      const between = await store.readAll(stored[1]!.position, 2);
      assert.deepEqual(idsOf(between), idsOf(written.slice(2, 4)));
      assert.deepEqual(await store.readAll(last_position, 10), []);
      const [first] = await store.readAll(-1, 1);
      assert.ok(first && first.position <= stored[0]!.position);
      assert.equal(first.revision, 0);
    },
  },
  {
    name: 'the last position lies behind all that was appended and before all that comes',
    async run(store) {
      const stream = freshStream();
      const written = events(4);
      const { last_position } = await store.append(stream, NO_STREAM, written.slice(0, 2));
      const last = await store.lastPosition();
      assert.ok(last >= last_position, `${last} lies before ${last_position}`);
      await store.append(stream, 1, written.slice(2));
      const read = await readAllAfter(store, last, [stream], 2);
      assert.deepEqual(idsOf(read), idsOf(written.slice(2)));
    },
  },
  {
    name: 'the head is the last event, and null for an unknown stream',
    async run(store) {
      const stream = freshStream();
      const last = event({ timestamp_ms: 1_800_000_000_042 });
      await store.append(stream, NO_STREAM, [...events(2), last]);
      const head = await store.head(stream);
      assert.ok(head);
      const { revision, timestamp_ms, hash } = head;
      assert.deepEqual([revision, timestamp_ms], [2, last.timestamp_ms]);
      assert.deepEqual([...hash], [...last.hash]);
      assert.equal(await store.head(freshStream()), null);
    },
  },
  {
    name: 'a revision is found by time: the last event at or before it, also among equal times',
    async run(store) {
      const stream = freshStream();
      const times = [10, 20, 20, 20, 35, 35, 50];
      const written = times.map((timestamp_ms) => event({ timestamp_ms }));
      await store.append(stream, NO_STREAM, written);
      const asked = [9, 10, 19, 20, 21, 35, 49, 50, 51];
      const found = await Promise.all(asked.map((at) => store.findRevisionByTime(stream, at)));
      assert.deepEqual(found, [-1, 0, 0, 3, 3, 5, 5, 6, 6]);
      assert.equal(await store.findRevisionByTime(freshStream(), 50), -1);
    },
  },
];

const subscribing: EventStoreCase[] = [
  {
    name: 'a subscription catches up and goes on live, without gap or duplicate under appends',
    async run(store) {
      const start = await mark(store);
      const streams = Array.from({ length: 5 }, freshStream);
      const rounds = 40;
      for (const stream of streams) await store.append(stream, NO_STREAM, events(30));
      const seen = collector(streams, 5 * (30 + rounds * 3));
      const subscription = store.subscribeAll(start, seen.handle, seen.failed);
      for (let round = 0; round < rounds; round += 1) {
        const revision = 29 + round * 3;
        await Promise.all(streams.map((stream) => store.append(stream, revision, events(3))));
      }
      await delivered(store, start, seen);
      await subscription.stop();
    },
  },
  {
    name: 'a subscription starts behind the given position',
    async run(store) {
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(4));
      const [, second] = await store.readStream(stream, 0, 'forward', 4);
      assert.ok(second);
      const seen = collector([stream], 2);
      const subscription = store.subscribeAll(second.position, seen.handle, seen.failed);
      await seen.complete;
      await subscription.stop();
      assert.deepEqual(revisionsOf(seen.events), [2, 3]);
    },
  },
  {
    name: 'a subscription hands over one batch at a time and waits for the handler',
    async run(store) {
      const start = await mark(store);
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(3));
      assert.equal((await store.head(stream))?.revision, 2);
      const seen = collector([stream], 23);
      let running = 0;
      const subscription = store.subscribeAll(
        start,
        async (batch) => {
          running += 1;
          assert.equal(running, 1);
          await new Promise(setImmediate);
          running -= 1;
          seen.handle(batch);
        },
        seen.failed,
      );
      for (let revision = 2; revision < 22; revision += 1) {
        await store.append(stream, revision, events(1));
      }
      await delivered(store, start, seen);
      await subscription.stop();
    },
  },
  {
    name: 'a handler that throws stops its subscription, is reported, and harms no other',
    async run(store) {
      const start = await mark(store);
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(2));
      assert.equal((await store.head(stream))?.revision, 1);
      let calls = 0;
      const seen = collector([stream], 4);
      const healthy = store.subscribeAll(start, seen.handle, seen.failed);
      const reported = await new Promise((resolve) => {
        store.subscribeAll(
          start,
          () => {
            calls += 1;
            throw new Error('no more');
          },
          resolve,
        );
      });
      assert.equal((reported as Error).message, 'no more');
      await store.append(stream, 1, events(2));
      await delivered(store, start, seen);
      await healthy.stop();
      assert.equal(calls, 1);
    },
  },
  {
    name: 'a stopped subscription is not called again, and others go on',
    async run(store) {
      const start = await mark(store);
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(1));
      assert.equal((await store.head(stream))?.revision, 0);
      const [early, late] = [collector([stream], 1), collector([stream], 3)];
      const first = store.subscribeAll(start, early.handle, early.failed);
      const second = store.subscribeAll(start, late.handle, late.failed);
      await early.complete;
      await first.stop();
      await store.append(stream, 0, events(2));
      await delivered(store, start, late);
      await second.stop();
      assert.deepEqual(revisionsOf(early.events), [0]);
    },
  },
];

const closing: EventStoreCase[] = [
  {
    name: 'closing settles appends under way, ends subscriptions and refuses what comes after',
    async run(store) {
      const stream = freshStream();
      const under_way = store.append(stream, NO_STREAM, events(2));
      store.subscribeAll(-1, () => {});
      const closed = store.close();
      assert.equal((await under_way).last_revision, 1);
      await closed;
      await store.close();
      await assert.rejects(store.append(stream, 1, events(1)), /closed/);
      assert.throws(() => store.subscribeAll(-1, () => {}), /closed/);
    },
  },
];

export const readCases: readonly EventStoreCase[] = [...reading, ...subscribing, ...closing];
