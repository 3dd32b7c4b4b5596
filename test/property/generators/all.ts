import type { Commands } from '../../../libs/domain/drive/families.js';
import { apiKeyMakers } from './api-keys.js';
import { bookmarkMakers } from './bookmarks.js';
import { contactMakers } from './contacts.js';
import { directoryMakers } from './directory.js';
import { diskMakers } from './disks.js';
import { factoryMakers } from './factory.js';
import { groupMakers } from './groups.js';
import { knownDriveMakers } from './known-drives.js';
import { labelMakers } from './labels.js';
import type { MakersOf } from './maker.js';
import { organizationMakers } from './organization.js';
import { permissionMakers } from './permissions.js';
import { purchaseMakers } from './purchases.js';
import { webhookMakers } from './webhooks.js';

/** Generators for the commands of all listed families; does not compile while one is missing. */
export const MAKERS: MakersOf<Commands> = {
  ...organizationMakers,
  ...contactMakers,
  ...groupMakers,
  ...diskMakers,
  ...directoryMakers,
  ...permissionMakers,
  ...labelMakers,
  ...apiKeyMakers,
  ...webhookMakers,
  ...knownDriveMakers,
  ...purchaseMakers,
  ...bookmarkMakers,
  ...factoryMakers,
};
