import type { Opened } from '../kernel/sealed.js';
import type { ApiKeyFields } from './record.js';

/** A key made for this command: the token is shown once, the rest is stored. */
export interface FreshApiKey {
  api_key_id: string;
  /** The whole token string. */
  value: string;
  /** SHA-256 (hex) of `value`. */
  digest: string;
  /** The last four characters of `value`. */
  last4: string;
}

export interface CreateApiKey extends Partial<Opened<ApiKeyFields>> {
  id?: string;
  name: string;
  /** Absent: the caller. */
  user_id?: string;
  fresh: FreshApiKey;
}

export interface UpdateApiKey extends Partial<Opened<ApiKeyFields>> {
  id: string;
  is_revoked?: boolean;
}

export interface DeleteApiKey {
  id: string;
}
