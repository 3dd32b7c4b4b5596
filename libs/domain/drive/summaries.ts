import type { DriveEvents } from '../foundation/events.js';
import { apiKeySummaries } from '../api-keys/summaries.js';
import { bookmarkSummaries } from '../bookmarks/summaries.js';
import { contactSummaries } from '../contacts/summaries.js';
import { directorySummaries } from '../directory/summaries.js';
import { diskSummaries } from '../disks/summaries.js';
import { factorySummaries } from '../factory/summaries.js';
import { giftcardSummaries } from '../giftcards/summaries.js';
import { groupSummaries } from '../groups/summaries.js';
import { knownDriveSummaries } from '../known-drives/summaries.js';
import { labelSummaries } from '../labels/summaries.js';
import { organizationSummaries } from '../organization/summaries.js';
import { permissionSummaries } from '../permissions/summaries.js';
import { purchaseSummaries } from '../purchases/summaries.js';
import { webhookSummaries } from '../webhooks/summaries.js';
import type { Summaries, Telling } from '../foundation/telling.js';

/** A line for every type of event: a type without one does not compile. */
const summaries: Summaries<DriveEvents> = {
  ...organizationSummaries,
  ...contactSummaries,
  ...groupSummaries,
  ...diskSummaries,
  ...directorySummaries,
  ...permissionSummaries,
  ...apiKeySummaries,
  ...labelSummaries,
  ...knownDriveSummaries,
  ...purchaseSummaries,
  ...bookmarkSummaries,
  ...webhookSummaries,
  ...factorySummaries,
  ...giftcardSummaries,
};

type AnySummary = (told: Telling, data: unknown) => string;
const by_type = new Map(Object.entries(summaries) as [string, AnySummary][]);

/** What happened, as one plain English line. */
export function summarize(told: Telling, type: string, data: unknown): string {
  const summary = by_type.get(type);
  // A newer release wrote it: nothing more can be said here.
  return summary ? summary(told, data) : `${told.actor} did something of the type ${type}`;
}
