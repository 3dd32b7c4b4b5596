/**
 * Storage for the bytes of files. It stores what it is given; `sealed.ts` encrypts contents before they come here.
 */

/** Identifies a stored content. Both parts consist of letters, digits, `_` and `-`, 1 to 200 characters each. */
export interface ContentKey {
  readonly drive_id: string;
  readonly content_id: string;
}

export interface StoredContent extends ContentKey {
  readonly bytes: number;
  /** When it was stored, ms. */
  readonly stored_ms: number;
}

/** Bytes in chunks. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface ContentStore {
  /**
   * Stores the bytes of a source. It resolves once they are durable; if it rejects, nothing is stored under the key.
   * A key is written once; of parallel writes of one key, one succeeds. No more than a few chunks are held in memory.
   * @returns the number of bytes
   * @throws ContentExists; ContentStoreFull; errors of the source
   */
  write(key: ContentKey, source: Chunks): Promise<number>;
  /**
   * The bytes from `from` to `to` (exclusive; Infinity for the end), in chunks. It reads as fast as the caller takes
   * them, and frees its resources when the caller stops. A content deleted meanwhile ends with all of its bytes or
   * with an error, never short.
   * @throws ContentMissing
   */
  read(key: ContentKey, from?: number, to?: number): AsyncIterable<Uint8Array>;
  /** Number of stored bytes; undefined if there are none under the key. */
  size(key: ContentKey): Promise<number | undefined>;
  /** Deletes a content; unknown keys are ignored. */
  delete(key: ContentKey): Promise<void>;
  /**
   * Contents of a drive in the order of their ids, `limit` at most, after an id.
   * @param counted true: `bytes` is the number of bytes that are there, though it takes longer; else it may be the
   *   number once stored
   */
  list(
    drive_id: string,
    after: string,
    limit: number,
    counted?: boolean,
  ): Promise<readonly StoredContent[]>;
  /** Drives with contents, in order, `limit` at most, after an id. */
  drives(after: string, limit: number): Promise<readonly string[]>;
  /**
   * Removes what interrupted writes have left that stored their last bytes before a time; it is under no key. A write
   * may run for any time, but it stores some bytes in between. If a sweep removes bytes of a running write, the write
   * rejects.
   * @param before_ms writes that may still be running stored bytes later
   * @returns how many leftovers were removed
   */
  sweepUnfinished(before_ms: number): Promise<number>;
  close(): Promise<void>;
}

/** The key is in use. */
export class ContentExists extends Error {
  override readonly name = 'ContentExists';
}

/** There is no content under the key. */
export class ContentMissing extends Error {
  override readonly name = 'ContentMissing';
}

/** The store has no space left. */
export class ContentStoreFull extends Error {
  override readonly name = 'ContentStoreFull';
}

/** The key is malformed. */
export class MalformedContentKey extends Error {
  override readonly name = 'MalformedContentKey';
}

const PART = /^[\w-]{1,200}$/;

export function isKeyPart(part: string): boolean {
  return PART.test(part);
}

/** Keys become names of files. @throws MalformedContentKey */
export function checkKey(...parts: readonly string[]): void {
  if (!parts.every(isKeyPart))
    throw new MalformedContentKey('ids of contents consist of letters, digits, _ and -');
}
