import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';

/** The fields of a key that a client may change. */
export interface ApiKeyFields {
  name: Sealed<string>;
  private_note: string | null;
  begins_at: number;
  expires_at: number;
  external_id: string | null;
  external_payload: string | null;
}

export interface ApiKeyEvents {
  ApiKeyCreated: ApiKeyFields & {
    api_key_id: string;
    user_id: string;
    created_by: string | null;
    digest: string;
    last4: string;
    /** Set where `name` was copied from that person's contact. */
    subject_key_id: string | null;
  };
  ApiKeyUpdated: { api_key_id: string; is_revoked?: boolean } & Partial<ApiKeyFields>;
  ApiKeyDeleted: { api_key_id: string };
}

export const apiKeySchemas: EventSchemas<ApiKeyEvents> = {
  ApiKeyCreated: { version: 1, personal: ['name'], hidden: ['digest'] },
  ApiKeyUpdated: { version: 1 },
  ApiKeyDeleted: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends ApiKeyEvents {}
}
