import { changed, type Summaries } from '../foundation/telling.js';
import type { KnownDriveEvents } from './events.js';

export const knownDriveSummaries: Summaries<KnownDriveEvents> = {
  KnownDriveCreated: ({ actor, name }, { drive_id }) =>
    `${actor} put the organization ${name(drive_id)} into the address book`,

  KnownDriveUpdated: (told, { drive_id }) => changed(told, 'organization', drive_id),

  KnownDriveDeleted: ({ actor, name }, { drive_id }) =>
    `${actor} took the organization ${name(drive_id)} out of the address book`,
};
