import type { Evolvers } from '../foundation/evolver.js';
import type { FactoryEvents } from './events.js';

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
