import { hash } from 'node:crypto';

/*
 * The index of events lies in blocks. 1,024 events make a block; eight blocks that fill a larger one are merged
 * into it. So which blocks there are follows from the number of events, however they came.
 *
 * A block has a bucket for every 32 of its events; a term lies in the bucket its digest leads to. A bucket is a list
 * of entries: the term's digest (16 bytes), a number of events (4 bytes), and for each of them its place in the block
 * (2 bytes; numbers are little-endian). A term may have several entries, those of earlier events first.
 *
 * The database thread gets these functions as text, so they use nothing but each other and `hash`.
 */

export type TermKind = 'resource' | 'correlation' | 'allowed_by' | 'actor' | 'command' | 'type';

/** What an event is looked up by. */
export type Terms = Readonly<Record<TermKind, readonly string[]>>;

/** All kinds of terms, those with likely the fewest events each first. */
export function termKinds(): readonly TermKind[] {
  return ['resource', 'correlation', 'allowed_by', 'actor', 'command', 'type'];
}

/** Events from `first` on, `size` of them. */
export interface Block {
  readonly first: number;
  readonly size: number;
}

/** A term as it is digested: the same text of another kind is another term. */
export function termOf(kind: TermKind, text: string): string {
  return `${kind} ${text}`;
}

/** Sizes of blocks, the largest first. Positions in the largest just fit 2 bytes. */
export function blockSizes(): readonly number[] {
  return [65_536, 8_192, 1_024];
}

/** The blocks of the first so many events, in their order; events beyond the last block are in none yet. */
export function blocksOf(events: number): Block[] {
  const blocks: Block[] = [];
  let first = 0;
  for (const size of blockSizes())
    for (; first + size <= events; first += size) blocks.push({ first, size });
  return blocks;
}

/** How many buckets lie before those of the block that begins with an event. */
export function bucketsBefore(event: number): number {
  return event / 32;
}

/** 16 bytes as text of as many characters. */
export function digestOf(term: string): string {
  return hash('sha256', term, 'binary').slice(0, 16);
}

/** Which of `buckets` a term lies in. */
export function bucketOf(digest: string, buckets: number): number {
  return (((digest.charCodeAt(0) << 8) | digest.charCodeAt(1)) * buckets) >>> 16;
}

/** The buckets of a block, from the terms of its events. */
export function packed(events: readonly Terms[]): Buffer[] {
  const lengths = Array.from({ length: bucketsBefore(events.length) }, () => 0);
  const entries: { digest: string; bucket: number; places: readonly number[] }[] = [];
  for (const kind of termKinds()) {
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

/** Where an entry that begins at `at` ends. */
export function entryEnd(bucket: Buffer, at: number): number {
  return at + 20 + 2 * bucket.readUInt32LE(at + 16);
}

/** The buckets of a block, from those of the blocks it is made of, which are of one size. */
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

/** The places of a term's events, as they lie in a bucket. */
export function packedPlaces(bucket: Buffer, digest: string): Buffer[] {
  const wanted = Buffer.from(digest, 'latin1');
  const start = wanted.readUInt32LE();
  const found: Buffer[] = [];
  for (let at = 0, end = 0; at < bucket.length; at = end) {
    end = entryEnd(bucket, at);
    if (bucket.readUInt32LE(at) === start && bucket.compare(wanted, 0, 16, at, at + 16) === 0)
      found.push(bucket.subarray(at + 20, end));
  }
  return found;
}

export function unpackedPlaces(lists: readonly Buffer[]): number[] {
  const places: number[] = [];
  for (const list of lists)
    for (let at = 0; at < list.length; at += 2) places.push(list.readUInt16LE(at));
  return places;
}
