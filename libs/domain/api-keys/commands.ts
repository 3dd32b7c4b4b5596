import type { Fresh, FreshToken } from '../foundation/fresh.js';
import { PREFIX } from '../kernel/ids.js';
import type { Opened } from '../kernel/sealed.js';
import type { ApiKeyFields } from './record.js';

/** A key generated for this command. The token is shown once; the other members are stored. */
export interface FreshApiKey extends FreshToken {
  api_key_id: string;
}

export function freshApiKey(fresh: Fresh): FreshApiKey {
  return { api_key_id: fresh.id(PREFIX.api_key), ...fresh.token() };
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
