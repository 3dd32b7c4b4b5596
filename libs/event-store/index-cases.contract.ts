/** What every index of events must do. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';

import { type IndexedEvent, indexText } from './event-index.js';
import type { EventFilter, RevisionRange, SideStores } from './stores.js';

const freshDrive = (): string => randomUUID();
const hash = (): Uint8Array => new Uint8Array(randomBytes(32));

interface Given {
  readonly type?: string;
  readonly actor?: string | null;
  readonly command?: string;
  readonly correlation_id?: string;
  readonly allowed_by?: readonly string[];
  readonly reason?: string | null;
  readonly resource_ids?: readonly string[];
}

function entry(revision: number, given: Given = {}): IndexedEvent {
  const { type = 'T', actor = null, command = 'C', resource_ids = [] } = given;
  const { correlation_id = 'r', allowed_by = ['OWNER'], reason = null } = given;
  const metadata = JSON.stringify({
    actor: { api_key_id: 'k', user_id: actor, via: 'API_KEY' },
    allowed_by,
    command,
    correlation_id,
    reason,
  });
  return { revision, type, metadata, resource_ids };
}

async function indexed({ index }: SideStores, given: readonly Given[]): Promise<string> {
  const drive = freshDrive();
  const entries = given.map((one, revision) => entry(revision, one));
  await index.append(drive, indexText(entries), { revision: given.length - 1, event_hash: hash() });
  return drive;
}

const ALL = { from: 0, to: Infinity };

/** What an index finds, as a list of this realm: a test runner has more than one. */
const find = async (
  { index }: Pick<SideStores, 'index'>,
  drive: string,
  filter: EventFilter = {},
  { from, to }: RevisionRange = ALL,
  direction: 'ASC' | 'DESC' = 'ASC',
  limit = 9,
): Promise<number[]> => [...(await index.find(drive, filter, { from, to }, direction, limit))];

/** Enough for two blocks of every size but the largest, and events without a block. */
const MANY = 8_192 + 1_024 + 128 + 5;

export const indexCases: readonly {
  readonly name: string;
  run(stores: SideStores): Promise<void>;
}[] = [
  {
    name: 'an index names its last event, each drive its own, none before the first',
    async run({ index }) {
      const [drive, other] = [freshDrive(), freshDrive()];
      assert.equal(await index.position(drive), null);
      const event_hash = hash();
      await index.append(drive, indexText([entry(0), entry(1)]), {
        revision: 1,
        event_hash: hash(),
      });
      await index.append(drive, indexText([entry(2)]), { revision: 2, event_hash });
      const position = await index.position(drive);
      assert.equal(position?.revision, 2);
      assert.deepEqual(Buffer.from(position.event_hash), Buffer.from(event_hash));
      assert.equal(await index.position(other), null);
      assert.deepEqual(await find({ index }, other, {}), []);
    },
  },
  {
    name: 'events are found by every circumstance, alone and together',
    async run(stores) {
      const drive = await indexed(stores, [
        { type: 'A', actor: 'u1', command: 'X', correlation_id: 'r1', resource_ids: ['a', 'b'] },
        { type: 'B', actor: 'u1', command: 'Y', correlation_id: 'r2', allowed_by: ['g1', 'i1'] },
        { type: 'A', actor: 'u2', command: 'X', correlation_id: 'r2', resource_ids: ['b'] },
        { type: 'C', actor: null, command: 'Z', correlation_id: 'r3', allowed_by: ['i1'] },
      ]);
      const found: readonly (readonly [EventFilter, readonly number[]])[] = [
        [{}, [0, 1, 2, 3]],
        [{ types: ['A'] }, [0, 2]],
        [{ types: ['B', 'C'] }, [1, 3]],
        [{ types: [] }, []],
        [{ actors: ['u1'] }, [0, 1]],
        [{ actors: ['u1', 'u2'] }, [0, 1, 2]],
        [{ actors: [] }, []],
        [{ command: 'X' }, [0, 2]],
        [{ correlation_id: 'r2' }, [1, 2]],
        [{ allowed_by: 'i1' }, [1, 3]],
        [{ resource_ids: ['a'] }, [0]],
        [{ resource_ids: ['a', 'b'] }, [0, 2]],
        [{ resource_ids: ['none'] }, []],
        [{ resource_ids: ['b'], actors: ['u2'], types: ['A'], command: 'X' }, [2]],
        [{ actors: ['u1'], allowed_by: 'i1' }, [1]],
        [{ correlation_id: 'r2', types: ['C'] }, []],
      ];
      for (const [filter, revisions] of found) {
        assert.deepEqual(await find(stores, drive, filter), revisions);
        assert.equal(await stores.index.count(drive, filter, ALL), revisions.length);
      }
      for (const [{ types: _, ...filter }] of found)
        for (const range of [ALL, { from: 1, to: 2 }]) {
          const types = ['C', 'A', 'none', 'B'];
          const counts = await Promise.all(
            types.map((type) => stores.index.count(drive, { ...filter, types: [type] }, range)),
          );
          assert.deepEqual(await stores.index.countTypes(drive, filter, types, range), counts);
        }
      assert.deepEqual(await stores.index.countTypes(freshDrive(), {}, ['A'], ALL), [0]);
    },
  },
  {
    name: 'events are found by any of thousands of ids, actors and types',
    async run(stores) {
      // Two blocks, and events without a block.
      const count = 1_024 + 128 + 5;
      const drive = await indexed(
        stores,
        Array.from({ length: count }, (_, revision) => ({
          type: `T${revision}`,
          actor: `u${revision}`,
          resource_ids: [`a${revision}`, `b"${revision % 200},`],
        })),
      );
      const wanted = Array.from({ length: count }, (_, revision) => revision).filter(
        (revision) => revision % 3 === 0 || revision > count - 3,
      );
      const absent = Array.from({ length: 1_500 }, (_, nth) => -1 - nth);
      const named = (prefix: string): string[] =>
        [...wanted, ...absent].map((revision) => `${prefix}${revision}`);
      const range = { from: 100, to: count - 2 };
      const within = wanted.filter((revision) => revision >= 100 && revision <= count - 2);
      for (const filter of [
        { resource_ids: named('a') },
        { actors: named('u') },
        { types: named('T') },
        { resource_ids: named('a'), actors: named('u'), types: named('T') },
      ]) {
        const up = await find(stores, drive, filter, range, 'ASC', count);
        assert.deepEqual(up, within);
        const down = await find(stores, drive, filter, range, 'DESC', 200);
        assert.deepEqual(down, within.toReversed().slice(0, 200));
        assert.equal(await stores.index.count(drive, filter, range), within.length);
      }
      const awkward = ['x,', 'x",', ',', '","', '\\', '\\",', 'x","resource y', ''];
      const odd = await indexed(
        stores,
        awkward.map((id) => ({ resource_ids: [id, `${id},`, 'z'], correlation_id: id })),
      );
      for (const [revision, id] of awkward.entries()) {
        const { index } = stores;
        assert.deepEqual(await find({ index }, odd, { correlation_id: id }), [revision]);
        const among = awkward.flatMap((one, at) => ([one, `${one},`].includes(id) ? [at] : []));
        assert.deepEqual(await find({ index }, odd, { resource_ids: [id, 'y'] }), among);
      }
      const quoted = Array.from({ length: 1_500 }, (_, nth) => `b"${nth + 50},`);
      const last = await find(stores, drive, { resource_ids: quoted }, ALL, 'DESC', 500);
      const expected = Array.from({ length: count }, (_, nth) => count - 1 - nth);
      assert.deepEqual(last, expected.filter((at) => at % 200 >= 50).slice(0, 500));
      const types = ['none', ...named('T')];
      assert.deepEqual(await stores.index.countTypes(drive, {}, types, ALL), [
        0,
        ...wanted.map(() => 1),
        ...absent.map(() => 0),
      ]);
      const some = { actors: named('u').slice(0, 300) };
      assert.deepEqual(
        await stores.index.countTypes(drive, some, types, range),
        [NaN, ...wanted, ...absent].map((at) => Number(at >= 100 && wanted.indexOf(at) < 300)),
      );
    },
  },
  {
    name: 'reasons are found by substrings in any case, none by wildcards',
    async run(stores) {
      const drive = await indexed(stores, [
        { reason: 'Ticket 7: Ärger' },
        { reason: null },
        { reason: '100%' },
        { reason: 'a\0b-c/d' },
      ]);
      const byReason = (reason: string) => find(stores, drive, { reason });
      assert.deepEqual(await byReason('ticket'), [0]);
      assert.deepEqual(await byReason('ärGER'), [0]);
      assert.deepEqual(await byReason('%'), [2]);
      assert.deepEqual(await byReason('null'), []);
      assert.deepEqual(await byReason('\0'), [3]);
      assert.deepEqual(await byReason('\0B-C/D'), [3]);
    },
  },
  {
    name: 'pages come from either end of a range',
    async run(stores) {
      const drive = await indexed(
        stores,
        Array.from({ length: 10 }, (_, at) => ({ type: at % 2 ? 'odd' : 'even' })),
      );
      const { index } = stores;
      const range = { from: 2, to: 7 };
      assert.deepEqual(await find(stores, drive, {}, range, 'ASC', 3), [2, 3, 4]);
      assert.deepEqual(await find(stores, drive, {}, range, 'DESC', 3), [7, 6, 5]);
      assert.deepEqual(await find(stores, drive, { types: ['odd'] }, range, 'DESC', 9), [7, 5, 3]);
      assert.deepEqual(await find(stores, drive, {}, { from: 5, to: 4 }), []);
      assert.equal(await index.count(drive, { types: ['even'] }, range), 3);
    },
  },
  {
    name: 'events that are there already change nothing',
    async run({ index }) {
      const drive = freshDrive();
      const events = [entry(0, { resource_ids: ['a'], reason: 'x' }), entry(1)];
      await index.append(drive, indexText(events), { revision: 1, event_hash: hash() });
      await index.append(drive, indexText([...events, entry(2)]), {
        revision: 2,
        event_hash: hash(),
      });
      assert.deepEqual(await find({ index }, drive, {}), [0, 1, 2]);
      assert.equal(await index.count(drive, { resource_ids: ['a'] }, ALL), 1);
      assert.equal((await index.position(drive))?.revision, 2);
    },
  },
  {
    name: 'the position never goes back, also if a process that is behind takes in what is there',
    async run({ index }) {
      const drive = freshDrive();
      const events = [entry(0), entry(1), entry(2)];
      const event_hash = hash();
      await index.append(drive, indexText(events), { revision: 2, event_hash });
      await index.append(drive, indexText(events.slice(0, 2)), { revision: 1, event_hash: hash() });
      const position = await index.position(drive);
      assert.equal(position?.revision, 2);
      assert.deepEqual(Buffer.from(position.event_hash), Buffer.from(event_hash));
      assert.deepEqual(await find({ index }, drive, {}), [0, 1, 2]);
    },
  },
  {
    name: 'one index takes another’s place, or the place of none',
    async run(stores) {
      const { index } = stores;
      const old = await indexed(stores, [{ type: 'old', reason: 'old' }, { type: 'old' }]);
      const fresh = await indexed(stores, [{ type: 'fresh' }]);
      await index.replace(old, fresh);
      assert.deepEqual(await find({ index }, old, {}), [0]);
      assert.deepEqual(await find({ index }, old, { types: ['old'] }), []);
      assert.deepEqual(await find({ index }, old, { reason: 'old' }), []);
      assert.equal((await index.position(old))?.revision, 0);
      assert.equal(await index.position(fresh), null);
      const empty = freshDrive();
      await index.replace(empty, old);
      assert.deepEqual(await find({ index }, empty, { types: ['fresh'] }), [0]);
    },
  },
  {
    name: 'a dropped index is gone, others stay',
    async run(stores) {
      const { index } = stores;
      const drive = await indexed(stores, [{ resource_ids: ['a'] }]);
      const other = await indexed(stores, [{ resource_ids: ['a'] }]);
      await index.drop(drive);
      assert.equal(await index.position(drive), null);
      assert.deepEqual(await find({ index }, drive, { resource_ids: ['a'] }), []);
      assert.deepEqual(await find({ index }, other, { resource_ids: ['a'] }), [0]);
    },
  },
  {
    name: 'an index tells the first event that it has otherwise',
    async run({ index }) {
      const drive = freshDrive();
      const given = Array.from({ length: MANY }, (_, revision): Given => ({
        ...{ type: `T${revision % 3}`, actor: `a${revision % 5}`, command: `C${revision % 2}` },
        ...{ resource_ids: [`r${revision}`, `s${revision % 7}`], allowed_by: ['OWNER', 'g'] },
        reason: revision % 3 === 0 ? `Reason ${revision}` : null,
      }));
      const text = (from: number, to: number, changed: readonly Given[] = given): Uint8Array =>
        indexText(
          changed.slice(from, to + 1).map((one, nth): IndexedEvent => entry(from + nth, one)),
        );
      assert.equal(await index.firstDifference(drive, text(0, 9)), null);
      for (let from = 0; from < MANY; from += 3_000) {
        const revision = Math.min(MANY, from + 3_000) - 1;
        await index.append(drive, text(from, revision), { revision, event_hash: hash() });
      }
      assert.equal(await index.firstDifference(drive, text(0, MANY - 1)), null);
      assert.equal(await index.firstDifference(drive, text(130, 9_000)), null);
      const beyond = indexText([entry(MANY - 1, given[MANY - 1]), entry(MANY, { type: 'new' })]);
      assert.equal(await index.firstDifference(drive, beyond), null);
      const others: readonly Given[] = [
        ...[{ type: 'other' }, { actor: null }, { command: 'other' }, { correlation_id: 'other' }],
        ...[{ allowed_by: ['OWNER'] }, { reason: 'other' }, { resource_ids: [] }],
        { resource_ids: ['more'] },
      ];
      // Of texts with two differences the first one, also across the ends of blocks (`MANY`).
      for (const [revision, changes] of [
        [3, others],
        ...[8_193, 9_219, 9_342, MANY - 1].map((at, nth) => [at, [others[nth]]] as const),
      ] as const)
        for (const other of changes) {
          const [from, to] = [Math.max(0, revision - 5), Math.min(MANY - 1, revision + 5)];
          const last = given.with(to, { type: 'other too' });
          const changed = last.with(revision, { ...given[revision], ...other });
          assert.equal(await index.firstDifference(drive, text(from, to, changed)), revision);
        }
      const distant = given.with(MANY - 1, { type: 'other' }).with(3, { type: 'other' });
      assert.equal(await index.firstDifference(drive, text(0, MANY - 1, distant)), 3);
    },
  },
];
