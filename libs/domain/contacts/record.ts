import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';

/** A user known to the drive. Sealed fields lie under the contact's own key, which survives superswap. */
export interface Contact extends RecordBase {
  /** `''` for a contact without a name of its own: shown as its id, also after superswap. */
  readonly name: Sealed<string>;
  readonly avatar: Sealed<string>;
  readonly email: Sealed<string>;
  readonly notifications_url: Sealed<string>;
  readonly public_note: Sealed<string>;
  readonly private_note: Sealed<string>;
  readonly evm_public_address: Sealed<string>;
  /** Own id while an explicit placeholder, the former id after redeeming, else `''`. */
  readonly from_placeholder_user_id: string;
  /** `''` once dead. */
  readonly redeem_code: Sealed<string>;
  /** SHA-256 (hex) of the code, `''` once dead. */
  readonly redeem_digest: string;
  /** True if the first call with a signature of this id ends the code. */
  readonly code_ends_on_sign_in: boolean;
  /** Null for contacts that the service made. */
  readonly created_by: string | null;
  /** In clear where an event of an earlier release set it. */
  readonly external_id: Sealed<string | null>;
  /** As `external_id`. */
  readonly external_payload: Sealed<string | null>;
  /** Ids this contact had before, oldest first. */
  readonly past_user_ids: readonly string[];
  /** Names the key of this person's data. */
  readonly subject_key_id: string;
  readonly created_at: number;
  /** Time of the last event that changed the contact. */
  readonly updated_at: number;
}

/** Fields that a client may set and that are sealed under the subject's key. */
export const PERSONAL_FIELDS = [
  'name',
  'avatar',
  'email',
  'notifications_url',
  'public_note',
  'private_note',
  'evm_public_address',
  'external_id',
  'external_payload',
] as const;

export const contactFamily: FamilyDefinition<Contact> = {
  name: 'contacts',
  prefix: PREFIX.user,
  table: 'TABLE_CONTACTS',
  defaults: {
    label_ids: [],
    name: '',
    avatar: '',
    email: '',
    notifications_url: '',
    public_note: '',
    private_note: '',
    evm_public_address: '',
    from_placeholder_user_id: '',
    redeem_code: '',
    redeem_digest: '',
    code_ends_on_sign_in: false,
    created_by: null,
    external_id: null,
    external_payload: null,
    past_user_ids: [],
  },
  user_fields: ['created_by'],
  uncounted_in_superswap: true,
  internal: ['subject_key_id', 'code_ends_on_sign_in', 'updated_at'],
  indexes: { ...byExternalId, past_id: (contact) => contact.past_user_ids },
  reusable_ids: true,
};

declare module '../foundation/state.js' {
  interface Records {
    contacts: Contact;
  }
}
