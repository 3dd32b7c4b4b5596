import { isPrincipalText } from '../../../libs/identity/principal.js';
import { Email, Field, Id, Integer, Nested, Text } from '../platform/requests/fields.js';
import { fault, Rule, type FieldOptions } from '../platform/requests/rule.js';
import { BundledDiskBody } from './factory-bodies.js';

const LEAST_GAS_CYCLES = 1_000_000_000_000;
const USER = 'UserID_';

export class CreateGiftcardBody {
  @Integer({ min: 0, description: 'Absent: 0' }) usd_revenue_cents?: number;
  @Text({ max: 8192 }) note?: string;
  @Integer({ min: LEAST_GAS_CYCLES, description: 'Absent: 1000000000' })
  gas_cycles_included?: number;
  @Text({ max: 256, empty: 'absent', description: 'Must be unique among gift cards' })
  external_id?: string;
  @Nested(() => BundledDiskBody) bundled_default_disk?: BundledDiskBody;
}

export class UpdateGiftcardBody {
  @Id('GiftcardSpawnOrgID_', { required: true }) id!: string;
  @Integer({ min: 0, null: 'keeps' }) usd_revenue_cents?: number;
  @Text({ max: 8192, null: 'clears' }) note?: string | null;
  @Integer({ min: LEAST_GAS_CYCLES, null: 'keeps' }) gas_cycles_included?: number;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Nested(() => BundledDiskBody, { null: 'clears', description: 'Replaces the disk as a whole' })
  bundled_default_disk?: BundledDiskBody | null;
}

export class DeleteGiftcardBody {
  @Id('GiftcardSpawnOrgID_', { required: true }) id!: string;
}

/** A user id whose opaque part is a principal; the principal alone is accepted, too. */
const owner = (options: FieldOptions): Rule =>
  new Rule(
    { type: 'string' },
    (value) => {
      const text = typeof value === 'string' ? value : '';
      const principal = text.startsWith(USER) ? text.slice(USER.length) : text;
      if (!isPrincipalText(principal))
        return fault('must be UserID_ followed by a valid principal');
      return USER + principal;
    },
    options,
  );

export class RedeemGiftcardBody {
  @Id('GiftcardSpawnOrgID_', { required: true }) giftcard_id!: string;
  @Field(
    owner({
      example: 'UserID_2vxsx-fae',
      description: 'Required; UserID_ followed by a valid principal',
    }),
  )
  owner_user_id?: string;
  @Field(owner({ description: 'Alias of owner_user_id, which takes precedence' }))
  owner_icp_principal?: string;
  @Text({ min: 1, max: 64, trim: true, default: 'Owner' }) owner_name!: string;
  @Text({ min: 1, max: 64, trim: true, default: 'Anonymous Org' }) organization_name!: string;
  @Text({ max: 256, empty: 'absent', description: 'External id of the organization' })
  external_id?: string;
  @Email({ description: 'Email address of the organization' }) email?: string;
}
