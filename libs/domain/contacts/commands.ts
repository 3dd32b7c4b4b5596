import type { FreshApiKey } from '../api-keys/commands.js';
import type { Opened } from '../kernel/sealed.js';
import type { ContactFields } from './record.js';

/** The fields of a contact that a client may set, in clear. */
export type ContactSettings = Opened<ContactFields>;

export interface CreateContact extends Partial<ContactSettings> {
  /** Given, derived or generated; settled before the command. */
  id: string;
  /** True: the id stands for somebody who will redeem it. False: it never shall. */
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
  /** An id that the person has or once had. */
  id: string;
}

export interface RedeemContact {
  current_user_id: string;
  new_user_id: string;
  /** SHA-256 (hex) of the code given, `''` if none was. */
  redeem_digest: string;
  note?: string;
  fresh: FreshApiKey;
}

/** Made by the service when a contact calls by signature while its code waits for that. */
export interface EndContactCode {
  contact_id: string;
}
