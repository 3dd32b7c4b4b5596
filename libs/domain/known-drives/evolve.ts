import type { Evolvers } from '../foundation/evolver.js';
import { removeGrantsOn } from '../relations/cascade.js';
import type { KnownDriveEvents } from './events.js';

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

  KnownDriveDeleted(state, { drive_id }) {
    removeGrantsOn(state, drive_id);
    state.drives.remove(drive_id);
  },
};
