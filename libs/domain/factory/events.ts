import type { EventSchemas } from '../kernel/event.js';
import type { Evolvers } from '../foundation/evolver.js';
import type { Summaries } from '../foundation/summary-context.js';

export interface FactoryEvents {
  /** A drive whose stream was already appended is registered and exists from now on. */
  DriveSpawned: { drive_id: string };
  /** The import of a drive from another installation has begun; the drive is closed until it ends. */
  DriveImportBegun: { drive_id: string };
  /** The drive's stream is complete, up to the event with this revision and hash (hex); the drive is open. */
  DriveImported: { drive_id: string; revision: number; chain_hash: string };
}

export const factorySchemas: EventSchemas<FactoryEvents> = {
  DriveSpawned: { version: 1 },
  DriveImportBegun: { version: 1 },
  DriveImported: { version: 1 },
};

export const factoryEvolvers: Evolvers<FactoryEvents> = {
  DriveSpawned(state, { drive_id }, { timestamp_ms }) {
    state.spawned_drives.put({ id: drive_id, created_at: timestamp_ms, importing: false });
  },

  DriveImportBegun(state, { drive_id }, { timestamp_ms }) {
    state.spawned_drives.put({ id: drive_id, created_at: timestamp_ms, importing: true });
  },

  DriveImported(state, { drive_id }, { timestamp_ms }) {
    state.spawned_drives.put({ id: drive_id, created_at: timestamp_ms, importing: false });
  },
};

export const factorySummaries: Summaries<FactoryEvents> = {
  DriveSpawned: (_, { drive_id }) => `The organization ${drive_id} came to be`,
  DriveImportBegun: (_, { drive_id }) => `The import of the organization ${drive_id} began`,
  DriveImported: (_, { drive_id, revision }) =>
    `The organization ${drive_id} was imported up to revision ${revision}`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends FactoryEvents {}
}
