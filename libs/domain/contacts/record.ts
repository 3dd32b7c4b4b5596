import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';
import { CONTACT_DEFAULTS, CONTACT_SETTINGS } from '../relations/bare-contact.js';

/** The fields of a contact that a client may set. */
export type ContactFields = {
  [Field in keyof typeof CONTACT_SETTINGS]: Sealed<(typeof CONTACT_SETTINGS)[Field]>;
};

/** A user known to the drive. Its fields are sealed under the contact's own key, which a superswap does not change. */
export interface Contact extends RecordBase, Readonly<ContactFields> {
  /** The own id of a placeholder; after redemption the former id; otherwise `''`. */
  readonly from_placeholder_user_id: string;
  /** `''` once the code is invalid. */
  readonly redeem_code: Sealed<string>;
  /** SHA-256 (hex) of the code; `''` once the code is invalid. */
  readonly redeem_digest: string;
  /** True if the first call with a signature of this id ends the code. */
  readonly code_ends_on_sign_in: boolean;
  /** Null for contacts created by the service. */
  readonly created_by: string | null;
  /** Former ids of the contact, oldest first. */
  readonly past_user_ids: readonly string[];
  /** Id of the key for this person's data. */
  readonly subject_key_id: string;
  readonly created_at: number;
  /** Time of the last event that changed the contact. */
  readonly updated_at: number;
}

/** Fields that a client may set are sealed under the subject's key. */
export const PERSONAL_FIELDS = Object.keys(CONTACT_SETTINGS) as readonly (keyof ContactFields)[];

export const contactFamily: FamilyDefinition<Contact> = {
  name: 'contacts',
  prefix: PREFIX.user,
  table: 'TABLE_CONTACTS',
  defaults: { label_ids: [], ...CONTACT_DEFAULTS },
  user_fields: ['created_by'],
  uncounted_in_superswap: true,
  internal: ['subject_key_id', 'code_ends_on_sign_in', 'updated_at'],
  indexes: { ...byExternalId, past_id: (contact) => contact.past_user_ids },
  reusable_ids: true,
};

/** Refusals of this family's commands and queries. */
export const contactRefusals = {
  'contact-not-found': notFound('contact'),
  'contact-sealed': {
    type: 'contact.sealed',
    status: 409,
    title:
      'The data of this contact is sealed under a key that is missing, as after a restore from before its erasure; delete or erase the contact.',
  },
  'contact-exists': {
    type: 'contact.exists',
    status: 409,
    title: 'A contact with this id already exists.',
  },
  'former-user-id': {
    type: 'user.former-id',
    status: 409,
    title: 'The user id is a former id of another contact.',
  },
  'user-in-use': { type: 'user.in-use', status: 409, title: 'The user id is in use.' },
  'owner-contact-undeletable': {
    type: 'contact.owner-undeletable',
    status: 400,
    title: 'The contact of the owner cannot be deleted.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    contacts: Contact;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof contactRefusals> {}
}
