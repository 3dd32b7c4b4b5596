import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import type { EventFilter, RevisionRange } from '../../event-index.js';
import { rows } from '../files/database.js';
import {
  type Block,
  blocksOf,
  bucketOf,
  bucketsBefore,
  digestOf,
  packedPlaces,
  termOf,
  type TermKind,
  unpackedPlaces,
} from './index-blocks.js';
import { listed } from './index-writer.js';

/** The number of a drive and its last indexed event. */
export interface IndexedDrive {
  readonly drive: number;
  readonly last: number;
}

/** One of the terms must match. */
interface Condition {
  readonly kind: TermKind;
  readonly among: readonly string[];
}

function only(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : [text];
}

/** Likely the most selective first: if it does not match, the others are not read. */
function conditionsOf(filter: EventFilter): Condition[] {
  const { resource_ids, correlation_id, allowed_by, actors, command, types } = filter;
  const all: [TermKind, readonly string[] | undefined][] = [
    ['resource', resource_ids],
    ['correlation', only(correlation_id)],
    ['allowed_by', only(allowed_by)],
    ['actor', actors],
    ['command', only(command)],
    ['type', types],
  ];
  return all.flatMap(([kind, among]) => (among ? [{ kind, among }] : []));
}

/**
 * Revisions of the matching events, lazily.
 * @param range within the index
 */
export function* revisionsOf(
  db: DatabaseSync,
  { drive, last }: IndexedDrive,
  filter: EventFilter,
  range: RevisionRange,
  direction: 'ASC' | 'DESC',
): Generator<number, undefined> {
  const conditions = conditionsOf(filter);
  const { reason } = filter;
  if (conditions.length === 0) {
    if (reason === undefined) yield* everyOne(range, direction);
    else yield* withReason(db, drive, reason, range, direction);
    return;
  }
  const is_down = direction === 'DESC';
  const blocks = blocksOf(last + 1);
  const in_blocks = blocks.reduce((_, { first, size }) => first + size, 0);
  const recent = { from: Math.max(range.from, in_blocks), to: range.to };
  const bucket = rows(db, 'SELECT terms FROM buckets WHERE id = (?1 << 32) | ?2');
  const reasoned = rows(
    db,
    'SELECT 1 FROM reasons WHERE drive = ? AND revision = ? AND instr(folded(reason), ?) > 0',
  );
  const matches = (revision: number): boolean =>
    reason === undefined || reasoned.maybe(drive, revision, reason.toLowerCase()) !== undefined;
  const looked_up = conditions.map(({ kind, among }) =>
    among.map((text) => digestOf(termOf(kind, text))),
  );
  if (is_down) yield* recentOnes(db, drive, conditions, recent, direction, matches);
  for (const block of is_down ? blocks.toReversed() : blocks) {
    if (block.first > range.to || block.first + block.size <= range.from) continue;
    const found = inBlock(block, looked_up, (number) =>
      Buffer.from((bucket.get(drive, number)[0] as Uint8Array).buffer),
    );
    for (const revision of is_down ? found.toReversed() : found)
      if (revision >= range.from && revision <= range.to && matches(revision)) yield revision;
  }
  if (!is_down) yield* recentOnes(db, drive, conditions, recent, direction, matches);
}

/** Number of matching events. */
export function countOf(
  db: DatabaseSync,
  drive: IndexedDrive,
  filter: EventFilter,
  range: RevisionRange,
): number {
  if (conditionsOf(filter).length === 0 && filter.reason === undefined)
    return Math.max(0, range.to - range.from + 1);
  return revisionsOf(db, drive, filter, range, 'ASC').reduce((count) => count + 1, 0);
}

function* everyOne({ from, to }: RevisionRange, direction: 'ASC' | 'DESC'): Generator<number> {
  if (direction === 'ASC') for (let at = from; at <= to; at++) yield at;
  else for (let at = to; at >= from; at--) yield at;
}

function* withReason(
  db: DatabaseSync,
  drive: number,
  reason: string,
  { from, to }: RevisionRange,
  direction: 'ASC' | 'DESC',
): Generator<number> {
  const query = db.prepare(
    `SELECT revision FROM reasons WHERE drive = ? AND revision BETWEEN ? AND ?
     AND instr(folded(reason), ?) > 0 ORDER BY revision ${direction}`,
  );
  for (const { revision } of query.iterate(drive, from, to, reason.toLowerCase()))
    yield Number(revision);
}

/** Matches among the events without a block. */
function* recentOnes(
  db: DatabaseSync,
  drive: number,
  conditions: readonly Condition[],
  { from, to }: RevisionRange,
  direction: 'ASC' | 'DESC',
  matches: (revision: number) => boolean,
): Generator<number> {
  if (from > to) return;
  const where: string[] = [];
  const values: SQLInputValue[] = [];
  for (const { kind, among } of conditions) {
    where.push(`(${among.map(() => 'instr(terms, ?) > 0').join(' OR ') || 'FALSE'})`);
    values.push(...among.map((text) => listed(kind, text)));
  }
  const query = rows(
    db,
    `SELECT revision FROM recent WHERE drive = ? AND revision BETWEEN ? AND ?
     AND ${where.join(' AND ')} ORDER BY revision ${direction}`,
  );
  for (const [revision] of query.all(drive, from, to, ...values))
    if (matches(Number(revision))) yield Number(revision);
}

/**
 * Revisions in order.
 * @param looked_up digests of the terms; of each list, one must match
 * @param bucket reads a bucket of the drive
 */
function inBlock(
  { first, size }: Block,
  looked_up: readonly (readonly string[])[],
  bucket: (number: number) => Buffer,
): number[] {
  const places: Buffer[][] = [];
  for (const digests of looked_up) {
    const found = digests.flatMap((digest) => {
      const number = bucketsBefore(first) + bucketOf(digest, bucketsBefore(size));
      return packedPlaces(bucket(number), digest);
    });
    if (found.length === 0) return [];
    places.push(found);
  }
  const [fewest, ...others] = places.toSorted((a, b) => bytesOf(a) - bytesOf(b));
  let common = unpackedPlaces(fewest!);
  for (const lists of others) {
    const is_there = new Uint8Array(size);
    for (const place of unpackedPlaces(lists)) is_there[place] = 1;
    common = common.filter((place) => is_there[place]);
  }
  // With several terms, their events are not in common order.
  if (looked_up.some(({ length }) => length > 1))
    common = [...new Set(common)].toSorted((a, b) => a - b);
  return common.map((place) => first + place);
}

function bytesOf(lists: readonly Buffer[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}
