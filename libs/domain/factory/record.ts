import type { FamilyDefinition, RecordBase } from '../kernel/table.js';

/** A drive that the factory has named. Only these exist for callers. */
export interface SpawnedDrive extends RecordBase {
  readonly created_at: number;
}

export const spawnedDriveFamily: FamilyDefinition<SpawnedDrive> = {
  name: 'spawned_drives',
  defaults: {},
  user_fields: [],
};
