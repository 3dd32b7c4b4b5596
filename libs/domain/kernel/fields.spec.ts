import { cut, prepend } from './fields.js';

describe('cut', () => {
  it('keeps so many code units from the beginning', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abc', 2)).toBe('ab');
    expect(cut('', 2)).toBe('');
  });

  it('leaves out a pair that it would split, since no event can hold half of one', () => {
    expect(cut('😀😀', 4)).toBe('😀😀');
    expect(cut('😀😀', 3)).toBe('😀');
    expect(cut('😀', 1)).toBe('');
    expect(cut('a😀b', 3)).toBe('a😀');
  });
});

describe('prepend', () => {
  it('puts a line in front, if there is one to put it in front of', () => {
    expect(prepend('new', 'old', 100)).toBe('new\nold');
    expect(prepend('new', '', 100)).toBe('new');
  });

  it('cuts the end off, but never half of a pair', () => {
    expect(prepend('new', 'old', 5)).toBe('new\no');
    expect(prepend('new', '😀😀', 7)).toBe('new\n😀');
  });
});
