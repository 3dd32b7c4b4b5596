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

  // As of Python's hashlib; a lone surrogate counts as U+FFFD.
  it.each([
    ['ü', '94a759fd37735430753c7b6b80684306d80ea16e'],
    ['€'.repeat(341), '912ab64e62a20af599f026d4ea70f50be9dadd6b'],
    ['€'.repeat(342), '0ad364a57b156cbe32b0142ff2d9562c35cdef5a'],
    ['😀'.repeat(170), '56ace6d089ffd467bb5a015bd048f4ad0a4e3389'],
    ['😀'.repeat(200), '15fad8e491ff3ade44571eca08ba6c2522c4475f'],
    ['\ud800', '9bdb77276c1852e1fb067820472812fcf6084024'],
  ])('of any text is that of its UTF-8 (%#)', (text, expected) => {
    expect(tieDigest('longer than the next')).toHaveLength(32);
    expect(tieDigest(text)).toBe(expected.slice(0, 32));
  });

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
