import { pointOfText } from '../../../libs/application/point-of-text.js';
import type { PointRequest } from '../../../libs/engine/past/points.js';
import { Text, Timestamp } from '../platform/requests/fields.js';
import { fault, isObject, Rule } from '../platform/requests/rule.js';

/** Maximum length of a bookmark's name. */
const MOST_NAME_CHARS = 64;
export const BOOKMARK_NAME = new RegExp(`^[a-z0-9-]{1,${MOST_NAME_CHARS}}$`);
const REFERENCE = new RegExp(`^@[a-z0-9-]{1,${MOST_NAME_CHARS}}$`);

/** Fields of a body that name a point. At most one may be present; none means the current state. */
export class PointBody implements PointRequest {
  @Timestamp({ description: 'Time in ms: the state after the last event at or before it' })
  at_ms?: number;

  @Timestamp({
    what: 'a revision',
    description: 'Revision: the state after that event',
    example: 12,
  })
  revision?: number;

  @Text({
    pattern: REFERENCE,
    pattern_text: '@ followed by the name of a bookmark',
    empty: 'absent',
    description: 'Bookmark: the point that it names',
    example: '@year-end',
  })
  at?: string;
}

const FORMS =
  'must be r followed by a revision, milliseconds since epoch, an RFC 3339 time, or @ followed by the name of a bookmark';

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
      'Read the state as of a point: `r123` (revision), milliseconds, an RFC 3339 time, or `@name` (bookmark)',
    example: 'r123',
  },
);
