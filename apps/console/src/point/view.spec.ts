import { changed, isPoint, pointOf, revisionOf, shared, timePoint } from './view.js';

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
    // Somebody did not escape the plus sign.
    ['at=2026-11-20T10:00:00+01:00', '2026-11-20T10:00:00+01:00'],
    ['at=2026-11-20T10:00:00.5+01:00', '2026-11-20T10:00:00.5+01:00'],
  ])('%s', (query, at) => {
    expect(pointOf(params(query))).toBe(at);
    expect(at === null || isPoint(at)).toBe(true);
  });

  it.each([
    ...['r-1', 'yesterday', '@Year', '2026-11-20', '2026-13-01T00:00:00Z', 'r1 r2'],
    // Without a zone, it would be another moment for each viewer.
    ...['2026-11-20T10:00:00', '2026-11-20T10:00', '2026-11-20T10:00:00.5'],
  ])('is never now if it is not understood: %s', (text) => {
    const at = pointOf(new URLSearchParams({ at: text }))!;
    expect([at, isPoint(at)]).toEqual([text, false]);
  });

  it('may be that of another parameter', () => {
    expect(pointOf(params('at=r1&with=r2'), 'with')).toBe('r2');
    expect(pointOf(params('at=r1'), 'with')).toBeNull();
  });

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

  it.each(['at', 'as', 'person', 'family', 'kind', 'q', 'sort', 'who', 'with', 'request'])(
    'leads lists to their first page if %s changes',
    (name) => {
      const cursors = 'up=a&down=b&access_up=c&access_down=d&webhooks_up=e&webhooks_down=f';
      expect(changed(params(`x=1&${cursors}`), { [name]: 'r1' })).toBe(`?x=1&${name}=r1`);
      expect(changed(params(`${name}=r1&${cursors}`), { [name]: null })).toBe('');
      expect(changed(params(`${name}=r1&down=b`), { [name]: 'r1' })).toBe(`?${name}=r1&down=b`);
    },
  );

  it('keeps the pages of lists if they list the same', () => {
    const zoom = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
    expect(changed(params('down=b'), zoom)).toContain('down=b');
    expect(changed(params('down=b&access_down=d'), { down: null, up: 'a' })).toBe(
      '?access_down=d&up=a',
    );
  });

  it('keeps only shared parameters on another page', () => {
    expect(shared(params('q=x&at=@now-1&page=2&as=UserID_b'))).toBe('?at=@now-1&as=UserID_b');
    expect(shared(params('q=x&at=r4'), { at: 'r5', resource: 'GroupID_a' })).toBe(
      '?at=r5&resource=GroupID_a',
    );
  });
});
