import { IntersectionType } from '@nestjs/swagger';
import {
  Id,
  Integer,
  ListOf,
  OneOf,
  PageBody,
  Text,
  Timestamp,
} from '../platform/requests/fields.js';
import { text } from '../platform/requests/rules.js';

const MOST_TYPES = 100;

/** Which events are meant: those that match all given fields. */
class EventQueryBody {
  @Text({
    min: 1,
    max: 256,
    description: 'Only events that changed or concern this record',
  })
  resource_id?: string;

  @Id('UserID_', { description: 'Only events of this user' })
  actor?: string;

  @ListOf(text({ min: 1, max: 128 }), {
    distinct: true,
    max: MOST_TYPES,
    description: 'Only events of these types; empty: all',
    example: ['GroupCreated'],
  })
  types?: string[];

  @Text({ min: 1, max: 128, description: 'Only events of this command', example: 'CreateGroup' })
  command?: string;

  @Text({ min: 1, max: 128, description: 'Only events of the request with this id' })
  correlation_id?: string;

  @Text({
    min: 1,
    max: 256,
    description:
      'Only events that this grant or invite authorized; or OWNER, SELF, CODE, FACTORY, SYSTEM',
  })
  allowed_by?: string;

  @Text({
    max: 512,
    empty: 'absent',
    description: 'Case-insensitive substring of the audit reason',
  })
  reason?: string;

  @Timestamp({ description: 'Only events at or after this time, in ms' })
  from_ms?: number;

  @Timestamp({ description: 'Only events at or before this time, in ms' })
  to_ms?: number;

  @Timestamp({ what: 'a revision', description: 'Only this event and later ones', example: 12 })
  from_revision?: number;

  @Timestamp({ what: 'a revision', description: 'Only this event and earlier ones' })
  to_revision?: number;
}

export class HistoryBody extends IntersectionType(EventQueryBody, PageBody) {
  @OneOf(['ASC', 'DESC'], { default: 'DESC', description: 'DESC: newest first' })
  declare direction: 'ASC' | 'DESC';
}

export class TimelineBody extends EventQueryBody {
  @Integer({ min: 1, max: 1_000, default: 200, description: 'Maximum number of buckets' })
  buckets!: number;
}
