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

/** Such as `12 Nov 2026, 14:03:22`. */
export function timeText(ms: number, zone: string): string {
  return formatOf(zone, { ...DATE, ...SECONDS }).format(ms);
}

/** Such as `12 Nov 2026`. */
export function dateText(ms: number, zone: string): string {
  return formatOf(zone, DATE).format(ms);
}

/** Such as `2026-11-12 13:03:22.250 UTC`. */
export function utcText(ms: number): string {
  return `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')} UTC`;
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
 * The time of a `datetime-local` input in a zone; null if it is no time. Of a local time that comes twice when clocks
 * go back this is the first one, and of one that is skipped the time as long after the change.
 */
export function msOfLocal(text: string, zone: string): number | null {
  const wanted = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(wanted)) return null;
  const before = wanted - offsetOf(wanted - 86_400_000, zone);
  if (wanted - offsetOf(before, zone) === before) return before;
  const after = wanted - offsetOf(wanted + 86_400_000, zone);
  return wanted - offsetOf(after, zone) === after ? after : before;
}

/** How much later than UTC clocks of a zone show. */
export function offsetOf(ms: number, zone: string): number {
  const seconds = Math.floor(ms / 1000) * 1000;
  return Date.parse(`${localText(seconds, zone)}Z`) - seconds;
}
