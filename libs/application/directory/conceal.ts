import { Access } from '../../domain/access/access.js';
import { resolveCaller } from '../../domain/access/caller.js';
import { MASKED } from '../../domain/kernel/fields.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import type { CommandRequest, DecidedEvent } from '../../engine/writer/call.js';
import type { Drive } from '../../engine/writer/drive.js';

/** Events whose `name` is the item's own, not one that the caller gave. */
const OWN_NAME: ReadonlySet<string> = new Set(['ItemTrashed', 'ItemRestored']);

/**
 * The events of a dry run as its caller may read them: names of files and folders that it may not VIEW
 * are masked. To delete or change an item takes no VIEW, and the answer itself does not tell its name.
 */
export async function concealNames(
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
