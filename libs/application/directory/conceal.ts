import { Access } from '../../domain/access/access.js';
import { resolveCaller } from '../../domain/access/caller.js';
import { MASKED } from '../../domain/kernel/fields.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import type { CommandRequest, DecidedEvent } from '../../engine/writer/call.js';
import type { Drive } from '../../engine/writer/drive.js';

/** Events whose `name` comes from the item instead of the caller. */
const OWN_NAME: ReadonlySet<string> = new Set(['ItemTrashed', 'ItemRestored']);

/**
 * Masks names in the events of a dry run if the caller may not VIEW the item. Deleting or changing an item does not
 * require VIEW, so the events must not reveal its name. Nor do they name the items that a copy leaves out because the
 * caller may not VIEW them.
 */
export async function concealItems(
  drive: Drive,
  { credential }: CommandRequest,
  events: readonly DecidedEvent[],
): Promise<DecidedEvent[]> {
  await drive.durable();
  const { state } = drive;
  const now = drive.now();
  const caller = resolveCaller(state, credential, now);
  if (isRefusal(caller)) return [];
  const access = new Access(state, caller.user_id, now);
  return events.map((decided) => {
    const body = decided.body as unknown as Readonly<Record<string, unknown>>;
    const { left_out } = body;
    if (Array.isArray(left_out)) {
      const seen = (left_out as string[]).filter((one) => access.canDirectory('VIEW', one));
      return { ...decided, body: { ...body, left_out: seen } as unknown as DecidedEvent['body'] };
    }
    const id = [body['item_id'], body['file_id'], body['folder_id']].find((one) => one);
    const is_known = typeof id === 'string' && access.exists(id);
    if (!is_known || access.canDirectory('VIEW', id)) return decided;
    const masked = {
      ...(OWN_NAME.has(decided.event.type) && { name: MASKED }),
      ...(body['object_name'] ? { object_name: MASKED } : {}),
    };
    return { ...decided, body: { ...body, ...masked } as unknown as DecidedEvent['body'] };
  });
}
