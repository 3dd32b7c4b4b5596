import { presentApiKey } from '../../domain/api-keys/view.js';
import { presentBookmark } from '../../domain/bookmarks/view.js';
import { presentContact } from '../../domain/contacts/view.js';
import { presentFile } from '../../domain/directory/file-view.js';
import { presentFolder } from '../../domain/directory/folder-view.js';
import { presentDisk } from '../../domain/disks/view.js';
import type { Context } from '../../domain/foundation/decision.js';
import { presentInvite } from '../../domain/groups/invites-view.js';
import { presentGroup } from '../../domain/groups/view.js';
import { presentKnownDrive } from '../../domain/known-drives/view.js';
import { presentLabel } from '../../domain/labels/view.js';
import {
  presentOrganization,
  presentShortlink,
  presentSuperswap,
} from '../../domain/organization/view.js';
import {
  presentDirectoryPermission,
  presentSystemPermission,
} from '../../domain/permissions/view.js';
import { presentPurchase } from '../../domain/purchases/view.js';
import { presentWebhook } from '../../domain/webhooks/view.js';

/** Names of families that may be included in a replay, in the order in which it shows them. */
export const REPLAY_FAMILIES = [
  'organization',
  'contacts',
  'groups',
  'group_invites',
  'disks',
  'folders',
  'files',
  'directory_permissions',
  'system_permissions',
  'labels',
  'api_keys',
  'webhooks',
  'drives',
  'shortlinks',
  'superswaps',
  'purchases',
  'bookmarks',
] as const;
export type ReplayFamily = (typeof REPLAY_FAMILIES)[number];

type Present = (context: Context, record: never) => object;

const present: Partial<Record<ReplayFamily, Present>> = {
  organization: presentOrganization,
  contacts: presentContact,
  groups: presentGroup,
  group_invites: presentInvite,
  disks: presentDisk,
  folders: presentFolder,
  files: presentFile,
  directory_permissions: presentDirectoryPermission,
  system_permissions: presentSystemPermission,
  labels: presentLabel,
  api_keys: presentApiKey,
  webhooks: presentWebhook,
  drives: presentKnownDrive,
  purchases: presentPurchase,
  shortlinks: presentShortlink,
  superswaps: presentSuperswap,
  bookmarks: presentBookmark,
};

/** Shows a record of any family as its `get` would. */
export function presentRecord(context: Context, family: string, record: object): object {
  const show = present[family as ReplayFamily];
  if (!show) throw new Error(`family ${family} cannot be shown`);
  return show(context, record as never);
}

/** How many records of each family a state holds, all families named. */
export function countRecords(context: Context): Record<ReplayFamily, number> {
  const counts = REPLAY_FAMILIES.map((family) => [family, context.state.table(family)?.size ?? 0]);
  return Object.fromEntries(counts) as Record<ReplayFamily, number>;
}
