import { pointOfText } from '../../../libs/application/point-of-text.js';
import { Fault } from '../platform/requests/rule.js';
import { as_of } from './points.js';

describe('points in text form', () => {
  it.each([
    ['r0', { revision: 0 }],
    ['r123', { revision: 123 }],
    ['1700000000000', { at_ms: 1_700_000_000_000 }],
    ['@year-end', { at: '@year-end' }],
    ['-5', { at_ms: -5 }],
    ['2023-11-14T22:13:20Z', { at_ms: 1_700_000_000_000 }],
    ['2023-11-14t22:13:20.250z', { at_ms: 1_700_000_000_250 }],
    ['2023-11-14 22:13:20.2509Z', { at_ms: 1_700_000_000_250 }],
    ['2023-11-15T00:13:20+02:00', { at_ms: 1_700_000_000_000 }],
    ['2023-11-15T00:13:20 02:00', { at_ms: 1_700_000_000_000 }],
    ['2023-11-14T17:13:20-05:00', { at_ms: 1_700_000_000_000 }],
    ['2024-02-29T00:00:00Z', { at_ms: Date.UTC(2024, 1, 29) }],
  ])('%s', (text, point) => {
    expect(pointOfText(text)).toEqual(point);
    expect(as_of.take(text)).toEqual(point);
  });

  it.each([
    'x',
    'r',
    'r-1',
    '-',
    '1.5',
    '@',
    '@Year',
    `@${'a'.repeat(65)}`,
    '2023-11-14',
    '2023-11-14T22:13:20',
    '2023-02-30T00:00:00Z',
    '2023-13-01T00:00:00Z',
    '2023-11-14T25:00:00Z',
    'r9999999999999999',
  ])('%s is not a point', (text) => {
    expect(pointOfText(text)).toBeNull();
    expect(as_of.take(text)).toBeInstanceOf(Fault);
  });

  it('an absent or empty text is no point; a parsed point stays unchanged', () => {
    expect(as_of.take(undefined)).toBeUndefined();
    expect(as_of.take('')).toBeUndefined();
    expect(as_of.take({ revision: 4 })).toEqual({ revision: 4 });
    expect(as_of.take(['r1', 'r2'])).toBeInstanceOf(Fault);
  });

  it('accepts a name of exactly 64 characters', () => {
    const name = `@${'a'.repeat(64)}`;
    expect(pointOfText(name)).toEqual({ at: name });
  });
});
