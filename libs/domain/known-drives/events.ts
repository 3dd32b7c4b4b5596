import type { EventSchemas } from '../kernel/event.js';
import type { KnownDriveFields } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import { removeRecord } from '../relations/cascade.js';
import { changed, type Summaries } from '../foundation/summary-context.js';

export interface KnownDriveEvents {
  KnownDriveCreated: KnownDriveFields & { drive_id: string };
  /** A changed name of the drive's own record also changes the organization's name. */
  KnownDriveUpdated: { drive_id: string } & Partial<KnownDriveFields>;
  KnownDriveDeleted: { drive_id: string };
}

export const knownDriveSchemas: EventSchemas<KnownDriveEvents> = {
  KnownDriveCreated: { version: 1, secret: ['email'] },
  KnownDriveUpdated: { version: 1, secret: ['email'] },
  KnownDriveDeleted: { version: 1 },
};

export const knownDriveEvolvers: Evolvers<KnownDriveEvents> = {
  KnownDriveCreated(state, { drive_id, ...fields }, { timestamp_ms }) {
    state.drives.put({ ...fields, id: drive_id, last_indexed_ms: null, created_at: timestamp_ms });
  },

  KnownDriveUpdated(state, { drive_id, ...fields }) {
    const drive = state.drives.get(drive_id);
    if (drive) state.drives.put({ ...drive, ...fields });
    if (drive_id === state.drive_id && fields.name !== undefined)
      state.organizations.put({ ...state.organization, name: fields.name });
  },

  KnownDriveDeleted: (state, { drive_id }) => removeRecord(state, state.drives, drive_id),
};

export const knownDriveSummaries: Summaries<KnownDriveEvents> = {
  KnownDriveCreated: ({ actor, name }, { drive_id }) =>
    `${actor} put the organization ${name(drive_id)} into the address book`,

  KnownDriveUpdated: (context, { drive_id }) => changed(context, 'organization', drive_id),

  KnownDriveDeleted: ({ actor, name }, { drive_id }) =>
    `${actor} took the organization ${name(drive_id)} out of the address book`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends KnownDriveEvents {}
}
