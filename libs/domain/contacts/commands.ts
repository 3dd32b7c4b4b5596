import type { FreshApiKey } from '../api-keys/commands.js';
import type { Opened } from '../kernel/sealed.js';
import type { ContactFields } from './record.js';

/** The fields of a contact that a client may set, in clear. */
export type ContactSettings = Opened<ContactFields>;

export interface CreateContact extends Partial<ContactSettings> {
  /** Given, derived or generated; determined before the command. */
  id: string;
  /** True: the id is a placeholder to be redeemed. False: it must not be a placeholder. */
  is_placeholder?: boolean;
  fresh: { subject_key_id: string; invite_id: string; code: string; code_digest: string };
}

export interface UpdateContact extends Partial<ContactSettings> {
  id: string;
}

export interface DeleteContact {
  id: string;
}

export interface EraseContact {
  /** A current or former id of the person. */
  id: string;
}

export interface RedeemContact {
  current_user_id: string;
  new_user_id: string;
  /** SHA-256 (hex) of the given code; `''` without one. */
  redeem_digest: string;
  note?: string;
  fresh: FreshApiKey;
}

/** Run by the service at the first call with a contact's signature, if that ends its code. */
export interface EndContactCode {
  contact_id: string;
}
