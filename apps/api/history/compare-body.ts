import { REPLAY_FAMILIES } from '../../../libs/application/replay/families.js';
import { ListOf, Nested, PageBody } from '../platform/requests/fields.js';
import { oneOf } from '../platform/requests/rules.js';
import { PointBody } from '../replay/points.js';

export class CompareBody extends PageBody {
  @Nested(() => PointBody, { required: true, description: 'Earlier point' })
  from!: PointBody;

  @Nested(() => PointBody, { description: 'Later point; absent: now' })
  to?: PointBody;

  @ListOf(oneOf([...REPLAY_FAMILIES, 'ALL']), {
    distinct: true,
    max: REPLAY_FAMILIES.length + 1,
    description: 'Families to compare; absent or empty: all',
    example: ['contacts'],
  })
  include?: string[];
}
