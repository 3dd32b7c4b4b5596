/** What every event store must do with appends. */
import assert from 'node:assert/strict';

import {
  event,
  events,
  freshStream,
  idsOf,
  revisionsOf,
  type EventStoreCase,
} from './contract-support.contract.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  NO_STREAM,
  WrongExpectedRevision,
  type NewEvent,
} from './port.js';

const isWrongRevision =
  (stream: string, expected_revision: number, actual_revision: number) =>
  (error: unknown): boolean =>
    error instanceof WrongExpectedRevision &&
    error.stream === stream &&
    error.expected_revision === expected_revision &&
    error.actual_revision === actual_revision;

const appending: EventStoreCase[] = [
  {
    name: 'an append to a new stream starts at revision 0 and reads back byte for byte',
    async run(store) {
      const stream = freshStream();
      const written: NewEvent[] = [
        event({ data: '{"a":"ä – 日本語 – 😀 – \\u0000 \\n \\\\"}', metadata: '{"actor":"Ω"}' }),
        event({ data: '{"spaced" : [1.0, 1e3]}', version: 7, timestamp_ms: 1_893_456_000_123 }),
        event({ data: '', metadata: '', hash: new Uint8Array(32) }),
      ];
      const { last_revision, last_position } = await store.append(stream, NO_STREAM, written);
      assert.equal(last_revision, 2);
      const read = await store.readStream(stream, 0, 'forward', 10);
      assert.deepEqual(revisionsOf(read), [0, 1, 2]);
      assert.equal(read.at(-1)!.position, last_position);
      for (const [i, stored] of read.entries()) {
        const { stream: of, revision, position, hash, ...rest } = stored;
        const { hash: given, ...expected } = written[i]!;
        assert.equal(of, stream);
        assert.equal(revision, i);
        assert.ok(Number.isSafeInteger(position));
        assert.deepEqual(rest, expected);
        assert.deepEqual([...hash], [...given]);
      }
    },
  },
  {
    name: 'what was handed over may change afterwards without changing what is stored',
    async run(store) {
      const stream = freshStream();
      const hash = new Uint8Array(32).fill(7);
      await store.append(stream, NO_STREAM, [event({ hash })]);
      hash.fill(9);
      const [stored] = await store.readStream(stream, 0, 'forward', 1);
      assert.deepEqual(
        [...stored!.hash],
        Array.from({ length: 32 }, () => 7),
      );
    },
  },
  {
    name: 'appends continue a stream without gaps in its revisions',
    async run(store) {
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(1));
      await store.append(stream, 0, events(3));
      const { last_revision } = await store.append(stream, 3, events(2));
      assert.equal(last_revision, 5);
      const read = await store.readStream(stream, 0, 'forward', 100);
      assert.deepEqual(revisionsOf(read), [0, 1, 2, 3, 4, 5]);
    },
  },
  {
    name: 'a wrong expected revision is refused, says what was found and stores nothing',
    async run(store) {
      const stream = freshStream();
      const stored = events(2);
      await assert.rejects(store.append(stream, 4, events(1)), isWrongRevision(stream, 4, -1));
      await store.append(stream, NO_STREAM, stored);
      for (const wrong of [NO_STREAM, 0, 2, 9]) {
        const append = store.append(stream, wrong, events(1));
        await assert.rejects(append, isWrongRevision(stream, wrong, 1));
      }
      assert.deepEqual(idsOf(await store.readStream(stream, 0, 'forward', 10)), idsOf(stored));
    },
  },
  {
    name: 'an append stores all of its events or none',
    async run(store) {
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(1));
      const [first, second] = [events(5), events(5)];
      const results = await Promise.allSettled([
        store.append(stream, 0, first),
        store.append(stream, 0, second),
      ]);
      const winner = results[0].status === 'fulfilled' ? first : second;
      const read = await store.readStream(stream, 1, 'forward', 20);
      assert.deepEqual(idsOf(read), idsOf(winner));
    },
  },
  {
    name: 'an append of no events or at no revision is refused',
    async run(store) {
      const stream = freshStream();
      await assert.rejects(store.append(stream, NO_STREAM, []), RangeError);
      await assert.rejects(store.append(stream, -2, events(1)), RangeError);
      await assert.rejects(store.append(stream, 0.5, events(1)), RangeError);
    },
  },
  {
    name: 'an append above the size bound is refused, one at the bound is stored',
    async run(store) {
      const stream = freshStream();
      const bound = 512 * 1024;
      // Two bytes a letter: the bound counts bytes, not characters.
      const half = event({ metadata: '', data: 'é'.repeat(bound / 4) });
      const rest = event({ metadata: 'm'.repeat(bound / 2), data: '' });
      const over = event({ metadata: 'm'.repeat(bound / 2), data: '1' });
      await assert.rejects(store.append(stream, NO_STREAM, [half, over]), AppendTooLarge);
      assert.equal(await store.head(stream), null);
      await store.append(stream, NO_STREAM, [half, rest]);
      assert.equal((await store.head(stream))?.revision, 1);
    },
  },
];

const repeating: EventStoreCase[] = [
  {
    name: 'the same batch again is answered like the first time and stored once',
    async run(store) {
      const stream = freshStream();
      const batch = events(3);
      const first = await store.append(stream, NO_STREAM, batch);
      assert.deepEqual(await store.append(stream, NO_STREAM, batch), first);
      const read = await store.readStream(stream, 0, 'forward', 10);
      assert.deepEqual(idsOf(read), idsOf(batch));
    },
  },
  {
    name: 'the same batch again is answered so after later events, too',
    async run(store) {
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(2));
      const batch = events(2);
      const first = await store.append(stream, 1, batch);
      await store.append(stream, 3, events(4));
      assert.deepEqual(await store.append(stream, 1, batch), first);
      assert.equal((await store.head(stream))?.revision, 7);
    },
  },
  {
    name: 'the same batch twice at one time is stored once; each answer is the same or outcome unknown',
    async run(store) {
      const stream = freshStream();
      const batch = events(3);
      const answers = await Promise.allSettled([
        store.append(stream, NO_STREAM, batch),
        store.append(stream, NO_STREAM, batch),
      ]);
      assert.equal((await store.head(stream))?.revision, 2);
      const again = await store.append(stream, NO_STREAM, batch);
      assert.equal(again.last_revision, 2);
      for (const answer of answers) {
        if (answer.status === 'fulfilled') assert.deepEqual(answer.value, again);
        else assert.ok(answer.reason instanceof AppendOutcomeUnknown, String(answer.reason));
      }
      const read = await store.readStream(stream, 0, 'forward', 10);
      assert.deepEqual(idsOf(read), idsOf(batch));
    },
  },
  {
    name: 'a batch that begins with stored events but goes on with others is refused',
    async run(store) {
      const stream = freshStream();
      const batch = events(2);
      await store.append(stream, NO_STREAM, batch);
      const longer = store.append(stream, NO_STREAM, [...batch, event()]);
      await assert.rejects(longer, isWrongRevision(stream, -1, 1));
      await store.append(stream, 1, events(3));
      const other = store.append(stream, NO_STREAM, [...batch, event()]);
      await assert.rejects(other, isWrongRevision(stream, -1, 4));
      assert.equal((await store.head(stream))?.revision, 4);
    },
  },
  {
    name: 'stored events at another place of the stream are no repetition',
    async run(store) {
      const stream = freshStream();
      const [a, b, c] = events(3) as [NewEvent, NewEvent, NewEvent];
      await store.append(stream, NO_STREAM, [a, b, c]);
      const swapped = store.append(stream, NO_STREAM, [b, a]);
      await assert.rejects(swapped, isWrongRevision(stream, -1, 2));
      const moved = store.append(stream, 0, [c]);
      await assert.rejects(moved, isWrongRevision(stream, 0, 2));
    },
  },
];

const racing: EventStoreCase[] = [
  {
    name: 'of appends to one stream with the same expected revision exactly one wins',
    async run(store) {
      const stream = freshStream();
      await store.append(stream, NO_STREAM, events(1));
      const batches = Array.from({ length: 20 }, () => events(2));
      const results = await Promise.allSettled(
        batches.map((batch) => store.append(stream, 0, batch)),
      );
      const won = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
      assert.equal(won.length, 1);
      for (const result of results) {
        if (result.status === 'rejected') assert.ok(result.reason instanceof WrongExpectedRevision);
      }
      const read = await store.readStream(stream, 1, 'forward', 100);
      assert.deepEqual(idsOf(read), idsOf(batches[won[0]!]!));
    },
  },
  {
    name: "one stream's conflict leaves appends to others at the same time in place",
    async run(store) {
      const contested = freshStream();
      await store.append(contested, NO_STREAM, events(1));
      const others = Array.from({ length: 30 }, freshStream);
      const appends = others.map((stream) => store.append(stream, NO_STREAM, events(2)));
      const conflict = store.append(contested, NO_STREAM, events(1));
      const more = others.map((stream) => store.append(stream, 1, events(1)));
      await assert.rejects(conflict, isWrongRevision(contested, -1, 0));
      await Promise.all([...appends, ...more]);
      for (const stream of others) {
        const read = await store.readStream(stream, 0, 'forward', 10);
        assert.deepEqual(revisionsOf(read), [0, 1, 2]);
      }
    },
  },
  {
    name: 'an append that cannot be stored leaves appends at the same time in place',
    async run(store) {
      const [good, bad, after] = [freshStream(), freshStream(), freshStream()];
      const broken = { ...event(), data: undefined } as unknown as NewEvent;
      const results = await Promise.allSettled([
        store.append(good, NO_STREAM, events(2)),
        store.append(bad, NO_STREAM, [event(), broken]),
        store.append(after, NO_STREAM, events(1)),
      ]);
      assert.deepEqual(
        results.map((result) => result.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal(await store.head(bad), null);
      assert.equal((await store.head(good))?.revision, 1);
      assert.equal((await store.head(after))?.revision, 0);
      await store.append(bad, NO_STREAM, events(1));
      assert.equal((await store.head(bad))?.revision, 0);
    },
  },
];

export const appendCases: readonly EventStoreCase[] = [...appending, ...repeating, ...racing];
