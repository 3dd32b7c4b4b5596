import type { PointRequest } from '../engine/past/points.js';

const REFERENCE = /^@[a-z0-9-]{1,64}$/;
const RFC_3339 =
  /^(\d{4}-\d{2}-(\d{2}))[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+\- ]\d{2}:\d{2})$/;
/** Parses a point: `r123`, milliseconds, an RFC 3339 time or `@name`; null for any other text. */
export function pointOfText(text: string): PointRequest | null {
  if (REFERENCE.test(text)) return { at: text };
  if (/^r\d{1,15}$/.test(text)) return { revision: Number(text.slice(1)) };
  if (/^-?\d{1,15}$/.test(text)) return { at_ms: Number(text) };
  const time = RFC_3339.exec(text);
  if (!time) return null;
  const [, date, day, clock, zone] = time as unknown as readonly string[];
  // In an unescaped query string the plus sign of a time zone arrives as a blank.
  const at_ms = Date.parse(`${date}T${clock}${zone!.toUpperCase().replace(' ', '+')}`);
  // Date.parse accepts February 30th as March 1st or 2nd.
  const is_a_day = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  return Number.isNaN(at_ms) || !is_a_day ? null : { at_ms };
}
