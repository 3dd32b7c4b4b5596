import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import type { Chunks } from './port.js';
import { countPassed } from './young-buffers.js';

/**
 * The encrypted form of a content: frames of 64 KiB, each AES-256-GCM under a key of its own content. A nonce holds the
 * frame's number and whether it is the last one, so frames cannot be exchanged, omitted or cut off unnoticed (the
 * STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). Any range can be read without what precedes it.
 */

/** Bytes in clear of a frame; the last one may be shorter. An empty content is one empty frame. */
export const FRAME_BYTES = 64 * 1024;
const TAG_BYTES = 16;
/** Bytes of a stored frame; stores that read whole frames spare a copy. */
export const SEALED_BYTES = FRAME_BYTES + TAG_BYTES;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;
const PURPOSE = 'content frames 1';

/** A frame is not what was stored. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

/**
 * What the keys of a drive's contents are derived from: the first half of HKDF with SHA-256 and no salt (RFC 5869).
 * @param data_key 32 bytes
 */
export function contentSecret(data_key: Uint8Array): KeyObject {
  const no_salt = createSecretKey(Buffer.alloc(KEY_BYTES));
  return createSecretKey(createHmac('sha256', no_salt).update(data_key).digest());
}

/**
 * Key of one content: it is used for no other content. The second half of HKDF for one block; Node's own HKDF takes
 * three times as long.
 */
export function contentKey(secret: KeyObject, drive_id: string, content_id: string): Buffer {
  const info = `${PURPOSE}\n${drive_id}\n${content_id}\x01`;
  return createHmac('sha256', secret).update(info).digest();
}

/** Number of stored bytes of a content of that many bytes in clear. */
export function sealedSize(bytes: number): number {
  return bytes + framesOf(bytes) * TAG_BYTES;
}

/** Number of bytes in clear of a content of that many stored bytes: the reverse of `sealedSize`. */
export function clearSize(stored: number): number {
  return stored - Math.ceil(stored / SEALED_BYTES) * TAG_BYTES;
}

function framesOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / FRAME_BYTES));
}

function nonceOf(frame: number, is_last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(frame, 0, 6);
  nonce[NONCE_BYTES - 1] = Number(is_last);
  return nonce;
}

/**
 * Encrypts a content frame by frame. Chunks of the result are no frames: a frame's tag is a chunk of its own, since
 * joining the two would copy the bytes.
 * @param key by `contentKey`; never used for other bytes
 */
export async function* seal(
  key: Uint8Array,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  const secret = createSecretKey(key);
  let frame = 0;
  let held: Buffer | undefined;
  for await (const bytes of inPieces(source, FRAME_BYTES)) {
    if (held) yield* sealedFrame(secret, held, frame++, false);
    held = bytes;
  }
  yield* sealedFrame(secret, held ?? Buffer.alloc(0), frame, true);
}

/** As `seal`, for a content of one frame at most. */
export function sealSmall(key: Uint8Array, bytes: Uint8Array): Iterable<Buffer> {
  if (bytes.length > FRAME_BYTES) throw new Error('the content has more than one frame');
  return sealedFrame(createSecretKey(key), bytes, 0, true);
}

function* sealedFrame(
  key: KeyObject,
  bytes: Uint8Array,
  frame: number,
  is_last: boolean,
): Generator<Buffer, void> {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(frame, is_last));
  // GCM holds nothing back: the end has no more bytes.
  yield cipher.update(bytes);
  cipher.final();
  yield cipher.getAuthTag();
}

/** A range of a content in clear. */
export interface OpenedRange {
  /** Number of bytes in clear of the whole content. */
  readonly size: number;
  /** First byte, and the one behind the last; `0 ≤ from ≤ to ≤ size`. */
  readonly from: number;
  readonly to: number;
}

/** Where the frames of a range are stored: first byte, and the one behind the last. */
export function storedRange({ size, from, to }: OpenedRange): { from: number; to: number } {
  const first = Math.floor(from / FRAME_BYTES);
  const end = Math.max(first + 1, framesOf(to));
  return { from: first * SEALED_BYTES, to: Math.min(end * SEALED_BYTES, sealedSize(size)) };
}

/**
 * Decrypts the stored bytes of `storedRange` and gives the range in clear. Every frame is authenticated before any of
 * its bytes is given.
 * @throws DamagedContent
 */
export async function* open(
  key: Uint8Array,
  stored: AsyncIterable<Uint8Array>,
  range: OpenedRange,
): AsyncGenerator<Buffer, void> {
  const secret = createSecretKey(key);
  const last = framesOf(range.size) - 1;
  let frame = Math.floor(range.from / FRAME_BYTES);
  const end = Math.max(frame + 1, framesOf(range.to));
  for await (const bytes of inPieces(stored, SEALED_BYTES)) {
    if (frame >= end) throw new DamagedContent('there are more bytes than expected');
    const clear = openedFrame(secret, bytes, frame, frame === last);
    const start = frame * FRAME_BYTES;
    frame++;
    const part = clear.subarray(Math.max(0, range.from - start), Math.max(0, range.to - start));
    if (part.length > 0) yield part;
  }
  if (frame < end) throw new DamagedContent('bytes are missing at the end');
}

function openedFrame(key: KeyObject, bytes: Buffer, frame: number, is_last: boolean): Buffer {
  if (bytes.length < TAG_BYTES) throw new DamagedContent(`frame ${frame} is cut off`);
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(frame, is_last));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const clear = decipher.update(bytes.subarray(0, -TAG_BYTES));
    decipher.final();
    return clear;
  } catch (error) {
    throw new DamagedContent(`frame ${frame} is not what was stored`, { cause: error });
  }
}

/** The same bytes in pieces of one size; the last one may be shorter. */
export async function* inPieces(source: Chunks, size: number): AsyncGenerator<Buffer, void> {
  let piece: Buffer | undefined;
  let filled = 0;
  for await (const chunk of source) {
    countPassed(chunk.length);
    for (let at = 0; at < chunk.length;) {
      if (filled === 0 && at + size <= chunk.length) {
        // Whole pieces are passed on without a copy.
        yield Buffer.from(chunk.buffer, chunk.byteOffset + at, size);
        at += size;
        continue;
      }
      const taken = Math.min(size - filled, chunk.length - at);
      piece ??= Buffer.allocUnsafe(size);
      piece.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < size) continue;
      yield piece;
      piece = undefined;
      filled = 0;
    }
  }
  if (filled > 0) yield piece!.subarray(0, filled);
}
