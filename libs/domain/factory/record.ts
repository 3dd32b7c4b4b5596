import type { FamilyDefinition, RecordBase } from '../kernel/record.js';

/** A drive registered by the factory. For callers only these exist. */
export interface SpawnedDrive extends RecordBase {
  readonly created_at: number;
  /** True while its stream is being imported; the drive is closed until then. */
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
