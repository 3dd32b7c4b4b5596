import type { StatementSync } from 'node:sqlite';

import { entriesIn } from '../../event-index.js';
import {
  BLOCK_SIZES,
  bucketsBefore,
  merged,
  packed,
  TERM_KINDS,
  termOf,
  type TermKind,
  type Terms,
} from './index-blocks.js';

/** Prepares a statement, or returns the prepared one. */
type Prepare = (sql: string) => StatementSync;

/** Events to be added to the index of a drive. */
export interface IndexChunk {
  readonly drive_id: string;
  /** Revision of the last event. */
  readonly revision: number;
  readonly event_hash: Uint8Array;
  /** See `IndexText`. */
  readonly text: Uint8Array;
}

type Entry = readonly [
  revision: number,
  type: string,
  resource_ids: readonly string[],
  metadata: {
    readonly actor?: { readonly user_id?: string | null } | null;
    readonly command?: string | null;
    readonly correlation_id?: string | null;
    readonly allowed_by?: readonly string[] | null;
    readonly reason?: string | null;
  },
];

/** The text as a list, empty if it is missing. */
function given(text: string | null | undefined): string[] {
  return text === null || text === undefined ? [] : [text];
}

export function termsIn([, type, resource_ids, metadata]: Entry): Terms {
  const { actor, command, correlation_id, allowed_by } = metadata;
  return {
    resource: resource_ids,
    correlation: given(correlation_id),
    allowed_by: allowed_by ?? [],
    actor: given(actor?.user_id),
    command: given(command),
    type: [type],
  };
}

/** A term as stored for an event without a block: unique for kind and text. */
export function listed(kind: TermKind, text: string): string {
  return `,${JSON.stringify(termOf(kind, text))}`;
}

/** Start of the first term from `at` on, in the terms of an event as stored without a block; else their end. */
function nextTerm(list: string, at: number): number {
  // A quotation mark within a text has a backslash before it. The one after a text may have a comma before it.
  let next = list.indexOf(',"', at);
  while (next !== -1 && (next + 2 === list.length || list[next + 2] === ','))
    next = list.indexOf(',"', next + 2);
  return next === -1 ? list.length : next;
}

/** Finds out whether an event without a block has one of some terms, from its terms as stored. */
export function anyListed(kind: TermKind, among: readonly string[]): (list: string) => boolean {
  const wanted = new Set(among.map((text) => listed(kind, text)));
  // Few terms have one of these lengths; the others need not be hashed.
  const lengths = new Set([...wanted].map(({ length }) => length));
  return (list) => {
    for (let at = 0, end = 0; at < list.length; at = end) {
      end = nextTerm(list, at + 1);
      if (lengths.has(end - at) && wanted.has(list.slice(at, end))) return true;
    }
    return false;
  };
}

/** The type of an event, from its terms as stored without a block; it is the last of them. */
export function typeIn(list: string): string {
  const term = list.slice(list.lastIndexOf(',"type ') + 1);
  return (JSON.parse(term) as string).slice('type '.length);
}

function listOf(terms: Terms): string {
  return TERM_KINDS.flatMap((kind) => terms[kind].map((text) => listed(kind, text))).join('');
}

/** The terms of an event as stored without a block. */
export function termsListed(list: string): string[] {
  return JSON.parse(`[${list.slice(1)}]`) as string[];
}

function termsOfList(list: string): Terms {
  const terms = Object.fromEntries(TERM_KINDS.map((kind) => [kind, [] as string[]]));
  for (const term of termsListed(list)) {
    const blank = term.indexOf(' ');
    terms[term.slice(0, blank)]!.push(term.slice(blank + 1));
  }
  return terms as unknown as Terms;
}

function putBuckets(prepare: Prepare, drive: number, first: number, buckets: readonly Buffer[]) {
  const put = prepare('INSERT OR REPLACE INTO buckets (id, terms) VALUES ((?1 << 32) | ?2, ?3)');
  let number = bucketsBefore(first);
  for (const bucket of buckets) put.run(drive, number++, bucket);
}

/** Replaces the blocks from `first` on, which fill a larger one, by that block. */
function mergeBlocks(prepare: Prepare, drive: number, first: number, size: number, of: number) {
  const buckets = prepare(
    'SELECT terms FROM buckets WHERE id BETWEEN (?1 << 32) | ?2 AND (?1 << 32) | ?3 ORDER BY id',
  )
    .all(drive, bucketsBefore(first), bucketsBefore(first + size) - 1)
    .map(({ terms }) => Buffer.from((terms as Uint8Array).buffer));
  const each = bucketsBefore(of);
  const blocks = Array.from({ length: size / of }, (_, nth) =>
    buckets.slice(nth * each, (nth + 1) * each),
  );
  putBuckets(prepare, drive, first, merged(blocks, size));
}

/** Adds events and advances the drive's position; existing ones change nothing. */
export function appendToIndex(
  prepare: Prepare,
  { drive_id, revision, event_hash, text }: IndexChunk,
): void {
  const known = prepare('SELECT drive, revision FROM drives WHERE drive_id = ?').get(drive_id);
  const next = known ? Number(known['revision']) + 1 : 0;
  const entries: Entry[] = entriesIn(text).filter(([at]) => at >= next);
  if (entries.length === 0) return;
  if (entries[0]![0] !== next || entries.at(-1)![0] !== revision)
    throw new Error(`events ${entries[0]![0]} to ${entries.at(-1)![0]} do not lead from ${next}`);
  const { drive } = prepare(
    `INSERT INTO drives (drive_id, revision, event_hash) VALUES (?, ?, ?)
     ON CONFLICT (drive_id) DO UPDATE
     SET revision = excluded.revision, event_hash = excluded.event_hash
     RETURNING drive`,
  ).get(drive_id, revision, event_hash) as { drive: number };

  const addReason = prepare('INSERT INTO reasons (drive, revision, reason) VALUES (?, ?, ?)');
  for (const [at, , , { reason }] of entries)
    if (reason !== null && reason !== undefined) addReason.run(drive, at, reason);

  const smallest = BLOCK_SIZES.at(-1)!;
  const terms = entries.map(termsIn);
  let first = next - (next % smallest);
  if (revision + 1 - first >= smallest) {
    const recent = prepare('SELECT terms FROM recent WHERE drive = ? ORDER BY revision').all(drive);
    terms.unshift(...recent.map((row) => termsOfList(String(row['terms']))));
    let at = 0;
    const fits = (size: number): boolean => first % size === 0 && at + size <= terms.length;
    for (let size = BLOCK_SIZES.find(fits); size; size = BLOCK_SIZES.find(fits)) {
      putBuckets(prepare, drive, first, packed(terms.slice(at, at + size)));
      at += size;
      first += size;
      for (const larger of BLOCK_SIZES.slice(0, BLOCK_SIZES.indexOf(size)).toReversed()) {
        if (first % larger !== 0) break;
        mergeBlocks(prepare, drive, first - larger, larger, size);
        size = larger;
      }
    }
    terms.splice(0, at);
    prepare('DELETE FROM recent WHERE drive = ?').run(drive);
  }
  const addRecent = prepare('INSERT INTO recent (drive, revision, terms) VALUES (?, ?, ?)');
  const waiting = revision + 1 - terms.length;
  for (const [at, of] of terms.entries()) addRecent.run(drive, waiting + at, listOf(of));
}
