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
    const back = await unpackSections(await packSections(sections));
    expect(back.map(({ length }) => length)).toEqual(lengths);
    expect(back.every((section, nth) => section.equals(sections[nth]!))).toBe(true);
  });

  it('are refused with anything cut off or added', async () => {
    const packed = await packSections([Buffer.from('one'), Buffer.from('two')]);
    for (let length = 0; length < packed.length; length++)
      await expect(unpackSections(packed.subarray(0, length))).rejects.toThrow(/not packed/);
    const more = Buffer.concat([packed, Buffer.from('x')]);
    await expect(unpackSections(more)).rejects.toThrow(/not packed/);
  });
});
