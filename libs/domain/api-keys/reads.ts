import { deniedBy } from '../access/denial.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { lines, opened, type ReadDefinition } from '../foundation/reading.js';
import { type Refusal } from '../kernel/refusal.js';
import type { ApiKey } from './record.js';
import { type ApiKeyView, presentApiKey } from './view.js';

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
