import { Access } from '../../domain/access/access.js';
import { resolveCaller } from '../../domain/access/caller.js';
import { isAuditor } from '../../domain/access-questions/rights.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { MASKED } from '../../domain/kernel/fields.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { CommandRequest, DecidedEvent } from './call.js';

type Body = Readonly<Record<string, unknown>>;

/** Events whose `name` comes from the item instead of the caller. */
const OWN_NAME: ReadonlySet<string> = new Set(['ItemTrashed', 'ItemRestored']);

/**
 * Shows the events of a dry run as its caller may see them: without VIEW on an item its name is masked, and only
 * auditors learn which records an event changes besides those that its body names. Few commands require VIEW on all
 * that they change.
 *
 * @param state as it is without the events
 */
export function showingEvents(
  state: DriveState,
  { credential }: Pick<CommandRequest, 'credential'>,
  now: number,
): (decided: DecidedEvent) => DecidedEvent {
  const caller = resolveCaller(state, credential, now);
  const access = new Access(state, isRefusal(caller) ? '' : caller.user_id, now);
  const is_auditor = isAuditor(access);
  return ({ event, body, touched }) => ({
    event,
    body: { ...body, ...masked(access, event.type, body as Body) } as DecidedEvent['body'],
    touched: is_auditor ? touched : namedIn(body as Body, touched),
  });
}

/** What an event says of items that the caller may not VIEW: names, and the items that a copy leaves out. */
function masked(access: Access, type: string, body: Body): Body {
  const { left_out } = body;
  if (Array.isArray(left_out))
    return { left_out: (left_out as string[]).filter((one) => access.canDirectory('VIEW', one)) };
  const id = [body['item_id'], body['file_id'], body['folder_id']].find((one) => one);
  const is_known = typeof id === 'string' && access.exists(id);
  if (!is_known || access.canDirectory('VIEW', id)) return {};
  return {
    ...(OWN_NAME.has(type) && { name: MASKED }),
    ...(body['object_name'] ? { object_name: MASKED } : {}),
  };
}

function namedIn(body: Body, touched: readonly TouchedKey[]): readonly TouchedKey[] {
  const named = new Set(Object.values(body).flat());
  return touched.filter(({ id }) => named.has(id));
}
