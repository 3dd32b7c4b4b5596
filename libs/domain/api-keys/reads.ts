import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import type { ApiKey } from './record.js';
import { flag, integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { deniedBy } from '../access/denial.js';
import { lines, opened, type ReadDefinition } from '../foundation/reading.js';
import type { Refusal } from '../kernel/refusal.js';

export const apiKeyView = view('ApiKey', {
  id: text({ example: 'ApiKeyID_3f0c…' }),
  value: text('The token in the answer of create; masked in all other answers'),
  user_id: text(),
  name: text({ example: 'Build server' }),
  private_note: nullable(text('Null unless the caller is the key’s user or the owner')),
  created_at: integer(),
  begins_at: integer(),
  expires_at: integer('-1 = never'),
  is_revoked: flag(),
  labels: listOf(text()),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  user_name: nullable(text('Name of the user’s contact')),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
});
export type ApiKeyView = Shown<typeof apiKeyView>;

/** The masked form of a token, shown after its creation. */
export function maskedToken(last4: string): string {
  return `sk_...${last4}`;
}

/** A key as the caller of `context` sees it. The token itself is not stored. */
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

export const apiKeyReads: ReadDefinition<ApiKey, ApiKeyView> = {
  family: 'api_keys',
  not_found: 'api-key-not-found',
  when_hidden: 'forbidden',
  mayRead(context, key) {
    const access = Access.of(context);
    return (access.owner() ?? access.self(key.user_id)) !== null;
  },
  visible(context) {
    if (Access.of(context).is_owner) return 'all';
    return [{ field: 'user_id', among: new Set([context.caller.user_id]) }];
  },
  present: presentApiKey,
  filter_text: (key) => lines(opened(key.name), key.id),
  fields: { user_id: (key) => key.user_id },
};

/** All keys of a user, newest first. Unlike one key, the list is also for holders of VIEW. */
export function listApiKeys(context: Context, user_id: string): ApiKeyView[] | Refusal {
  const access = Access.of(context);
  const keys = [...context.state.api_keys.where('user', user_id)].sort(newestFirst);
  const sees_all = access.self(user_id) !== null || access.can('VIEW', 'TABLE_API_KEYS');
  const shown = sees_all ? keys : keys.filter((key) => access.can('VIEW', key.id));
  if (!sees_all && shown.length === 0)
    return deniedBy(context, (other) => Access.of(other).can('VIEW', 'TABLE_API_KEYS'));
  return shown.map((key) => presentApiKey(context, key));
}

function newestFirst(a: ApiKey, b: ApiKey): number {
  return b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
}
