import { IntersectionType } from '@nestjs/swagger';
import { REPLAY_FAMILIES } from '../../../libs/application/replay/families.js';
import { Flag, ListOf, PageBody, Text } from '../platform/requests/fields.js';
import { oneOf } from '../platform/requests/rules.js';
import { PointBody } from './points.js';

export class ReplayBody extends IntersectionType(PointBody, PageBody) {
  @ListOf(oneOf([...REPLAY_FAMILIES, 'ALL']), {
    distinct: true,
    max: REPLAY_FAMILIES.length + 1,
    description: 'Families whose records are returned; absent or empty: counts only',
    example: ['contacts'],
  })
  include?: string[];

  @Text({
    min: 1,
    max: 256,
    description:
      'Only this record, of any family; the id of the organization also returns its record in `drives`',
  })
  record_id?: string;

  @Flag({ default: false, description: 'True: folds from event 0 and verifies every hash' })
  verify!: boolean;

  @Flag({ default: true, description: 'False: omits state_hash' })
  hash!: boolean;
}

export class ReindexBody {
  @Flag({ description: 'Ignored; accepted for older clients. A rebuild is always complete' })
  force?: boolean;

  @Flag({ default: false, description: 'True: returns the job immediately' })
  async!: boolean;
}
