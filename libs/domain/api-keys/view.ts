import type { SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import type { ApiKey } from './record.js';

export interface ApiKeyView {
  id: string;
  value: string;
  user_id: string;
  name: string;
  private_note: string | null;
  created_at: number;
  begins_at: number;
  expires_at: number;
  is_revoked: boolean;
  labels: string[];
  external_id: string | null;
  external_payload: string | null;
  user_name: string | null;
  permission_previews: readonly SystemType[];
}

/** What is shown of a token after its creation. */
export function maskedToken(last4: string): string {
  return `sk_...${last4}`;
}

/** A key as the caller of `context` sees it; the token itself is never known here. */
export function presentApiKey(context: Context, key: ApiKey): ApiKeyView {
  const access = Access.of(context);
  const user = context.state.contacts.get(key.user_id);
  const sees_note = access.is_owner || access.self(key.user_id) !== null;
  return {
    id: key.id,
    value: maskedToken(key.last4),
    user_id: key.user_id,
    name: context.open(key.name, 'name'),
    private_note: (sees_note && key.private_note) || null,
    created_at: key.created_at,
    begins_at: key.begins_at,
    expires_at: key.expires_at,
    is_revoked: key.is_revoked,
    labels: labelValues(context.state, key),
    external_id: key.external_id || null,
    external_payload: key.external_payload || null,
    user_name: user ? context.open(user.name, 'name') || user.id : null,
    permission_previews: access.systemTypes(key.id),
  };
}
