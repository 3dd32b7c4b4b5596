import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';

import { packSections, unpackSections } from './snapshot-sections.js';

const KIB = 1024;

describe('packed sections', () => {
  it.each([
    [[0]],
    [[5, 0, 7]],
    [[256 * KIB, 0, 1]],
    [[100 * KIB, 156 * KIB, 3, 300 * KIB, 0, 300 * KIB, 9]],
    [[600 * KIB, 600 * KIB]],
  ])('come back as they were: %j bytes', async (lengths) => {
    const sections = lengths.map((length, nth) => Buffer.alloc(length, `${nth} and more`));
    // In parts: at most 200,000 bytes, and an empty one.
    const parts = sections.map((one) => [
      one.subarray(0, 2e5),
      one.subarray(2e5),
      one.subarray(0, 0),
    ]);
    const back = await unpackSections(await packSections(parts));
    expect(back.map(({ length }) => length)).toEqual(lengths);
    expect(back.every((section, nth) => section.equals(sections[nth]!))).toBe(true);
  });

  it('are refused with anything cut off or added', async () => {
    const packed = await packSections([[Buffer.from('one')], [Buffer.from('two')]]);
    for (let length = 0; length < packed.length; length++)
      await expect(unpackSections(packed.subarray(0, length))).rejects.toThrow(/not packed/);
    const more = Buffer.concat([packed, Buffer.from('x')]);
    await expect(unpackSections(more)).rejects.toThrow(/not packed/);
  });

  it('leave threads of the pool for the disk while they are many', async () => {
    const FRAMES = 40;
    const sections = Array.from({ length: FRAMES }, () => [randomBytes(256 * KIB)]);
    /** Files looked up, one after another, until the work is done. */
    const lookUpsBeside = async (work: Promise<unknown>): Promise<number> => {
      let [is_done, count] = [false, 0];
      const done = work.then(() => (is_done = true));
      for (; !is_done; count++) await stat('.');
      await done;
      return count;
    };
    const packing = packSections(sections);
    // If all frames were in the pool at once, fewer look-ups would come before the end.
    expect(await lookUpsBeside(packing)).toBeGreaterThan(FRAMES);
    expect(await lookUpsBeside(unpackSections(await packing))).toBeGreaterThan(FRAMES);
  });
});
