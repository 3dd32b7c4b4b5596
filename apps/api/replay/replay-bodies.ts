import { IntersectionType } from '@nestjs/swagger';
import { REPLAY_FAMILIES } from '../../../libs/application/replay/families.js';
import { Flag, ListOf, PageBody, Text } from '../platform/requests/fields.js';
import { oneOf } from '../platform/requests/rules.js';
import { PointBody } from './points.js';

export class ReplayBody extends IntersectionType(PointBody, PageBody) {
  @ListOf(oneOf([...REPLAY_FAMILIES, 'ALL']), {
    distinct: true,
    max: REPLAY_FAMILIES.length + 1,
    description: 'Families whose records are shown; none: counts only',
    example: ['contacts'],
  })
  include?: string[];

  @Text({
    min: 1,
    max: 256,
    description:
      'Only this record, whatever its family; the organization’s own id shows it as `drives` too',
  })
  record_id?: string;

  @Flag({ default: false, description: 'Fold from event 0 and check every hash on the way' })
  verify!: boolean;

  @Flag({ default: true, description: 'false skips state_hash' })
  hash!: boolean;
}

export class ReindexBody {
  @Flag({ description: 'Accepted for older clients; a rebuild is always complete' })
  force?: boolean;

  @Flag({ default: false, description: 'Answer at once with the job' })
  async!: boolean;
}
