/** Generated values. The application makes them, so that deciders stay pure; in a dry run they are previews. */
export interface Fresh {
  uuid(): string;
  /** An id that no record has had. */
  id(prefix: `${string}ID_`): string;
  /** The id of a user whose key no one holds. */
  userId(): string;
  /** The name of a new subject's key. */
  subjectKey(): string;
  code(): FreshCode;
  token(): FreshToken;
  /** A secret that signs deliveries: `whsec_` and 32 bytes in base64 (Standard Webhooks). */
  webhookSecret(): string;
}

export interface FreshCode {
  code: string;
  /** SHA-256 (hex) of `code`. */
  code_digest: string;
}

/** The token of a new API key. */
export interface FreshToken {
  /** The whole token string. */
  value: string;
  /** SHA-256 (hex) of `value`. */
  digest: string;
  /** The last four characters of `value`. */
  last4: string;
}
