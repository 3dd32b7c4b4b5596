import { pointOfText } from '../../../libs/application/point-of-text.js';
import type { PointRequest } from '../../../libs/engine/past/points.js';
import { Text, Timestamp } from '../platform/requests/fields.js';
import { fault, isObject, Rule } from '../platform/requests/rule.js';

/** Most characters of a bookmark's name. */
const MOST_NAME_CHARS = 64;
export const BOOKMARK_NAME = new RegExp(`^[a-z0-9-]{1,${MOST_NAME_CHARS}}$`);
const REFERENCE = new RegExp(`^@[a-z0-9-]{1,${MOST_NAME_CHARS}}$`);

/** A point of the past in a body, alone or with other fields: at most one of these, none = now. */
export class PointBody implements PointRequest {
  @Timestamp({ description: 'A time (ms): the state just after the last event at or before it' })
  at_ms?: number;

  @Timestamp({
    what: 'a revision',
    description: 'A revision: the state just after that event',
    example: 12,
  })
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

const FORMS =
  'must be r and a revision, milliseconds since epoch, an RFC 3339 time, or @ and the name of a bookmark';

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
