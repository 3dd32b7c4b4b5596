import type { FreshApiKey } from '../api-keys/commands.js';
import type { FreshDisk } from '../disks/commands.js';

export interface TransferOwnership {
  /** Absent only together with `cancel`. */
  next_owner_id?: string;
  cancel?: boolean;
  fresh: { subject_key_id: string; everyone_invite_id: string };
}

export interface UpdateAllowedDomains {
  /** Comma-separated host names; `''` clears the list. */
  allowed_domains: string;
}

export interface SuperswapUser {
  current_user_id: string;
  new_user_id: string;
}

export interface RedeemOrganization {
  /** SHA-256 (hex) of the given code. */
  redeem_digest: string;
  fresh: { api_key: FreshApiKey; disk: FreshDisk };
}

export interface NotifyInbox {
  /** If given, it must be this drive. */
  drive_id?: string;
  topic?: string | null;
  payload?: unknown;
  fresh: { inbox_notif_id: string };
}

export interface CreateShortlink {
  original_url: string;
  fresh: { slug: string };
}

export interface RemoveShortlink {
  slug: string;
}

/** Records that the drive's read models were rebuilt. */
export interface RecordReindex {
  events_folded: number;
  documents_written: number;
}
