import type { FamilyDefinition, RecordBase } from '../kernel/record.js';

/** A drive that the factory has named. Only these exist for callers. */
export interface SpawnedDrive extends RecordBase {
  readonly created_at: number;
  /** True while its stream is being brought here: it is closed. */
  readonly importing: boolean;
}

export const spawnedDriveFamily: FamilyDefinition<SpawnedDrive> = {
  name: 'spawned_drives',
  defaults: { importing: false },
  user_fields: [],
};

declare module '../foundation/state.js' {
  interface Records {
    spawned_drives: SpawnedDrive;
  }
}
