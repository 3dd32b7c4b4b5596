import { Field, Flag, Id, ListOf, Text, Url } from '../platform/requests/fields.js';
import { fault, Rule } from '../platform/requests/rule.js';
import { text } from '../platform/requests/rules.js';

const MOST_PAYLOAD_BYTES = 64 * 1024;

export class TransferOwnershipBody {
  @Id('UserID_', { description: 'Required unless `cancel` is true' }) next_owner_id?: string;
  @Flag({ description: 'True cancels the pending transfer; send no other field with it' })
  cancel?: boolean;
}

/** A string, or an array of strings, which are joined. The domain layer validates the host names. */
const domains = new Rule(
  {
    oneOf: [
      { type: 'string', maxLength: 256 },
      { type: 'array', items: { type: 'string' } },
    ],
  },
  (value) => {
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    if (!parts.every((part) => typeof part === 'string'))
      return fault('must be a string or an array of strings');
    return parts.join(',');
  },
  { required: true, example: 'example.com,*.example.org' },
);

export class UpdateAllowedDomainsBody {
  @Field(domains) allowed_domains!: string;
}

export class SuperswapUserBody {
  @Id('UserID_', { required: true }) current_user_id!: string;
  @Id('UserID_', { required: true }) new_user_id!: string;
}

export class RedeemOrganizationBody {
  @Text({ min: 1, max: 256, trim: true, required: true }) redeem_code!: string;
}

/** Any JSON value of limited size. */
const payload = new Rule(
  {
    anyOf: ['object', 'array', 'string', 'number', 'boolean'].map((type) =>
      type === 'array' ? { type, items: {} } : { type },
    ),
  },
  (value) =>
    Buffer.byteLength(JSON.stringify(value)) > MOST_PAYLOAD_BYTES
      ? fault(`must be at most ${MOST_PAYLOAD_BYTES} bytes of JSON`, MOST_PAYLOAD_BYTES)
      : value,
  { null: 'clears' },
);

export class InboxBody {
  @Id('DriveID_', { description: 'If present, the id of this organization' }) drive_id?: string;
  @Text({ max: 256 }) topic?: string;
  @Field(payload) payload?: unknown;
}

export class ShortlinkBody {
  @Text({ max: 64, empty: 'absent', description: 'Without original_url: the link to follow' })
  slug?: string;
  @Url({
    max: 4096,
    http_only: true,
    no_user: true,
    empty: 'absent',
    description: 'Without `slug`: the target of a new link. With `slug`: the link is deleted',
  })
  original_url?: string;
}

export class ExternalIdsBody {
  @ListOf(text({ max: 256 }), { min: 1, max: 1000, required: true }) external_ids!: string[];
}
