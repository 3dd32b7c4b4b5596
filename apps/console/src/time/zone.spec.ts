import {
  localText,
  msOfLocal,
  offsetOf,
  offsetText,
  tickText,
  timesOfLocal,
  timeText,
  utcText,
} from './zone.js';

const SUMMER = Date.UTC(2026, 6, 1, 12, 0, 5, 250);
const HOUR_MS = 3_600_000;
const BERLIN = 'Europe/Berlin';

describe('a time in a zone', () => {
  it('is shown there, and in UTC', () => {
    expect(timeText(SUMMER, BERLIN)).toBe('1 Jul 2026, 14:00:05');
    expect(timeText(SUMMER, 'America/New_York')).toBe('1 Jul 2026, 08:00:05');
    expect(utcText(SUMMER)).toBe('2026-07-01 12:00:05.250 UTC');
    expect(offsetOf(SUMMER, BERLIN)).toBe(2 * HOUR_MS);
    expect(offsetOf(SUMMER, 'Asia/Kolkata')).toBe(5.5 * HOUR_MS);
  });

  it('is the end of the year 9998 if it is later', () => {
    for (const ms of [Number.MAX_SAFE_INTEGER, 8.64e15, Date.UTC(9999, 0, 2)])
      for (const zone of ['UTC', BERLIN, 'America/St_Johns']) {
        expect(timeText(ms, zone)).toMatch(/^(31 Dec 9998|1 Jan 9999), \d\d:/);
        expect(utcText(ms)).toBe('9998-12-31 23:59:59.999 UTC');
      }
  });

  it.each(['UTC', BERLIN, 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe'])(
    'comes back from an input in %s, over a year',
    (zone) => {
      const begin = Date.UTC(2026, 0, 1);
      for (let ms = begin; ms < begin + 365 * 24 * HOUR_MS; ms += 2.5 * HOUR_MS) {
        const back = msOfLocal(localText(ms, zone), zone)!;
        // The first of two that look alike.
        expect(localText(back, zone)).toBe(localText(ms, zone));
        expect(back).toBeLessThanOrEqual(ms);
        expect(ms - back).toBeLessThanOrEqual(HOUR_MS);
      }
    },
  );

  it('that is skipped is as long after the change of clocks', () => {
    expect(msOfLocal('2026-03-29T02:30:00', BERLIN)).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(msOfLocal('2026-10-25T02:30:00', BERLIN)).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(msOfLocal('2026-07-01T14:00', BERLIN)).toBe(Date.UTC(2026, 6, 1, 12));
  });

  it('has none, one or two times for what an input says', () => {
    const [first, second] = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)];
    expect(timesOfLocal('2026-03-29T02:30:00', BERLIN)).toEqual([]);
    expect(timesOfLocal('2026-03-29T03:00:00', BERLIN)).toEqual([Date.UTC(2026, 2, 29, 1)]);
    expect(timesOfLocal('2026-10-25T02:30:00', BERLIN)).toEqual([first, second]);
    expect(timesOfLocal('2026-10-25T03:00:00', BERLIN)).toEqual([Date.UTC(2026, 9, 25, 2)]);
    expect(timesOfLocal('2026-04-05T01:45:00', 'Australia/Lord_Howe')).toHaveLength(2);
    expect(timesOfLocal('2011-12-30T12:00:00', 'Pacific/Apia')).toEqual([]);
    expect(timesOfLocal('2026-02-31', BERLIN)).toBeNull();
  });

  it('is shown with its distance to UTC if clocks show it twice', () => {
    const second = Date.UTC(2026, 9, 25, 1, 30);
    expect(timeText(second - HOUR_MS, BERLIN)).toBe('25 Oct 2026, 02:30:00 (UTC+2)');
    expect(timeText(second, BERLIN)).toBe('25 Oct 2026, 02:30:00 (UTC+1)');
    expect(timeText(second + HOUR_MS, BERLIN)).toBe('25 Oct 2026, 03:30:00');
    expect(timeText(second - 2 * HOUR_MS, BERLIN)).toBe('25 Oct 2026, 01:30:00');
    expect(timeText(second, 'UTC')).toBe('25 Oct 2026, 01:30:00');
    expect([5.5, -3.5, 0].map((hours) => offsetText(hours * HOUR_MS))).toEqual([
      'UTC+5:30',
      'UTC−3:30',
      'UTC+0',
    ]);
  });

  it.each(['', 'today', '2026-02-31', '2026-13-01T00:00'])('is not %j', (text) =>
    expect(msOfLocal(text, BERLIN)).toBeNull(),
  );

  it('says at a tick what the distance to the next one needs', () => {
    const midnight = Date.UTC(2026, 6, 1, 22);
    expect(tickText(SUMMER, BERLIN, 5_000)).toBe('14:00:05');
    expect(tickText(SUMMER, BERLIN, HOUR_MS)).toBe('14:00');
    expect(tickText(midnight, BERLIN, HOUR_MS)).toBe('2 Jul');
    expect(tickText(midnight, BERLIN, 24 * HOUR_MS)).toBe('2 Jul');
    expect(tickText(Date.UTC(2026, 6, 1), 'UTC', 31 * 24 * HOUR_MS)).toBe('Jul');
    expect(tickText(Date.UTC(2026, 0, 1), 'UTC', 31 * 24 * HOUR_MS)).toBe('2026');
  });
});
