import type { Access, Evidence } from '../../access/access.js';
import { isFolder } from '../../access/resources.js';
import { groupReader } from '../../groups/reads.js';
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
 * What lets the caller see the watched resource of such a webhook, or null: payloads are whole records, so a webhook
 * must not send what its creator could not read.
 */
export function mayWatch(access: Access, { event, alt_index }: Watch): Evidence | null {
  const owner = access.owner();
  if (owner) return owner;
  // A topic of the inbox may look like any id.
  if (watchesAll({ event, alt_index })) return access.system('VIEW', 'TABLE_AUDIT');
  if (alt_index.startsWith(PREFIX.group)) return groupReader(access, alt_index);
  if (alt_index.startsWith(PREFIX.label)) return access.system('VIEW', alt_index);
  if (alt_index.startsWith(PREFIX.file) || alt_index.startsWith(PREFIX.folder)) {
    const is_deep = event.startsWith('sub') && isFolder(access.state, alt_index);
    return is_deep ? access.viewBelow(alt_index) : access.directory('VIEW', alt_index);
  }
  // Stored before combinations that can never fire were refused.
  return access.system('VIEW', 'TABLE_AUDIT');
}
