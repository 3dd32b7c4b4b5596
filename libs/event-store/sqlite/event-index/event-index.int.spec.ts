import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';

import {
  type EventFilter,
  type IndexedEvent,
  indexText,
  type RevisionRange,
} from '../../event-index.js';
import { Background } from '../files/background.js';
import { SqliteEventIndex } from './event-index.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.contract.js';

const HASH = new Uint8Array(32);
const ALL = { from: 0, to: Infinity };

/** What is to be found of an event follows from its revision: some of it in every event, some in few, some in one. */
function factsOf(revision: number) {
  const [a, b] = [`a${revision % 1000}`, `b${Math.floor(revision / 9000)}`];
  return {
    type: `T${revision % 6}`,
    actor: revision % 7 ? `u${revision % 5}` : null,
    allowed_by: revision % 3 ? ['OWNER'] : ['OWNER', `g${revision % 2}`],
    command: `C${revision % 4}`,
    correlation_id: `r "${revision >> 1},`,
    reason: revision % 50 ? null : `Ticket ${revision}`,
    resource_ids: [a, b, a],
  };
}

function entry(revision: number): IndexedEvent {
  const { type, actor, resource_ids, ...others } = factsOf(revision);
  const metadata = JSON.stringify({ actor: { user_id: actor }, ...others });
  return { revision, type, metadata, resource_ids };
}

const entries = (from: number, to: number): Uint8Array =>
  indexText(Array.from({ length: to - from }, (_, at) => entry(from + at)));

type Facts = ReturnType<typeof factsOf>;

/** Revisions that are to be found. */
function expected(all: readonly Facts[], filter: EventFilter, { from, to }: RevisionRange) {
  const { resource_ids, actors, types, command, correlation_id, allowed_by, reason } = filter;
  const found: number[] = [];
  for (let revision = from; revision <= Math.min(to, all.length - 1); revision++) {
    const facts = all[revision]!;
    const text = facts.reason?.toLowerCase() ?? '';
    if (
      (!resource_ids || facts.resource_ids.some((id) => resource_ids.includes(id))) &&
      (!actors || (facts.actor !== null && actors.includes(facts.actor))) &&
      (!types || types.includes(facts.type)) &&
      (command === undefined || facts.command === command) &&
      (correlation_id === undefined || facts.correlation_id === correlation_id) &&
      (allowed_by === undefined || facts.allowed_by.includes(allowed_by)) &&
      (reason === undefined || text.includes(reason.toLowerCase()))
    )
      found.push(revision);
  }
  return found;
}

async function append(index: SqliteEventIndex, from: number, to: number): Promise<void> {
  await index.append('d', entries(from, to), { revision: to - 1, event_hash: HASH });
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const name = (prefix: string, most: number) => fc.nat(most).map((n) => `${prefix}${n}`);
const filters: fc.Arbitrary<EventFilter> = fc
  .record({
    resource_ids: maybe(
      fc.oneof(
        fc.array(fc.oneof(name('a', 1001), name('b', 8)), { maxLength: 3, size: 'max' }),
        fc.array(name('a', 1001), { minLength: 33, maxLength: 60, size: 'max' }),
      ),
    ),
    actors: maybe(fc.array(name('u', 5), { maxLength: 3, size: 'max' })),
    types: maybe(fc.array(name('T', 6), { maxLength: 3, size: 'max' })),
    command: maybe(name('C', 4)),
    correlation_id: maybe(fc.nat(40_000).map((n) => `r "${n},`)),
    allowed_by: maybe(fc.constantFrom('OWNER', 'g0', 'g1', 'none')),
    reason: maybe(fc.constantFrom('ticket', 'TICKET 1', '00')),
  })
  .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, given]) => given)));

describe('the index of events in a file', () => {
  let folder: string;
  let path: string;
  let background: Background;
  let index: SqliteEventIndex;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, 'index.db');
    background = new Background();
    index = new SqliteEventIndex(path, background);
  });
  afterEach(async () => {
    await background.close();
    index.close();
    removeFolder(folder);
  });
  const held = () => {
    const db = new DatabaseSync(path, { readOnly: true });
    const all = ['drives', 'buckets', 'recent', 'reasons'].map((table) =>
      db.prepare(`SELECT * FROM ${table}`).all(),
    );
    db.close();
    return all;
  };

  it('finds what is there, over blocks of every size and events in none', async () => {
    const events = 65_536 + 2 * 8_192 + 3 * 1_024 + 5 * 128 + 77;
    for (let from = 0; from < events; from += 5_000)
      await append(index, from, Math.min(from + 5_000, events));
    const facts = Array.from({ length: events }, (_, revision) => factsOf(revision));
    const revision = fc.oneof(
      fc.nat(events + 5),
      fc.nat(200).map((n) => events - n),
    );
    const limits = fc.integer({ min: 1, max: 200 });
    const ways = fc.constantFrom('ASC', 'DESC');
    await fc.assert(
      fc.asyncProperty(
        filters,
        revision,
        maybe(revision),
        ways,
        limits,
        async (filter, from, length, way, limit) => {
          const range = { from, to: length === undefined ? Infinity : from + length };
          const all = expected(facts, filter, range);
          const ordered = way === 'ASC' ? all : all.toReversed();
          const found = await index.find('d', filter, range, way, limit);
          expect(found).toEqual(ordered.slice(0, limit));
          expect(await index.count('d', filter, range)).toBe(all.length);
          const { types: _, ...others } = filter;
          const of_any = expected(facts, others, range);
          const types = ['T4', 'T0', 'none', 'T3', 'T1', 'T2', 'T5'];
          expect(await index.countTypes('d', others, types, range)).toEqual(
            types.map((type) => of_any.filter((at) => facts[at]!.type === type).length),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is the same in whatever pieces the events came', async () => {
    const events = 8_192 + 1_024 + 128 + 5;
    await append(index, 0, events);
    const [drives, buckets, ...others] = held();
    await index.drop('d');
    expect(held().flat()).toEqual([]);
    let from = 0;
    for (const piece of [1, 1_000, 22, 1, 1, 3_000, 1_023, 4_100, 100, events - 9_248]) {
      await append(index, from, from + piece);
      from += piece;
    }
    // Some of them are there already.
    await append(index, 9_000, events);
    await append(index, 0, events);
    const [drives_then, buckets_then, ...others_then] = held();
    expect(drives_then).toEqual(drives);
    expect(others_then).toEqual(others);
    expect(buckets).toHaveLength((8_192 + 1_024 + 128) / 32);
    expect(buckets_then).toHaveLength(buckets!.length);
    const facts = Array.from({ length: events }, (_, revision) => factsOf(revision));
    for (const id of ['a3', 'a999', 'b0', 'b1']) {
      const filter = { resource_ids: [id] };
      const found = await index.find('d', filter, ALL, 'ASC', events);
      expect(found).toEqual(expected(facts, filter, ALL));
    }
  });

  it('takes in no events that do not follow those it holds', async () => {
    await append(index, 0, 3);
    await expect(append(index, 4, 5)).rejects.toThrow('do not lead from 3');
    expect((await index.position('d'))?.revision).toBe(2);
  });

  it('keeps the buckets of drives apart', async () => {
    await append(index, 0, 1_024);
    await index.append('e', entries(0, 1_030), { revision: 1_029, event_hash: HASH });
    const find = (drive: string) => index.find(drive, { resource_ids: ['a7'] }, ALL, 'ASC', 9);
    expect(await find('d')).toEqual([7, 1_007]);
    await index.replace('d', 'e');
    expect(await find('d')).toEqual([7, 1_007]);
    expect(await find('e')).toEqual([]);
    expect(await index.count('d', {}, ALL)).toBe(1_030);
  });

  describe('with many terms', () => {
    const ids = Array.from({ length: 900 }, (_, nth) => `a${nth}`);
    const none = Array.from({ length: 100 }, (_, nth) => `none${nth}`);
    /** Two blocks of each size but the largest; of 32 events each bucket. */
    const events = 2 * (8_192 + 1_024 + 128) + 5;
    const buckets = Math.floor(events / 32);
    const blocks = 6;

    beforeEach(() => append(index, 0, events));
    afterEach(() => {
      jest.restoreAllMocks();
    });

    /** How often a row was read by its key: a drive's position or a bucket. */
    const readsOf = async (ask: () => Promise<unknown>): Promise<number> => {
      const reads = jest.spyOn(StatementSync.prototype, 'get');
      await ask();
      const { length } = reads.mock.calls;
      reads.mockRestore();
      return length;
    };
    const positions = blocks + 2;

    it('reads no bucket twice, and the events in no block by one statement', async () => {
      const all = jest.spyOn(StatementSync.prototype, 'all');
      const filter = { resource_ids: ids };
      expect(await readsOf(() => index.count('d', filter, ALL))).toBeLessThanOrEqual(
        buckets + positions,
      );
      expect(all).toHaveBeenCalledTimes(1);
    });

    it('counts types that do not occur in one pass', async () => {
      const all = jest.spyOn(StatementSync.prototype, 'all');
      const small = { from: 2 * (8_192 + 1_024), to: Infinity };
      const counts = () => index.countTypes('d', {}, none, small);
      // Two blocks of 128 events, with 4 buckets each.
      expect(await readsOf(counts)).toBeLessThanOrEqual(2 * 4 + positions);
      expect(all).toHaveBeenCalledTimes(1);
    });

    it('lets the event loop turn between blocks', async () => {
      for (const ask of [
        () => index.find('d', { resource_ids: none }, ALL, 'DESC', 9),
        () => index.count('d', { actors: none }, ALL),
        () => index.countTypes('d', {}, none, ALL),
      ]) {
        let [turns, is_over] = [0, false];
        const turn = (): void => void (!is_over && ++turns && setImmediate(turn));
        setImmediate(turn);
        await ask();
        is_over = true;
        expect(turns).toBeGreaterThanOrEqual(blocks);
      }
    });
  });
});
