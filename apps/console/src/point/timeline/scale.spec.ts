import { between, placeOf, showing, spanOf, ticksOf, timeAt, zoomed } from './scale.js';

const DAY_MS = 86_400_000;
const BOUNDS = { from_ms: Date.UTC(2026, 0, 1), to_ms: Date.UTC(2026, 6, 1) };
const WIDTH = 1_000;

describe('the time scale', () => {
  it('puts times in place and back', () => {
    expect(placeOf(BOUNDS.from_ms, BOUNDS, WIDTH)).toBe(0);
    expect(placeOf(BOUNDS.to_ms, BOUNDS, WIDTH)).toBe(WIDTH);
    for (const place of [0, 1, 333, 999, 1_000])
      expect(placeOf(timeAt(place, BOUNDS, WIDTH), BOUNDS, WIDTH)).toBeCloseTo(place, 4);
  });

  it('zooms around a time that keeps its place, and not beyond the history', () => {
    const around = Date.UTC(2026, 2, 1);
    const before = placeOf(around, BOUNDS, WIDTH);
    const span = zoomed(BOUNDS, BOUNDS, around, 0.1);
    expect(placeOf(around, span, WIDTH)).toBeCloseTo(before, 2);
    expect(span.to_ms - span.from_ms).toBeCloseTo((BOUNDS.to_ms - BOUNDS.from_ms) / 10, -1);
    expect(zoomed(span, BOUNDS, around, 100)).toEqual(BOUNDS);
    const shortest = zoomed(span, BOUNDS, around, 0);
    expect(shortest.to_ms - shortest.from_ms).toBe(10_000);
    const edge = zoomed(BOUNDS, BOUNDS, BOUNDS.to_ms, 0.5);
    expect(edge.to_ms).toBe(BOUNDS.to_ms);
  });

  it('shows the part between two times of an address, as far as there is history', () => {
    const [from, to] = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];
    expect(spanOf(from, to, BOUNDS)).toEqual({
      from_ms: Date.UTC(2026, 1, 1),
      to_ms: Date.UTC(2026, 2, 1),
    });
    expect(spanOf('0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z', BOUNDS)).toEqual(BOUNDS);
    for (const [one, other] of [
      [to, from],
      [from, null],
      ['yesterday', to],
      // Another moment for each viewer.
      ['2026-02-01T00:00:00', to],
      ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'],
    ] as const)
      expect(spanOf(one, other, BOUNDS)).toBeNull();
  });

  it('follows a time that it does not show', () => {
    const span = between(Date.UTC(2026, 2, 11), Date.UTC(2026, 2, 1), BOUNDS);
    expect(showing(span, BOUNDS, Date.UTC(2026, 2, 5))).toBe(span);
    const later = showing(span, BOUNDS, Date.UTC(2026, 4, 5));
    expect([later.from_ms, later.to_ms]).toEqual([Date.UTC(2026, 3, 30), Date.UTC(2026, 4, 10)]);
  });

  it('has ticks at round times of the zone, across changes of clocks', () => {
    const zone = 'Europe/Berlin';
    const march = { from_ms: Date.UTC(2026, 2, 27, 5), to_ms: Date.UTC(2026, 2, 31) };
    expect(ticksOf(march, zone, 5).times).toEqual([
      Date.UTC(2026, 2, 27, 23),
      Date.UTC(2026, 2, 28, 23),
      Date.UTC(2026, 2, 29, 22),
      Date.UTC(2026, 2, 30, 22),
    ]);
    const hours = ticksOf({ from_ms: BOUNDS.from_ms + 5, to_ms: BOUNDS.from_ms + DAY_MS }, zone, 8);
    expect(hours.times[0]).toBe(Date.UTC(2026, 0, 1, 2));
    expect(hours.step_ms).toBe(3 * 3_600_000);
    expect(ticksOf(BOUNDS, 'UTC', 7).times).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((month) => Date.UTC(2026, month)),
    );
    expect(ticksOf(BOUNDS, 'UTC', 3).times).toEqual([
      Date.UTC(2026, 0),
      Date.UTC(2026, 3),
      Date.UTC(2026, 6),
    ]);
  });

  it.each([10_000, 60_000, 3_600_000, DAY_MS, 40 * DAY_MS, 4_000 * DAY_MS])(
    'has no more ticks than fit, and some, over %d ms',
    (length_ms) => {
      const span = { from_ms: BOUNDS.from_ms + 1, to_ms: BOUNDS.from_ms + length_ms };
      const { times } = ticksOf(span, 'America/New_York', 10);
      expect(times.length).toBeLessThanOrEqual(11);
      expect(times.length).toBeGreaterThan(0);
    },
  );
});
