import { changed, type Summaries } from '../foundation/summary-context.js';
import type { KnownDriveEvents } from './events.js';

export const knownDriveSummaries: Summaries<KnownDriveEvents> = {
  KnownDriveCreated: ({ actor, name }, { drive_id }) =>
    `${actor} put the organization ${name(drive_id)} into the address book`,

  KnownDriveUpdated: (context, { drive_id }) => changed(context, 'organization', drive_id),

  KnownDriveDeleted: ({ actor, name }, { drive_id }) =>
    `${actor} took the organization ${name(drive_id)} out of the address book`,
};
