import type { PointRequest } from '../../../libs/engine/points.js';
import { Text, Timestamp } from '../platform/fields.js';
import { fault, isObject, Rule } from '../platform/rule.js';

/** Most characters of a bookmark's name. */
const MOST_NAME_CHARS = 64;
export const BOOKMARK_NAME = new RegExp(`^[a-z0-9-]{1,${MOST_NAME_CHARS}}$`);
const REFERENCE = new RegExp(`^@[a-z0-9-]{1,${MOST_NAME_CHARS}}$`);

/** A point of the past in a body, alone or with other fields: at most one of these, none = now. */
export class PointBody implements PointRequest {
  @Timestamp({ description: 'A time (ms): the state just after the last event at or before it' })
  at_ms?: number;

  @Timestamp({ description: 'A revision: the state just after that event', example: 12 })
  revision?: number;

  @Text({
    pattern: REFERENCE,
    pattern_text: '@ and the name of a bookmark',
    empty: 'absent',
    description: 'A bookmark: the point that it stands for',
    example: '@year-end',
  })
  at?: string;
}

const RFC_3339 =
  /^(\d{4}-\d{2}-(\d{2}))[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+\- ]\d{2}:\d{2})$/;
const FORMS =
  'must be r and a revision, milliseconds since epoch, an RFC 3339 time, or @ and the name of a bookmark';

/** The point that a text names: `r123`, milliseconds, an RFC 3339 time or `@name`; null for any other. */
export function pointOfText(text: string): PointRequest | null {
  if (REFERENCE.test(text)) return { at: text };
  if (/^r\d{1,15}$/.test(text)) return { revision: Number(text.slice(1)) };
  if (/^\d{1,15}$/.test(text)) return { at_ms: Number(text) };
  const time = RFC_3339.exec(text);
  if (!time) return null;
  const [, date, day, clock, zone] = time as unknown as readonly string[];
  // In a query string that nobody escaped, the plus sign of a zone reads as a blank.
  const at_ms = Date.parse(`${date}T${clock}${zone!.toUpperCase().replace(' ', '+')}`);
  // Date.parse takes a 30th of February for the 1st of March.
  const is_a_day = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  return Number.isNaN(at_ms) || !is_a_day ? null : { at_ms };
}

/**
 * The rule of the query parameter `as_of`: `as_of.take(text)` is a `PointRequest`, undefined or a
 * `Fault`; `@Field(as_of)` makes it a field of a query class.
 */
export const as_of = new Rule(
  { type: 'string', maxLength: 256 },
  (value) => {
    if (isObject(value)) return value;
    return (typeof value === 'string' && pointOfText(value)) || fault(FORMS);
  },
  {
    empty: 'absent',
    description:
      'Answer as of a point of the past: `r123` (revision), milliseconds, an RFC 3339 time, or `@name`',
    example: 'r123',
  },
);
