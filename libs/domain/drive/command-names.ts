import { apiKeyCommands } from '../api-keys/definitions.js';
import { bookmarkCommands } from '../bookmarks/definitions.js';
import { contactCommands } from '../contacts/definitions.js';
import { directoryCommands } from '../directory/definitions.js';
import { diskCommands } from '../disks/definitions.js';
import { factoryCommands } from '../factory/definitions.js';
import { giftcardCommands } from '../giftcards/definitions.js';
import { groupCommands, inviteCommands } from '../groups/definitions.js';
import { knownDriveCommands } from '../known-drives/definitions.js';
import { labelCommands } from '../labels/definitions.js';
import { organizationCommands } from '../organization/definitions.js';
import { permissionCommands } from '../permissions/definitions.js';
import { purchaseCommands } from '../purchases/definitions.js';
import { webhookCommands } from '../webhooks/definitions.js';

const FAMILIES: readonly Readonly<Record<string, { readonly name: string }>>[] = [
  organizationCommands,
  contactCommands,
  groupCommands,
  inviteCommands,
  diskCommands,
  directoryCommands,
  permissionCommands,
  apiKeyCommands,
  labelCommands,
  knownDriveCommands,
  purchaseCommands,
  bookmarkCommands,
  webhookCommands,
  factoryCommands,
  giftcardCommands,
];

/** Names of all commands of this release, as events are stored with them. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set(
  FAMILIES.flatMap((commands) => Object.values(commands).map(({ name }) => name)),
);
