import type { DatabaseSync } from 'node:sqlite';

import type { IndexEntry } from '../../event-index.js';
import { rows } from '../files/database.js';
import { blocksOf, bucketsBefore, digestOf, entryEnd, TERM_KINDS, termOf } from './index-blocks.js';
import type { IndexedDrive } from './index-search.js';
import { termsIn, termsListed } from './index-writer.js';

/** What the index has of one event. */
interface Stored {
  readonly digests: Set<string>;
  reason: string | null;
}

/** The first of some consecutive events that the index has otherwise than they are; null if there is none. */
export function firstDifferent(
  db: DatabaseSync,
  indexed: IndexedDrive,
  entries: readonly IndexEntry[],
): number | null {
  const shown = entries.filter(([revision]) => revision <= indexed.last);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return null;
  const stored = storedOf(db, indexed, first[0], last[0]);
  const digests = new Map<string, string>();
  const digestOnce = (term: string): string => {
    let digest = digests.get(term);
    if (digest === undefined) digests.set(term, (digest = digestOf(term)));
    return digest;
  };
  const different = shown.find((entry) => {
    const terms = termsIn(entry);
    const expected = new Set(
      TERM_KINDS.flatMap((kind) => terms[kind].map((text) => digestOnce(termOf(kind, text)))),
    );
    const found = stored[entry[0] - first[0]]!;
    const is_same = found.digests.size === expected.size && expected.isSubsetOf(found.digests);
    return !is_same || found.reason !== (entry[3].reason ?? null);
  });
  return different?.[0] ?? null;
}

/** What the index has of the events of a range, in their order. */
function storedOf(db: DatabaseSync, { drive, last }: IndexedDrive, from: number, to: number) {
  const stored = Array.from({ length: to - from + 1 }, (): Stored => ({
    digests: new Set(),
    reason: null,
  }));
  const bucket = rows(db, 'SELECT terms FROM buckets WHERE id = (?1 << 32) | ?2');
  for (const { first, size } of blocksOf(last + 1)) {
    if (first > to || first + size <= from) continue;
    const end = bucketsBefore(first + size);
    for (let number = bucketsBefore(first); number < end; number++) {
      const terms = bucket.maybe(drive, number)?.[0] as Uint8Array | undefined;
      if (terms) readBucket(Buffer.from(terms.buffer), first - from, stored);
    }
  }
  const within = 'WHERE drive = ? AND revision BETWEEN ? AND ?';
  const recent = rows(db, `SELECT revision, terms FROM recent ${within}`);
  for (const [revision, list] of recent.all(drive, from, to))
    for (const term of listIn(String(list)))
      stored[Number(revision) - from]!.digests.add(digestOf(String(term)));
  const reasons = rows(db, `SELECT revision, reason FROM reasons ${within}`);
  for (const [revision, reason] of reasons.all(drive, from, to))
    stored[Number(revision) - from]!.reason = String(reason);
  return stored;
}

/** The terms of an event without a block; none if the text is damaged. */
function listIn(list: string): readonly unknown[] {
  try {
    return termsListed(list);
  } catch {
    return [];
  }
}

/** @param shift index in `stored` of the first event of the block */
function readBucket(bucket: Buffer, shift: number, stored: readonly Stored[]): void {
  // The bytes are not trusted: they may end within an entry.
  for (let at = 0, end = 0; at + 20 <= bucket.length; at = end) {
    end = entryEnd(bucket, at);
    if (end > bucket.length) return;
    let digest: string | undefined;
    for (let place = at + 20; place < end; place += 2) {
      const nth = shift + bucket.readUInt16LE(place);
      // Reading an array out of its bounds is slow.
      if (nth < 0 || nth >= stored.length) continue;
      stored[nth]!.digests.add((digest ??= bucket.toString('latin1', at, at + 16)));
    }
  }
}
