import { cut, prepend } from './fields.js';

describe('cut', () => {
  it('keeps the given number of code units', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abc', 2)).toBe('ab');
    expect(cut('', 2)).toBe('');
  });

  it('omits a surrogate pair that it would split, since events cannot contain half of one', () => {
    expect(cut('😀😀', 4)).toBe('😀😀');
    expect(cut('😀😀', 3)).toBe('😀');
    expect(cut('😀', 1)).toBe('');
    expect(cut('a😀b', 3)).toBe('a😀');
  });
});

describe('prepend', () => {
  it('adds a line in front, with a line break only if there is a text', () => {
    expect(prepend('new', 'old', 100)).toBe('new\nold');
    expect(prepend('new', '', 100)).toBe('new');
  });

  it('truncates the end without splitting a surrogate pair', () => {
    expect(prepend('new', 'old', 5)).toBe('new\no');
    expect(prepend('new', '😀😀', 7)).toBe('new\n😀');
  });
});
