import type { DatabaseSync } from 'node:sqlite';

import type { EventFilter, RevisionRange } from '../../event-index.js';
import { rows } from '../files/database.js';
import {
  type Block,
  blocksOf,
  bucketIn,
  digestOf,
  LookedUp,
  termOf,
  type TermKind,
  unpackedPlaces,
} from './index-blocks.js';
import { anyListed, typeIn } from './index-writer.js';

/** Bytes of an event's position in a bucket. */
const BYTES_PER_PLACE = 2;

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
  const looked_up = conditions.map(
    ({ kind, among }) => new LookedUp(new Set(among.map((text) => digestOf(termOf(kind, text))))),
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

/** Adds the numbers of matching events of each of these types to those counted before. */
export function countTypes(
  db: DatabaseSync,
  indexed: IndexedDrive,
  filter: Omit<EventFilter, 'types'>,
  counts: Map<string, number>,
  range: RevisionRange,
): void {
  const { drive, last } = indexed;
  const is_any = Object.values(filter).every((value) => value === undefined);
  const matching = ({ from, to }: RevisionRange): Generator<number> =>
    revisionsOf(db, indexed, filter, { from, to }, 'ASC');
  const bucket = rows(db, 'SELECT terms FROM buckets WHERE id = (?1 << 32) | ?2');
  const add = (type: string, count: number): void =>
    void counts.set(type, counts.get(type)! + count);
  let in_blocks = 0;
  const digests = new Map([...counts.keys()].map((type) => [digestOf(termOf('type', type)), type]));
  const looked_up = new LookedUp(new Set(digests.keys()));
  for (const block of blocksOf(last + 1)) {
    const { first, size } = block;
    in_blocks = first + size;
    const from = Math.max(first, range.from);
    const to = Math.min(in_blocks - 1, range.to);
    if (from > to) continue;
    const chosen = is_any && to - from + 1 === size ? null : new Uint8Array(size);
    let left = chosen ? 0 : size;
    for (const revision of chosen ? matching({ from, to }) : []) {
      chosen![revision - first] = 1;
      left++;
    }
    // A block likely has the same types as the one before, and is done once they are counted.
    const searched = [...digests].toSorted(([, a], [, b]) => counts.get(b)! - counts.get(a)!);
    const numbers = new Set(searched.map(([digest]) => bucketIn(block, digest)));
    for (const number of numbers) {
      // Each event has one type.
      if (left === 0) break;
      const bytes = Buffer.from((bucket.get(drive, number)[0] as Uint8Array).buffer);
      for (const { digest, places } of looked_up.entriesIn(bytes)) {
        const count = chosen
          ? unpackedPlaces([places]).filter((place) => chosen[place]).length
          : places.length / BYTES_PER_PLACE;
        add(digests.get(digest)!, count);
        left -= count;
      }
    }
  }
  const recent = { from: Math.max(range.from, in_blocks), to: range.to };
  if (recent.from > recent.to) return;
  const chosen = new Set(matching(recent));
  const query = rows(
    db,
    'SELECT revision, terms FROM recent WHERE drive = ? AND revision BETWEEN ? AND ?',
  );
  for (const [revision, terms] of query.all(drive, recent.from, recent.to)) {
    if (!chosen.has(Number(revision))) continue;
    const type = typeIn(String(terms));
    if (counts.has(type)) add(type, 1);
  }
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
  const has = conditions.map(({ kind, among }) => anyListed(kind, among));
  const query = rows(
    db,
    `SELECT revision, terms FROM recent WHERE drive = ? AND revision BETWEEN ? AND ?
     ORDER BY revision ${direction}`,
  );
  for (const [revision, terms] of query.all(drive, from, to))
    if (has.every((hasOne) => hasOne(String(terms))) && matches(Number(revision)))
      yield Number(revision);
}

/**
 * Revisions in order.
 * @param looked_up of each, one term must match
 * @param bucket reads a bucket of the drive
 */
function inBlock(
  block: Block,
  looked_up: readonly LookedUp[],
  bucket: (number: number) => Buffer,
): number[] {
  const { first, size } = block;
  const places: Buffer[][] = [];
  for (const terms of looked_up) {
    const numbers = new Set([...terms.digests].map((digest) => bucketIn(block, digest)));
    const found = [...numbers]
      .flatMap((number) => terms.entriesIn(bucket(number)))
      .map((entry) => entry.places);
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
  if (looked_up.some(({ digests }) => digests.size > 1))
    common = [...new Set(common)].toSorted((a, b) => a - b);
  return common.map((place) => first + place);
}

function bytesOf(lists: readonly Buffer[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}
