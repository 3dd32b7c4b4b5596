import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import { type ContactFields, PERSONAL_FIELDS } from './record.js';

export interface ContactEvents {
  ContactCreated: ContactFields & {
    contact_id: string;
    subject_key_id: string;
    from_placeholder_user_id: string;
    redeem_code: Sealed<string>;
    redeem_digest: string;
    code_ends_on_sign_in: boolean;
    created_by: string | null;
    /** MEMBER invite in the everyone group; null if none was created. */
    everyone_invite_id: string | null;
    everyone_inviter_id: string | null;
  };
  /** A member of a new organization: contact, everyone invite and api key in one. */
  MemberJoined: {
    contact_id: string;
    subject_key_id: string;
    name: Sealed<string>;
    everyone_invite_id: string;
    api_key_id: string;
    api_key_digest: string;
    api_key_last4: string;
  };
  ContactUpdated: { contact_id: string; subject_key_id: string } & Partial<ContactFields>;
  ContactDeleted: { contact_id: string };
  /** A person was erased. Every process that handles this event destroys the keys named in it. */
  ContactErased: {
    /** The id in the command: a current or former id of the person. */
    contact_id: string;
    /** The person's remaining contacts, which are deleted. */
    contact_ids: string[];
    /** All keys under which the person's data was ever sealed. */
    subject_key_ids: string[];
  };
  /** A placeholder was redeemed: superswap, and the code is used up. */
  ContactRedeemed: {
    current_user_id: string;
    new_user_id: string;
    subject_key_id: string;
    /** Null: unchanged. */
    public_note: Sealed<string> | null;
  };
  /** The first sign-in by signature ended the contact's redeem code. */
  ContactCodeEnded: { contact_id: string };
}

export const contactSchemas: EventSchemas<ContactEvents> = {
  // Version 1 stored external_id and external_payload in clear.
  ContactCreated: {
    version: 2,
    personal: PERSONAL_FIELDS,
    secret: ['redeem_code'],
    hidden: ['redeem_digest'],
  },
  MemberJoined: { version: 1, personal: ['name'], hidden: ['api_key_digest'] },
  ContactUpdated: { version: 2, personal: PERSONAL_FIELDS },
  ContactDeleted: { version: 1 },
  ContactErased: { version: 1 },
  ContactRedeemed: { version: 1, personal: ['public_note'] },
  ContactCodeEnded: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends ContactEvents {}
}
