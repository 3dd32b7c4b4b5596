import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

import { Semaphore } from '../tasks/semaphore.js';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const LENGTH_BYTES = 4;
/** Sections are compressed together up to this size, since many small frames cost more. */
const FRAME_BYTES = 256 * 1024;
/**
 * Frames in work at a time. Node's pool of four threads is also the one that syncs appends to the disk: all frames of a
 * large state at once would go before the next sync, whose commands wait for it.
 */
const frame_turns = new Semaphore(2);
/** Minimum buffer size that zlib accepts. */
const LEAST_ROOM = 64;

/** Lengths of the frames, in bytes, for sections of these lengths. */
function framesOf(lengths: readonly number[]): number[] {
  const frames: number[] = [];
  let is_full = true;
  for (const length of lengths) {
    if (is_full) frames.push(length);
    else frames[frames.length - 1]! += length;
    is_full = frames.at(-1)! >= FRAME_BYTES;
  }
  return frames;
}

/**
 * Packs sections, each in parts, into one buffer, compressed with checksums and off the main thread: the number of
 * sections, the length of each, the compressed length of each frame (4 bytes each), then the frames.
 */
export async function packSections(sections: readonly (readonly Uint8Array[])[]): Promise<Buffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
  const lengths = sections.map(lengthOf);
  const left = sections.flat();
  const frames = await Promise.all(
    framesOf(lengths).map((length) => {
      const parts: Uint8Array[] = [];
      for (let missing = length; missing > 0; missing -= parts.at(-1)!.length)
        parts.push(left.shift()!);
      return frame_turns.run(() => compress(Buffer.concat(parts), { params }));
    }),
  );
  const numbers = [lengths.length, ...lengths, ...frames.map(({ length }) => length)];
  const head = Buffer.alloc(LENGTH_BYTES * numbers.length);
  for (const [nth, number] of numbers.entries()) head.writeUInt32LE(number, LENGTH_BYTES * nth);
  return Buffer.concat([head, ...frames]);
}

/** Unpacks the output of `packSections`, off the main thread. Rejects if it is truncated or damaged. */
export async function unpackSections(packed: Uint8Array): Promise<Buffer[]> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const count = numbersIn(bytes, 0, 1)[0]!;
  const lengths = numbersIn(bytes, 1, count);
  const frames = framesOf(lengths);
  let begin = LENGTH_BYTES * (1 + count + frames.length);
  const places = numbersIn(bytes, 1 + count, frames.length).map((length) => ({
    begin,
    end: (begin += length),
  }));
  if (count === 0 || begin !== bytes.length) throw notPacked();
  const unpacked = await Promise.all(
    places.map(async (place, nth) => {
      const length = frames[nth]!;
      // One buffer for all of it: pieces would have to be joined.
      const options = { chunkSize: Math.max(length, LEAST_ROOM) };
      const packed_frame = bytes.subarray(place.begin, place.end);
      const frame = await frame_turns.run(() => decompress(packed_frame, options));
      if (frame.length !== length) throw notPacked();
      return frame;
    }),
  );
  return sectionsIn(unpacked, lengths);
}

/** Length of all parts together, bytes. */
export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function numbersIn(bytes: Buffer, first: number, count: number): number[] {
  if (LENGTH_BYTES * (first + count) > bytes.length) throw notPacked();
  return Array.from({ length: count }, (_, nth) =>
    bytes.readUInt32LE(LENGTH_BYTES * (first + nth)),
  );
}

function sectionsIn(frames: readonly Buffer[], lengths: readonly number[]): Buffer[] {
  let nth = 0;
  let at = 0;
  return lengths.map((length) => {
    if (at >= frames[nth]!.length && at >= FRAME_BYTES) [nth, at] = [nth + 1, 0];
    return frames[nth]!.subarray(at, (at += length));
  });
}

function notPacked(): Error {
  return new Error('not packed sections');
}
