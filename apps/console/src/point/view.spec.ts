import { changed, pointOf, revisionOf, shared, timePoint } from './view.js';

const params = (text: string) => new URLSearchParams(text);

describe('the point of an address', () => {
  it.each([
    ['at=r0', 'r0'],
    ['at=r123&as=UserID_a', 'r123'],
    ['at=@year-end', '@year-end'],
    ['at=2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['at=2026-11-01T00:00:00.250%2B01:00', '2026-11-01T00:00:00.250+01:00'],
    ['', null],
    ['at=', null],
    ['at=r-1', null],
    ['at=yesterday', null],
    ['at=@Year', null],
    ['at=2026-13-01T00:00:00Z', null],
  ])('%s', (query, at) => expect(pointOf(params(query))).toBe(at));

  it('has a revision if it is one', () => {
    expect([revisionOf('r12'), revisionOf('@r12'), revisionOf(null)]).toEqual([12, null, null]);
  });

  it('is a time without needless digits', () => {
    expect(timePoint(Date.UTC(2026, 10, 1))).toBe('2026-11-01T00:00:00Z');
    expect(timePoint(Date.UTC(2026, 10, 1) + 5)).toBe('2026-11-01T00:00:00.005Z');
  });
});

describe('a query string', () => {
  it('changes and loses parameters, and keeps the others', () => {
    const next = changed(params('at=r1&q=a%26b'), { at: '2026-11-01T00:00:00Z', as: null });
    expect(next).toBe('?at=2026-11-01T00:00:00Z&q=a%26b');
    expect(changed(params('at=r1'), { at: null })).toBe('');
    expect(changed(params('at=r1'), { at: '' })).toBe('');
  });

  it('keeps only shared parameters on another page', () => {
    expect(shared(params('q=x&at=@now-1&page=2&as=UserID_b'))).toBe('?at=@now-1&as=UserID_b');
    expect(shared(params('q=x&at=r4'), { at: 'r5', resource: 'GroupID_a' })).toBe(
      '?at=r5&resource=GroupID_a',
    );
  });
});
