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

interface ApiKeySettings {
  name: string;
  private_note: string | null;
  /** ms */
  begins_at: number;
  /** ms; -1 = never. */
  expires_at: number;
  external_id: string | null;
  external_payload: string | null;
}

export interface CreateApiKey extends Partial<ApiKeySettings> {
  id?: string;
  name: string;
  /** Absent: the caller. */
  user_id?: string;
  fresh: FreshApiKey;
}

export interface UpdateApiKey extends Partial<ApiKeySettings> {
  id: string;
  is_revoked?: boolean;
}

export interface DeleteApiKey {
  id: string;
}
