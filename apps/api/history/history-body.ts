import { Id, ListOf, OneOf, PageBody, Text, Timestamp } from '../platform/requests/fields.js';
import { text } from '../platform/requests/rules.js';

const MOST_TYPES = 100;

export class HistoryBody extends PageBody {
  @Text({
    min: 1,
    max: 256,
    description: 'Only events that changed this record, or that are about it',
  })
  resource_id?: string;

  @Id('UserID_', { description: 'Only what this user did' })
  actor?: string;

  @ListOf(text({ min: 1, max: 128 }), {
    distinct: true,
    max: MOST_TYPES,
    description: 'Only these types of events; empty: all',
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
      'Only what this grant or invite let through; or OWNER, SELF, CODE, FACTORY, SYSTEM',
  })
  allowed_by?: string;

  @Text({ max: 512, empty: 'absent', description: 'A substring of the reason, in any case' })
  reason?: string;

  @Timestamp({ description: 'ms; only events at or after this time' })
  from_ms?: number;

  @Timestamp({ description: 'ms; only events at or before this time' })
  to_ms?: number;

  @Timestamp({ what: 'a revision', description: 'Only this event and later ones', example: 12 })
  from_revision?: number;

  @Timestamp({ what: 'a revision', description: 'Only this event and earlier ones' })
  to_revision?: number;

  @OneOf(['ASC', 'DESC'], { default: 'DESC', description: 'DESC: newest first' })
  declare direction: 'ASC' | 'DESC';
}
