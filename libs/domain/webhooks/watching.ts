import { Access } from '../access/access.js';
import { isFolder } from '../access/resources.js';
import type { Context } from '../drive/decision.js';
import { mayReadGroup } from '../groups/view.js';
import { PREFIX } from '../kernel/ids.js';
import type { Webhook, WebhookEvent } from './record.js';

/** Events of the whole drive: whatever such a webhook names, it is no record that one may see. */
const OF_THE_DRIVE: ReadonlySet<WebhookEvent> = new Set([
  'drive.state_diffs',
  'org.superswap_user',
  'org.inbox.new_mail',
]);

/**
 * True if the caller may see what such a webhook watches: payloads are whole records, so nobody may
 * have sent elsewhere what they could not read here.
 */
export function mayWatch(
  context: Context,
  { event, alt_index }: Pick<Webhook, 'event' | 'alt_index'>,
): boolean {
  const access = Access.of(context);
  if (access.is_owner) return true;
  // A topic of the inbox may look like any id.
  if (OF_THE_DRIVE.has(event)) return access.can('VIEW', 'TABLE_AUDIT');
  if (alt_index.startsWith(PREFIX.group)) return mayReadGroup(access, alt_index);
  if (alt_index.startsWith(PREFIX.label)) return access.can('VIEW', alt_index);
  if (alt_index.startsWith(PREFIX.file) || alt_index.startsWith(PREFIX.folder)) {
    const is_deep = event.startsWith('sub') && isFolder(context.state, alt_index);
    return is_deep ? seesBelow(access, alt_index) : access.canDirectory('VIEW', alt_index);
  }
  // Whatever is not one record: all of a kind, the inbox and its topics.
  return access.can('VIEW', 'TABLE_AUDIT');
}

/** VIEW on a folder that also reaches what lies in it. */
function seesBelow(access: Access, folder_id: string): boolean {
  return access
    .directoryGrants(folder_id)
    .some(
      ({ permission_types: types, inheritable }) =>
        inheritable && (types.includes('VIEW') || types.includes('MANAGE')),
    );
}
