import { Email, EvmAddress, Field, Flag, Id, Text, Url } from '../platform/requests/fields.js';
import { Rule } from '../platform/requests/rule.js';

/** Accepts any value: a malformed code gets the same error as a wrong one, so that errors do not reveal contacts. */
const anyCode = new Rule({ type: 'string' }, (value) => (typeof value === 'string' ? value : ''), {
  description:
    'Begins with RedeemTokenID_; a missing or malformed code gets the same error as a wrong one',
});

export class CreateContactBody {
  @Id('UserID_', {
    description:
      'If absent, without secret_entropy or seed_phrase, the contact is a placeholder as with is_placeholder true',
  })
  id?: string;
  @Text({ min: 1, max: 256, example: 'Bob' }) name?: string;
  @Url({ max: 2048 }) avatar?: string;
  @Url({ max: 256 }) notifications_url?: string;
  @Email() email?: string;
  @EvmAddress() evm_public_address?: string;
  @Text({ max: 8192 }) public_note?: string;
  @Text({ max: 8192 }) private_note?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
  @Flag({
    description: 'True: the contact gets a redeem code. False: it gets none, and id is required',
  })
  is_placeholder?: boolean;
  @Text({ min: 1, max: 256, description: 'Secret from which the id is derived; it is not stored' })
  secret_entropy?: string;
  @Text({ max: 256, description: 'BIP-39 phrase from which the id is derived; it is not stored' })
  seed_phrase?: string;
}

export class UpdateContactBody {
  @Id('UserID_', { required: true }) id!: string;
  @Text({ min: 1, max: 256, null: 'keeps' }) name?: string;
  @Url({ max: 2048, null: 'clears' }) avatar?: string | null;
  @Url({ max: 256, null: 'clears' }) notifications_url?: string | null;
  @Email({ null: 'clears' }) email?: string | null;
  @EvmAddress({ null: 'clears' }) evm_public_address?: string | null;
  @Text({ max: 8192, null: 'clears' }) public_note?: string | null;
  @Text({ max: 8192, null: 'clears' }) private_note?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteContactBody {
  @Id('UserID_', { required: true }) id!: string;
}

export class EraseContactBody {
  @Id('UserID_', { required: true, description: 'Current or former user id of the person' })
  id!: string;
}

export class RedeemContactBody {
  @Id('UserID_', { required: true, description: 'User id of the placeholder' })
  current_user_id!: string;
  @Id('UserID_', {
    required: true,
    description: 'User id of the caller, or an id that is not in use',
  })
  new_user_id!: string;
  @Field(anyCode) redeem_code?: string;
  @Text({ max: 8192 }) note?: string;
}

export class AutoLoginBody {
  @Id('UserID_', { required: true }) user_id!: string;
  @Text({ max: 4096, required: true, description: 'Value of a valid API key of that user' })
  profile_api_key!: string;
}
