import { Planted } from './planted.js';

describe('planted texts', () => {
  const planted = new Planted();
  const text = planted.text('name');
  planted.known('umlauts', 'Zürich, 東京 and more');
  const bytes = Buffer.from(`x${text}y`);
  const forms: Record<string, Buffer> = {
    'UTF-8': bytes,
    hex: Buffer.from(bytes.toString('hex')),
    'hex in capitals': Buffer.from(bytes.toString('hex').toUpperCase()),
  };
  for (const before of ['', '-', '--'])
    for (const form of ['base64', 'base64url'] as const)
      forms[`${form} at offset ${before.length}`] = Buffer.from(
        Buffer.from(`${before}${text}`).toString(form),
      );

  it.each(Object.keys(forms))('are found as %s', (form) => {
    expect(planted.foundIn(forms[form]!)).toEqual(['name']);
  });

  it('are found beside each other, also beyond ASCII, and only where they stand whole', () => {
    const both = Buffer.from(`Zürich, 東京 and more ${text}${text}`);
    expect(planted.foundIn(both).toSorted()).toEqual(['name', 'umlauts']);
    expect(planted.foundIn(Buffer.from(text.slice(0, -1)))).toEqual([]);
    expect(planted.foundIn(Buffer.from(''))).toEqual([]);
    expect(planted.size).toBe(2);
  });
});
