import { createHash } from 'node:crypto';
import { tieDigest, uuid5 } from './sha1.js';

describe('SHA-1', () => {
  it.each([
    ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '84983e441c3bd26ebaae4aa1f95129e5e54670f1',
    ],
    ['a'.repeat(1_000), '291e9a6c66994949b57ba5e650361e98fc36b1ba'],
  ])('of a standard text is what the standard says', (text, expected) => {
    expect(tieDigest(text)).toBe(expected.slice(0, 32));
  });

  it.each(['ü', '€'.repeat(341), '€'.repeat(342), '😀'.repeat(170), '😀'.repeat(200), '\ud800'])(
    'of any text is that of its UTF-8 (%#)',
    (text) => {
      const expected = createHash('sha1').update(text).digest('hex');
      expect(tieDigest('longer than the next')).toHaveLength(32);
      expect(tieDigest(text)).toBe(expected.slice(0, 32));
    },
  );

  it('yields UUIDs of version 5 that depend only on the name', () => {
    const id = uuid5('FolderID_a FileID_b');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuid5('FolderID_a FileID_b')).toBe(id);
    expect(uuid5('FolderID_a FileID_c')).not.toBe(id);
    // Stored in events of every release.
    expect(id).toBe('2226d954-52de-59c3-a5f1-6af0d9eb2d97');
  });

  it('yields digests of ids with 32 digits', () => {
    expect(tieDigest('abc')).toBe('a9993e364706816aba3e25717850c26c');
  });
});
