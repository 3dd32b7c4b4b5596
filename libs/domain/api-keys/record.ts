import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';

export interface ApiKey extends RecordBase {
  /** SHA-256 (hex) of the token; the token itself is never stored. */
  readonly digest: string;
  /** Last four characters of the token, for the mask. */
  readonly last4: string;
  readonly user_id: string;
  /** Who made the key; null if the service did. */
  readonly created_by: string | null;
  /** Sealed where the service copied a contact's name. */
  readonly name: Sealed<string>;
  readonly private_note: string | null;
  readonly begins_at: number;
  /** ms; -1 = never. */
  readonly expires_at: number;
  readonly is_revoked: boolean;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
}

export const apiKeyFamily: FamilyDefinition<ApiKey> = {
  name: 'api_keys',
  prefix: PREFIX.api_key,
  table: 'TABLE_API_KEYS',
  noun: 'key',
  defaults: {
    label_ids: [],
    created_by: null,
    private_note: null,
    begins_at: 0,
    expires_at: -1,
    is_revoked: false,
    external_id: null,
    external_payload: null,
  },
  user_fields: ['user_id', 'created_by'],
  internal: ['last4'],
  indexes: { ...byExternalId, digest: (key) => key.digest, user: (key) => key.user_id },
  windows: (key) => [key.begins_at, key.expires_at],
};

declare module '../foundation/state.js' {
  interface Records {
    api_keys: ApiKey;
  }
}
