import { createHash } from 'node:crypto';
import { Refused } from '../uploads.js';
import { UploadFailed } from './upload-failed.js';

/** Maximum bytes of a part: an interrupted process loses no more of them. */
export const PART_BYTES = 8 * 2 ** 20;

/** Digest of the body of a request. */
export interface Checksum {
  readonly algorithm: 'sha1' | 'sha256';
  readonly digest: Uint8Array;
}

/** Cuts the bytes of a request into parts. If the request breaks off, the last part ends there and is kept. */
export class Parts {
  private rest: Uint8Array | undefined;
  private is_over = false;
  /** Why the request broke off. */
  failure: unknown;

  constructor(private readonly chunks: AsyncIterator<Uint8Array>) {}

  /** True if there are bytes for another part. @throws Refused */
  async hasMore(): Promise<boolean> {
    while (!this.rest && !this.is_over) {
      try {
        const next = await this.chunks.next();
        if (next.done) this.is_over = true;
        else if (next.value.length > 0) this.rest = next.value;
      } catch (error) {
        if (error instanceof Refused) throw error;
        this.failure = error;
        this.is_over = true;
      }
    }
    return this.rest !== undefined;
  }

  /** The bytes of the next part. It ends once more bytes are there: they may be too many, which refuses this part. */
  async *next(): AsyncGenerator<Uint8Array, void> {
    let left = PART_BYTES;
    while ((await this.hasMore()) && left > 0) {
      const chunk = this.rest!;
      const piece = chunk.subarray(0, left);
      this.rest = piece.length < chunk.length ? chunk.subarray(left) : undefined;
      left -= piece.length;
      yield piece;
    }
  }
}

/** The same bytes; fails before their end if they do not have the checksum. @throws UploadFailed `wrong-checksum` */
export async function* checkedBy(
  { algorithm, digest }: Checksum,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash(algorithm);
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
  if (!hash.digest().equals(digest)) throw new UploadFailed('wrong-checksum');
}

/** The same bytes; fails if there are too many. @throws Refused, as `refusal` of their number tells */
export async function* bounded(
  source: AsyncIterable<Uint8Array>,
  refusal: (received: number) => Refused | null,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    const refused = refusal(received);
    if (refused) throw refused;
    yield chunk;
  }
}
