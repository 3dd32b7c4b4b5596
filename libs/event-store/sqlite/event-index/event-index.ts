import type { DatabaseSync } from 'node:sqlite';
import {
  entriesIn,
  type EventFilter,
  type EventIndex,
  type IndexPosition,
  type RevisionRange,
} from '../../event-index.js';
import { type Background, CacheFile } from '../files/background.js';
import { inTransaction, records, rows } from '../files/database.js';
import type { Statement } from '../files/changes.js';
import { blocksOf } from './index-blocks.js';
import { firstDifferent } from './index-comparison.js';
import { countOf, countTypes, type IndexedDrive, revisionsOf } from './index-search.js';

/** Drives have numbers; a drive's index is replaced by renumbering another one. */
const INDEX_FILE = {
  schema_version: 4,
  schema: `
    CREATE TABLE drives (
      drive INTEGER PRIMARY KEY,
      drive_id TEXT NOT NULL UNIQUE,
      revision INTEGER NOT NULL,
      event_hash BLOB NOT NULL
    ) STRICT;
    -- Of a drive's blocks, one behind the other; ids are (drive << 32) | number.
    CREATE TABLE buckets (
      id INTEGER PRIMARY KEY,
      terms BLOB NOT NULL
    ) STRICT;
    -- Events behind the last block, with their terms as JSON texts, each with a comma before it.
    CREATE TABLE recent (
      drive INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      terms TEXT NOT NULL,
      PRIMARY KEY (drive, revision)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reasons (
      drive INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (drive, revision)
    ) STRICT, WITHOUT ROWID;`,
  connected: (db: DatabaseSync) =>
    db.function('folded', { deterministic: true }, (text) => String(text).toLowerCase()),
};

/** Revisions whose reasons are compared in one turn of the event loop: 1,000 take some 1.3 ms. */
const REASONS_AT_ONCE = 10_000;

/** Terms that are looked up in all blocks in one turn of the event loop; more are looked up in one block per turn. */
const TERMS_AT_ONCE = 32;

/** The event index in its own file, `index.db`: a cache like `snapshots.db`, written in the background. */
export class SqliteEventIndex extends CacheFile implements EventIndex {
  /** Those of a block, so that it need not be merged from smaller ones. */
  readonly append_events = 8192;

  /** @param background null to open read-only */
  constructor(path: string, background: Background | null) {
    super(path, background, INDEX_FILE);
  }

  async position(drive_id: string): Promise<IndexPosition | null> {
    const query = 'SELECT revision, event_hash FROM drives WHERE drive_id = ?';
    const db = await this.connection();
    return db && records(db, query).maybe(drive_id);
  }

  async append(
    drive_id: string,
    text: Uint8Array,
    { revision, event_hash }: IndexPosition,
  ): Promise<void> {
    await this.write([{ index: { drive_id, revision, event_hash, text } }], [text]);
  }

  async find(
    drive_id: string,
    filter: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<readonly number[]> {
    const found: number[] = [];
    for await (const part of this.parts(drive_id, filter, range, direction)) {
      const more = await this.ask(drive_id, part, (db, drive, within) => [
        ...revisionsOf(db, drive, filter, within, direction).take(limit - found.length),
      ]);
      if (more) found.push(...more);
      if (found.length === limit) break;
    }
    return found;
  }

  async count(drive_id: string, filter: EventFilter, range: RevisionRange): Promise<number> {
    let count = 0;
    for await (const part of this.parts(drive_id, filter, range))
      count +=
        (await this.ask(drive_id, part, (db, drive, within) =>
          countOf(db, drive, filter, within),
        )) ?? 0;
    return count;
  }

  async countTypes(
    drive_id: string,
    filter: Omit<EventFilter, 'types'>,
    types: readonly string[],
    range: RevisionRange,
  ): Promise<readonly number[]> {
    const counts = new Map(types.map((type) => [type, 0]));
    for await (const part of this.parts(drive_id, { ...filter, types }, range))
      await this.ask(drive_id, part, (db, drive, within) =>
        countTypes(db, drive, filter, counts, within),
      );
    return types.map((type) => counts.get(type)!);
  }

  async firstDifference(drive_id: string, text: Uint8Array): Promise<number | null> {
    const entries = entriesIn(text);
    const [from, to] = [entries[0]?.[0] ?? 0, entries.at(-1)?.[0] ?? -1];
    const compare = (db: DatabaseSync, drive: IndexedDrive) => firstDifferent(db, drive, entries);
    return (await this.ask(drive_id, { from, to }, compare)) ?? null;
  }

  async replace(drive_id: string, by_drive_id: string): Promise<void> {
    await this.write([
      ...dropping(drive_id),
      {
        sql: 'UPDATE drives SET drive_id = ? WHERE drive_id = ?',
        values: [drive_id, by_drive_id],
      },
    ]);
  }

  async drop(drive_id: string): Promise<void> {
    await this.write(dropping(drive_id));
  }

  /** The parts of a range that are searched in one turn each. */
  private async *parts(
    drive_id: string,
    { reason, resource_ids = [], actors = [], types = [] }: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC' = 'ASC',
  ): AsyncGenerator<RevisionRange, void> {
    const terms = resource_ids.length + actors.length + types.length;
    if (reason === undefined && terms <= TERMS_AT_ONCE) return yield range;
    const parts = await this.ask(drive_id, range, (_db, { last }, within) =>
      partsOf(within, reason === undefined ? blockEnds(last) : reasonEnds(within)),
    );
    if (!parts) return;
    for (const part of direction === 'ASC' ? parts : parts.toReversed()) {
      yield part;
      await new Promise(setImmediate);
    }
  }

  /** Undefined without an index. */
  private async ask<T>(
    drive_id: string,
    { from, to }: RevisionRange,
    answer: (db: DatabaseSync, drive: IndexedDrive, within: RevisionRange) => T,
  ): Promise<T | undefined> {
    const db = await this.connection();
    if (!db) return undefined;
    const asked = (): T | undefined => {
      const query = 'SELECT drive, revision FROM drives WHERE drive_id = ?';
      const row = rows(db, query).maybe(drive_id);
      if (!row) return undefined;
      const [drive, last] = row as [number, number];
      const within = { from: Math.max(0, from), to: Math.min(last, to) };
      return answer(db, { drive, last }, within);
    };
    // A consistent view: blocks are merged concurrently.
    return inTransaction(db, asked, 'DEFERRED');
  }
}

/** The first revisions after each block. */
function blockEnds(last: number): number[] {
  return blocksOf(last + 1).map(({ first, size }) => first + size);
}

/** The first revisions after as many reasons as are compared at once. */
function reasonEnds({ from, to }: RevisionRange): number[] {
  const count = Math.max(0, Math.ceil((to - from) / REASONS_AT_ONCE));
  return Array.from({ length: count }, (_, nth) => from + (nth + 1) * REASONS_AT_ONCE);
}

/** Splits a range before these revisions, which ascend. */
function partsOf({ from, to }: RevisionRange, at: readonly number[]): RevisionRange[] {
  const firsts = [from, ...at.filter((revision) => revision > from && revision <= to)];
  return firsts
    .map((first, nth) => ({ from: first, to: (firsts[nth + 1] ?? to + 1) - 1 }))
    .filter((part) => part.from <= part.to);
}

function dropping(drive_id: string): Statement[] {
  const drive = '(SELECT drive FROM drives WHERE drive_id = ?1)';
  return [
    {
      sql: `DELETE FROM buckets WHERE id BETWEEN ${drive} << 32 AND (${drive} + 1 << 32) - 1`,
      values: [drive_id],
    },
    { sql: `DELETE FROM recent WHERE drive = ${drive}`, values: [drive_id] },
    { sql: `DELETE FROM reasons WHERE drive = ${drive}`, values: [drive_id] },
    { sql: 'DELETE FROM drives WHERE drive_id = ?1', values: [drive_id] },
  ];
}
