import { localText, msOfLocal } from '../../time/zone.js';
import { timeOf } from '../view.js';

/** The time scale of the timeline. Times are milliseconds since epoch, places pixels from the left. */

/** A part of the history that the timeline shows. */
export interface Span {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Shortest part that can be zoomed to. */
const SHORTEST_MS = 10_000;

const length = ({ from_ms, to_ms }: Span): number => Math.max(1, to_ms - from_ms);

export function placeOf(ms: number, span: Span, width: number): number {
  return ((ms - span.from_ms) / length(span)) * width;
}

export function timeAt(place: number, span: Span, width: number): number {
  return Math.round(span.from_ms + (place / Math.max(1, width)) * length(span));
}

/**
 * The span enlarged or reduced around a time, which keeps its place.
 * @param factor above 1: shows more
 * @param bounds the whole history
 */
export function zoomed(span: Span, bounds: Span, around_ms: number, factor: number): Span {
  const wanted = Math.min(length(bounds), Math.max(SHORTEST_MS, length(span) * factor));
  const before = (around_ms - span.from_ms) / length(span);
  const from_ms = Math.round(around_ms - before * wanted);
  return within({ from_ms, to_ms: Math.round(from_ms + wanted) }, bounds);
}

/** The span moved so that it shows a time; the same one if it does. */
export function showing(span: Span, bounds: Span, ms: number): Span {
  if (span.from_ms <= ms && ms <= span.to_ms) return span;
  const half = Math.round(length(span) / 2);
  return within({ from_ms: ms - half, to_ms: ms + half }, bounds);
}

/** The part between two times, in any order; at least as long as can be zoomed to. */
export function between(one: number, other: number, bounds: Span): Span {
  const middle = (one + other) / 2;
  const half = Math.max(SHORTEST_MS, Math.abs(one - other)) / 2;
  return within({ from_ms: Math.round(middle - half), to_ms: Math.round(middle + half) }, bounds);
}

/** The part of the history between two times of an address; null if it has none there. */
export function spanOf(from: string | null, to: string | null, bounds: Span): Span | null {
  const [begin, end] = [from, to].map((text) => (text === null ? null : timeOf(text)));
  if (begin == null || end == null) return null;
  const from_ms = Math.max(begin, bounds.from_ms);
  const to_ms = Math.min(end, bounds.to_ms);
  return from_ms < to_ms ? { from_ms, to_ms } : null;
}

/** A span of the same length within bounds, if they have room for it. */
function within(span: Span, bounds: Span): Span {
  if (length(span) >= length(bounds)) return bounds;
  if (span.from_ms < bounds.from_ms)
    return { from_ms: bounds.from_ms, to_ms: bounds.from_ms + length(span) };
  if (span.to_ms > bounds.to_ms)
    return { from_ms: bounds.to_ms - length(span), to_ms: bounds.to_ms };
  return span;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Distances of ticks: within a day, in days, and in months. */
const STEPS_MS = [
  ...[1, 5, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
];
const STEPS_DAYS = [1, 2, 7, 14];
const STEPS_MONTHS = [1, 3, 6, 12, 24, 60, 120];

export interface Ticks {
  readonly step_ms: number;
  readonly times: readonly number[];
}

/** Round times of a zone in a span, at most as many as fit. */
export function ticksOf(span: Span, zone: string, most: number): Ticks {
  const least_ms = length(span) / Math.max(1, most);
  const step = STEPS_MS.find((one) => one >= least_ms);
  if (step) return { step_ms: step, times: timesEvery(step, span, zone) };
  const days = STEPS_DAYS.find((one) => one * DAY_MS >= least_ms);
  if (days) return { step_ms: days * DAY_MS, times: daysEvery(days, span, zone) };
  const months = STEPS_MONTHS.find((one) => one * 30 * DAY_MS >= least_ms) ?? STEPS_MONTHS.at(-1)!;
  return { step_ms: months * 30 * DAY_MS, times: monthsEvery(months, span, zone) };
}

/** Multiples of a step since the local midnight. */
function timesEvery(step_ms: number, span: Span, zone: string): number[] {
  const midnight = msOfLocal(`${localText(span.from_ms, zone).slice(0, 10)}T00:00`, zone)!;
  const first = midnight + Math.ceil((span.from_ms - midnight) / step_ms) * step_ms;
  const times: number[] = [];
  for (let ms = first; ms <= span.to_ms; ms += step_ms) times.push(ms);
  return times;
}

function daysEvery(days: number, span: Span, zone: string): number[] {
  const [year, month, day] = localText(span.from_ms, zone).slice(0, 10).split('-').map(Number);
  return calendar(span, zone, (nth) => new Date(Date.UTC(year!, month! - 1, day! + nth * days)));
}

function monthsEvery(months: number, span: Span, zone: string): number[] {
  const [year, month] = localText(span.from_ms, zone).slice(0, 7).split('-').map(Number);
  const first = Math.floor((year! * 12 + month! - 1) / months) * months;
  return calendar(span, zone, (nth) => {
    const all = first + nth * months;
    return new Date(Date.UTC(Math.floor(all / 12), all % 12));
  });
}

/** Local midnights in a span. @param dateOf the nth date, in UTC */
function calendar(span: Span, zone: string, dateOf: (nth: number) => Date): number[] {
  const times: number[] = [];
  for (let nth = 0; ; nth++) {
    const ms = msOfLocal(`${dateOf(nth).toISOString().slice(0, 10)}T00:00`, zone)!;
    if (ms > span.to_ms) return times;
    if (ms >= span.from_ms) times.push(ms);
  }
}
