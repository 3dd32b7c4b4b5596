import { hash } from 'node:crypto';

/*
 * The event index consists of blocks. 128 events form a block; eight blocks that fill a larger one are merged into
 * it. The set of blocks therefore depends only on the number of events.
 *
 * A block has a bucket for every 32 of its events; the digest of a term selects its bucket. A bucket is a list of
 * entries: the term's digest (16 bytes), a number of events (4 bytes), and the position of each in the block (2
 * bytes; numbers are little-endian). A term may have several entries, those of earlier events first.
 */

export type TermKind = 'resource' | 'correlation' | 'allowed_by' | 'actor' | 'command' | 'type';

/** The terms under which an event is indexed. */
export type Terms = Readonly<Record<TermKind, readonly string[]>>;

/** All kinds of terms, the most selective ones first. */
export const TERM_KINDS: readonly TermKind[] = [
  'resource',
  'correlation',
  'allowed_by',
  'actor',
  'command',
  'type',
];

/** The `size` events from `first` on. */
export interface Block {
  readonly first: number;
  readonly size: number;
}

/** The text that is digested; the kind is part of it. */
export function termOf(kind: TermKind, text: string): string {
  return `${kind} ${text}`;
}

/** Sizes of blocks, the largest first. Positions in the largest just fit 2 bytes. */
export const BLOCK_SIZES: readonly number[] = [65_536, 8_192, 1_024, 128];

/** The blocks of the first so many events, in order; events after the last block are in none yet. */
export function blocksOf(events: number): Block[] {
  const blocks: Block[] = [];
  let first = 0;
  for (const size of BLOCK_SIZES)
    for (; first + size <= events; first += size) blocks.push({ first, size });
  return blocks;
}

/** Number of buckets before those of the block that begins with an event. */
export function bucketsBefore(event: number): number {
  return event / 32;
}

/** 16 bytes as text of as many characters. */
export function digestOf(term: string): string {
  return hash('sha256', term, 'binary').slice(0, 16);
}

/** Number of the bucket of a term in a block, among those of the drive. */
export function bucketIn({ first, size }: Block, digest: string): number {
  return bucketsBefore(first) + bucketOf(digest, bucketsBefore(size));
}

/** The bucket of a term. */
function bucketOf(digest: string, buckets: number): number {
  return (((digest.charCodeAt(0) << 8) | digest.charCodeAt(1)) * buckets) >>> 16;
}

/** The buckets of a block, from the terms of its events. */
export function packed(events: readonly Terms[]): Buffer[] {
  const lengths = Array.from({ length: bucketsBefore(events.length) }, () => 0);
  const entries: { digest: string; bucket: number; places: readonly number[] }[] = [];
  for (const kind of TERM_KINDS) {
    const found = new Map<string, number[]>();
    for (const [at, terms] of events.entries())
      for (const text of terms[kind]) {
        const places = found.get(text);
        if (!places) found.set(text, [at]);
        else if (places.at(-1) !== at) places.push(at);
      }
    for (const [text, places] of found) {
      const digest = digestOf(termOf(kind, text));
      const bucket = bucketOf(digest, lengths.length);
      lengths[bucket]! += 20 + 2 * places.length;
      entries.push({ digest, bucket, places });
    }
  }
  const buckets = lengths.map((length) => Buffer.allocUnsafe(length));
  const ends = lengths.fill(0);
  for (const { digest, bucket, places } of entries) {
    const into = buckets[bucket]!;
    let at = ends[bucket]!;
    into.write(digest, at, 'latin1');
    into.writeUInt32LE(places.length, at + 16);
    at += 20;
    for (const place of places) at = into.writeUInt16LE(place, at);
    ends[bucket] = at;
  }
  return buckets;
}

/** End of the entry that begins at `at`. */
export function entryEnd(bucket: Buffer, at: number): number {
  return at + 20 + 2 * bucket.readUInt32LE(at + 16);
}

/** The buckets of a block, merged from those of its parts, which are of one size. */
export function merged(blocks: readonly (readonly Buffer[])[], size: number): Buffer[] {
  const lengths = Array.from({ length: bucketsBefore(size) }, () => 0);
  const bucketAt = (bytes: Buffer, at: number): number =>
    (bytes.readUInt16BE(at) * lengths.length) >>> 16;
  for (const from of blocks.flat())
    for (let at = 0, end = 0; at < from.length; at = end) {
      end = entryEnd(from, at);
      lengths[bucketAt(from, at)]! += end - at;
    }
  const buckets = lengths.map((length) => Buffer.allocUnsafe(length));
  const ends = lengths.fill(0);
  for (const [nth, block] of blocks.entries()) {
    const shift = (nth * size) / blocks.length;
    for (const from of block)
      for (let at = 0, end = 0; at < from.length; at = end) {
        end = entryEnd(from, at);
        const bucket = bucketAt(from, at);
        const into = buckets[bucket]!;
        let to = ends[bucket]!;
        from.copy(into, to, at, at + 20);
        to += 20;
        for (let place = at + 20; place < end; place += 2)
          to = into.writeUInt16LE(from.readUInt16LE(place) + shift, to);
        ends[bucket] = to;
      }
  }
  return buckets;
}

/** Terms that are looked up together: each bucket is read once, however many of them it may have. */
export class LookedUp {
  private readonly by_start = new Map<number, { digest: string; bytes: Buffer }[]>();

  constructor(readonly digests: ReadonlySet<string>) {
    for (const digest of digests) {
      const bytes = Buffer.from(digest, 'latin1');
      const start = bytes.readUInt32LE();
      const same = this.by_start.get(start);
      if (same) same.push({ digest, bytes });
      else this.by_start.set(start, [{ digest, bytes }]);
    }
  }

  /** The entries of these terms in a bucket: the packed positions of their events. */
  entriesIn(bucket: Buffer): { digest: string; places: Buffer }[] {
    const found: { digest: string; places: Buffer }[] = [];
    for (let at = 0, end = 0; at < bucket.length; at = end) {
      end = entryEnd(bucket, at);
      for (const { digest, bytes } of this.by_start.get(bucket.readUInt32LE(at)) ?? NONE)
        if (bucket.compare(bytes, 0, 16, at, at + 16) === 0)
          found.push({ digest, places: bucket.subarray(at + 20, end) });
    }
    return found;
  }
}

const NONE: readonly never[] = [];

export function unpackedPlaces(lists: readonly Buffer[]): number[] {
  const places: number[] = [];
  for (const list of lists)
    for (let at = 0; at < list.length; at += 2) places.push(list.readUInt16LE(at));
  return places;
}
