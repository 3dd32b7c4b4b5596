import { hkdfSync, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import {
  contentKey,
  contentSecret,
  FRAME_BYTES,
  open,
  seal,
  sealedSize,
  sealSmall,
  storedRange,
} from './sealed.js';

const KEY = contentKey(contentSecret(randomBytes(32)), 'DriveID_1', 'content-1');
const FRAME = FRAME_BYTES + 16;

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of source) all.push(chunk);
  return Buffer.concat(all);
}

const sealed = (bytes: Uint8Array, key: Uint8Array = KEY): Promise<Buffer> =>
  bytesOf(seal(key, chunks(bytes, 50_000)));

const opened = (stored: Uint8Array, size: number, from = 0, to = size, key: Uint8Array = KEY) => {
  const range = { size, from, to };
  const at = storedRange(range);
  return bytesOf(open(key, chunks(stored.subarray(at.from, at.to), 33_333), range));
};

const SIZES = [0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 3 * FRAME_BYTES, 200_000];

describe('sealed contents', () => {
  it.each(SIZES)('of %s bytes are as long as told, hide them, and give them back', async (size) => {
    const bytes = randomBytes(size);
    const stored = await sealed(bytes);
    expect(stored).toHaveLength(sealedSize(size));
    // Of fewer bytes some may stand in the stored ones by chance.
    const is_shown = size > 100 && stored.includes(bytes.subarray(0, 100));
    expect(is_shown).toBe(false);
    expect((await opened(stored, size)).equals(bytes)).toBe(true);
  });

  it('give any range from the frames that hold it alone', async () => {
    const bytes = randomBytes(4 * FRAME_BYTES + 99);
    const stored = await sealed(bytes);
    const place = fc.nat(bytes.length);
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const found = await opened(stored, bytes.length, from, to);
        expect(found.equals(bytes.subarray(from, to))).toBe(true);
        const range = storedRange({ size: bytes.length, from, to });
        expect(range.to - range.from).toBeLessThanOrEqual(to - from + 2 * FRAME);
      }),
    );
  });

  describe('that are damaged give no wrong byte', () => {
    const size = 2 * FRAME_BYTES + 1000;
    const bytes = randomBytes(size);
    let stored: Buffer;
    beforeAll(async () => {
      stored = await sealed(bytes);
    });

    it.each<[string, (whole: Buffer) => Buffer]>([
      ['a flipped bit in the first frame', (whole) => flipped(whole, 10)],
      ['a flipped bit in a tag', (whole) => flipped(whole, FRAME - 1)],
      ['a flipped bit in the last frame', (whole) => flipped(whole, whole.length - 20)],
      [
        'exchanged frames',
        (whole) =>
          Buffer.concat([
            whole.subarray(FRAME, 2 * FRAME),
            whole.subarray(0, FRAME),
            whole.subarray(2 * FRAME),
          ]),
      ],
      ['a repeated frame', (whole) => Buffer.concat([whole.subarray(0, FRAME), whole])],
      ['a cut within a frame', (whole) => whole.subarray(0, whole.length - 1)],
      ['a cut at a frame', (whole) => whole.subarray(0, 2 * FRAME)],
      ['nothing left', () => Buffer.alloc(0)],
      ['bytes behind the end', (whole) => Buffer.concat([whole, Buffer.alloc(40)])],
    ])('%s', async (_, damage) => {
      const given: Uint8Array[] = [];
      const reading = (async () => {
        const damaged = damage(Buffer.from(stored));
        const range = { size, from: 0, to: size };
        for await (const part of open(KEY, chunks(damaged, 10_000), range)) given.push(part);
      })();
      await expect(reading).rejects.toMatchObject({ name: 'DamagedContent' });
      const clear = Buffer.concat(given);
      expect(clear.equals(bytes.subarray(0, clear.length))).toBe(true);
    });

    it('a shorter content that ends at a frame, served as the whole', async () => {
      const shorter = await sealed(bytes.subarray(0, 2 * FRAME_BYTES));
      await expect(opened(shorter, size)).rejects.toMatchObject({ name: 'DamagedContent' });
    });
  });

  it('have keys by HKDF', () => {
    const data_key = randomBytes(32);
    const info = 'content frames 1\nDriveID_1\ncontent-1';
    const expected = hkdfSync('sha256', data_key, new Uint8Array(), info, 32);
    const key = contentKey(contentSecret(data_key), 'DriveID_1', 'content-1');
    expect(key.equals(new Uint8Array(expected))).toBe(true);
  });

  it.each([0, 1, 4096, FRAME_BYTES])('of %s bytes are the same sealed at once', async (size) => {
    const bytes = randomBytes(size);
    expect(Buffer.concat([...sealSmall(KEY, bytes)]).equals(await sealed(bytes))).toBe(true);
  });

  it('of more than one frame cannot be sealed at once', () => {
    const seal_all = () => [...sealSmall(KEY, Buffer.alloc(FRAME_BYTES + 1))];
    expect(seal_all).toThrow('more than one frame');
  });

  it('open with no other key: of another drive, content or data key', async () => {
    const data_key = contentSecret(randomBytes(32));
    const own = contentKey(data_key, 'DriveID_1', 'a');
    const stored = await sealed(randomBytes(100), own);
    for (const other of [
      contentKey(data_key, 'DriveID_2', 'a'),
      contentKey(data_key, 'DriveID_1', 'b'),
      contentKey(contentSecret(randomBytes(32)), 'DriveID_1', 'a'),
    ])
      await expect(opened(stored, 100, 0, 100, other)).rejects.toMatchObject({
        name: 'DamagedContent',
      });
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1;
  return bytes;
}
