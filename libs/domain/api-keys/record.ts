import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';

/** The fields of a key that a client may change. */
export interface ApiKeyFields {
  /** Sealed if the service copied a contact's name. */
  name: Sealed<string>;
  private_note: string | null;
  /** ms */
  begins_at: number;
  /** ms; -1 = never. */
  expires_at: number;
  external_id: string | null;
  external_payload: string | null;
}

export interface ApiKey extends RecordBase, Readonly<ApiKeyFields> {
  /** SHA-256 (hex) of the token; the token itself is never stored. */
  readonly digest: string;
  /** Last four characters of the token, for the mask. */
  readonly last4: string;
  readonly user_id: string;
  /** User who created the key; null for the service. */
  readonly created_by: string | null;
  readonly is_revoked: boolean;
  readonly created_at: number;
}

export const API_KEY_DEFAULTS: Pick<
  ApiKeyFields,
  'private_note' | 'external_id' | 'external_payload'
> = { private_note: null, external_id: null, external_payload: null };

export const apiKeyFamily: FamilyDefinition<ApiKey> = {
  name: 'api_keys',
  prefix: PREFIX.api_key,
  table: 'TABLE_API_KEYS',
  noun: 'key',
  defaults: {
    label_ids: [],
    created_by: null,
    begins_at: 0,
    expires_at: -1,
    is_revoked: false,
    ...API_KEY_DEFAULTS,
  },
  user_fields: ['user_id', 'created_by'],
  internal: ['last4'],
  indexes: { ...byExternalId, digest: (key) => key.digest, user: (key) => key.user_id },
  windows: (key) => [key.begins_at, key.expires_at],
};

/** Refusals of this family's commands and queries. */
export const apiKeyRefusals = {
  'api-key-not-found': notFound('api-key', 'API key'),
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    api_keys: ApiKey;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof apiKeyRefusals> {}
}
