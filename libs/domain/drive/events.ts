import { apiKeyMarks } from '../api-keys/events.js';
import { bookmarkMarks } from '../bookmarks/events.js';
import { contactMarks } from '../contacts/events.js';
import { directoryMarks } from '../directory/events.js';
import { diskMarks } from '../disks/events.js';
import { factoryMarks } from '../factory/events.js';
import { giftcardMarks } from '../giftcards/events.js';
import { groupMarks } from '../groups/events.js';
import type { DriveEvents } from '../foundation/events.js';
import type { EventMarks, MarksOf } from '../kernel/event.js';
import { knownDriveMarks } from '../known-drives/events.js';
import { labelMarks } from '../labels/events.js';
import { organizationMarks } from '../organization/events.js';
import { permissionMarks } from '../permissions/events.js';
import { purchaseMarks } from '../purchases/events.js';
import { webhookMarks } from '../webhooks/events.js';

const marks: MarksOf<DriveEvents> = {
  ...organizationMarks,
  ...contactMarks,
  ...groupMarks,
  ...diskMarks,
  ...directoryMarks,
  ...permissionMarks,
  ...apiKeyMarks,
  ...labelMarks,
  ...knownDriveMarks,
  ...purchaseMarks,
  ...bookmarkMarks,
  ...webhookMarks,
  ...factoryMarks,
  ...giftcardMarks,
};

const by_type = new Map<string, EventMarks>(Object.entries(marks));

/** Marks of a stored type, undefined for one that this release does not know. */
export function eventMarks(type: string): EventMarks | undefined {
  return by_type.get(type);
}

/** All stored names this release knows. */
export function eventTypes(): readonly string[] {
  return [...by_type.keys()];
}
