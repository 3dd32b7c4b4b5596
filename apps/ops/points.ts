import { InvalidArgumentError } from 'commander';
import { pointOfText } from '../../libs/application/point-of-text.js';
import type { PointRequest } from '../../libs/engine/past/points.js';

/** A point as written on the command line, and the request for it. */
export interface WrittenPoint {
  readonly text: string;
  readonly request: PointRequest;
}

/** Forms of points, for help and errors. */
const POINTS =
  'a date (2026-11-22, or 2026-11-22Z in UTC), a time (2026-11-22T10:00, with Z or an offset such as +01:00, else in ' +
  'the zone of this machine), milliseconds since 1970, r and a revision (r12), or @ and a bookmark (@year-end)';

const DATE = /^(\d{4})-(\d{2})-(\d{2})([Zz])?$/;
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})?$/;

/** Reads a point; a date means its end, or now while it has not ended. */
export function point(text: string): WrittenPoint {
  const day = dayOf(text);
  if (!day) return { text, request: requestOf(text) };
  const now = Date.now();
  const is_today = day.from_ms <= now && now <= day.to_ms;
  return { text, request: is_today ? {} : { at_ms: day.to_ms } };
}

/** Reads the point at which a period begins: a date means its beginning, so that all of that day is included. */
export function beginning(text: string): WrittenPoint {
  const day = dayOf(text);
  // Before the first event of that day.
  return day ? { text, request: { at_ms: day.from_ms - 1 } } : { text, request: requestOf(text) };
}

/** Reads the first moment of a window, like `beginning`. */
export function opening(text: string): WrittenPoint {
  const day = dayOf(text);
  return day ? { text, request: { at_ms: day.from_ms } } : { text, request: requestOf(text) };
}

function requestOf(text: string): PointRequest {
  const request = pointOfText(text) ?? timeOf(text);
  if (request) return request;
  throw new InvalidArgumentError(`Invalid point: give ${POINTS}.`);
}

/** The first and the last millisecond of a date; null if the text is no date. */
function dayOf(text: string): { from_ms: number; to_ms: number } | null {
  const [, year, month, day, zone] = DATE.exec(text) ?? [];
  if (year === undefined || !isDay(year, month!, day!)) return null;
  const startOf = (days: number): number => {
    const parts = [Number(year), Number(month) - 1, Number(day) + days] as const;
    return zone === undefined ? new Date(...parts).getTime() : Date.UTC(...parts);
  };
  return { from_ms: startOf(0), to_ms: startOf(1) - 1 };
}

/** More lenient than RFC 3339: seconds and time zone are optional. */
function timeOf(text: string): PointRequest | null {
  const [, year, month, day, clock, seconds = ':00', zone = ''] = TIME.exec(text) ?? [];
  if (year === undefined || !isDay(year, month!, day!)) return null;
  const at_ms = Date.parse(`${year}-${month}-${day}T${clock}${seconds}${zone.toUpperCase()}`);
  return Number.isNaN(at_ms) ? null : { at_ms };
}

/** False for a 30th of February, which Date takes for a day of March. */
function isDay(year: string, month: string, day: string): boolean {
  const read = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.getUTCDate() === Number(day);
}
