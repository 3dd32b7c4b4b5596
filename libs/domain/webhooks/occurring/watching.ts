import type { Access } from '../../access/access.js';
import { isFolder } from '../../access/resources.js';
import { mayReadGroup } from '../../groups/reads.js';
import { PREFIX } from '../../kernel/ids.js';
import { WATCHES, type Webhook, type WebhookEvent } from '../record.js';

type Watch = Pick<Webhook, 'event' | 'alt_index'>;

/** Events of the whole drive: such a webhook watches no single record. */
const OF_THE_DRIVE: ReadonlySet<WebhookEvent> = new Set([
  'drive.state_diffs',
  'org.superswap_user',
  'org.inbox.new_mail',
]);

/** Values that stand for several records. */
const ALL_OF_A_KIND: ReadonlySet<string> = new Set(Object.values(WATCHES));

/** True for a webhook that requires permission to read everything. */
export function watchesAll({ event, alt_index }: Watch): boolean {
  return OF_THE_DRIVE.has(event) || ALL_OF_A_KIND.has(alt_index);
}

/**
 * True if the caller may see the watched resource of such a webhook: payloads are whole records, so a webhook must
 * not send what its creator could not read.
 */
export function mayWatch(access: Access, { event, alt_index }: Watch): boolean {
  if (access.is_owner) return true;
  // A topic of the inbox may look like any id.
  if (watchesAll({ event, alt_index })) return access.can('VIEW', 'TABLE_AUDIT');
  if (alt_index.startsWith(PREFIX.group)) return mayReadGroup(access, alt_index);
  if (alt_index.startsWith(PREFIX.label)) return access.can('VIEW', alt_index);
  if (alt_index.startsWith(PREFIX.file) || alt_index.startsWith(PREFIX.folder)) {
    const is_deep = event.startsWith('sub') && isFolder(access.state, alt_index);
    return is_deep ? seesBelow(access, alt_index) : access.canDirectory('VIEW', alt_index);
  }
  // Stored before combinations that can never fire were refused.
  return access.can('VIEW', 'TABLE_AUDIT');
}

/** VIEW on a folder that its content inherits. */
function seesBelow(access: Access, folder_id: string): boolean {
  return access
    .directoryGrants(folder_id)
    .some(
      ({ permission_types: types, inheritable }) =>
        inheritable && (types.includes('VIEW') || types.includes('MANAGE')),
    );
}
