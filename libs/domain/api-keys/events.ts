import type { EventSchemas } from '../kernel/event.js';
import type { ApiKeyFields } from './record.js';

export interface ApiKeyEvents {
  ApiKeyCreated: ApiKeyFields & {
    api_key_id: string;
    user_id: string;
    created_by: string | null;
    digest: string;
    last4: string;
    /** Set if `name` was copied from the contact with this subject key. */
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
