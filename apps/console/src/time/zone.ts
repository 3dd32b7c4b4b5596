import { texts } from '../texts.js';

/** Times in words and in inputs, in any zone of the IANA database. Times are milliseconds since epoch. */

/** The zone of the viewer's system. */
export function systemZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All zones that the browser knows, UTC first. */
export function allZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are costly to make. */
function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat(texts.locale, { ...options, timeZone: zone });
    formats.set(name, format);
  }
  return format;
}

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const SECONDS = { ...CLOCK, second: '2-digit' } as const;

/** Clients may choose times that no calendar has; all after the year 9998 are shown as its end: zones need a day beyond. */
const LATEST_MS = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** The nearest time that can be shown. */
export function shownTime(ms: number): number {
  return Math.min(Math.max(ms, 0), LATEST_MS);
}

/** Such as `12 Nov 2026, 14:03:22`; with the distance to UTC if clocks show that time twice, as they go back. */
export function timeText(any_ms: number, zone: string): string {
  const ms = shownTime(any_ms);
  const text = formatOf(zone, { ...DATE, ...SECONDS }).format(ms);
  return comesTwice(ms, zone) ? `${text} (${offsetText(offsetOf(ms, zone))})` : text;
}

/** Such as `UTC+5:30`. @param offset_ms how much later than UTC */
export function offsetText(offset_ms: number): string {
  const minutes = Math.round(Math.abs(offset_ms) / 60_000);
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`;
  return `UTC${offset_ms < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest}`;
}

/** Such as `2026-11-12 13:03:22.250 UTC`. */
export function utcText(ms: number): string {
  return `${new Date(shownTime(ms)).toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** What a tick of an axis needs to say, by the distance to the next one. */
export function tickText(ms: number, zone: string, step_ms: number): string {
  if (step_ms < 60_000) return formatOf(zone, SECONDS).format(ms);
  if (step_ms < 86_400_000) {
    const clock = formatOf(zone, CLOCK).format(ms);
    return clock === '00:00'
      ? formatOf(zone, { day: 'numeric', month: 'short' }).format(ms)
      : clock;
  }
  const is_month = step_ms >= 28 * 86_400_000;
  const [day, month] = localText(ms, zone).slice(5, 10).split('-').toReversed();
  if (is_month && day === '01' && month === '01')
    return formatOf(zone, { year: 'numeric' }).format(ms);
  return formatOf(zone, is_month ? { month: 'short' } : { day: 'numeric', month: 'short' }).format(
    ms,
  );
}

/** The text of a `datetime-local` input: `2026-11-12T14:03:22`. */
export function localText(ms: number, zone: string): string {
  const options = { ...SECONDS, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const parts = new Map(
    formatOf(zone, options)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${date}T${part('hour')}:${part('minute')}:${part('second')}`;
}

/**
 * The times at which clocks of a zone show the text of a `datetime-local` input, ascending: two where they go back, none
 * where they go forward and skip it; null if the text is no time.
 */
export function timesOfLocal(text: string, zone: string): readonly number[] | null {
  const wanted = utcOfLocal(text);
  return wanted === null ? null : timesShown(wanted, zone);
}

/**
 * The time of a `datetime-local` input in a zone; null if it is no time. Of a local time that comes twice when clocks
 * go back this is the first one, and of one that is skipped the time as long after the change.
 */
export function msOfLocal(text: string, zone: string): number | null {
  const wanted = utcOfLocal(text);
  if (wanted === null) return null;
  return timesShown(wanted, zone)[0] ?? wanted - offsetOf(wanted - DAY_MS, zone);
}

const DAY_MS = 86_400_000;

/** The time at which clocks in UTC show the text of an input. */
function utcOfLocal(text: string): number | null {
  const ms = Date.parse(`${text}Z`);
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(ms) ? ms : null;
}

/** When clocks of a zone show what those in UTC show at a time. Clocks change at most once within two days. */
function timesShown(utc_ms: number, zone: string): readonly number[] {
  const offsets = new Set([offsetOf(utc_ms - DAY_MS, zone), offsetOf(utc_ms + DAY_MS, zone)]);
  return [...offsets]
    .map((offset) => utc_ms - offset)
    .filter((ms) => utc_ms - offsetOf(ms, zone) === ms)
    .toSorted((one, other) => one - other);
}

function comesTwice(ms: number, zone: string): boolean {
  return timesShown(ms + offsetOf(ms, zone), zone).length > 1;
}

/** How much later than UTC clocks of a zone show. */
export function offsetOf(ms: number, zone: string): number {
  const seconds = Math.floor(ms / 1000) * 1000;
  return Date.parse(`${localText(seconds, zone)}Z`) - seconds;
}
