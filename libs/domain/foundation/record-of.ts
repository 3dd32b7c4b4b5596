import type { RecordBase } from '../kernel/record.js';
import type { ReadDefinition } from './reading.js';
import './record-kinds.js';
import type { Table } from '../kernel/table.js';
import type { DriveState } from './state.js';

export type FamilyReads<R extends RecordBase> = Pick<
  ReadDefinition<R, unknown>,
  'family' | 'mayRead' | 'mayAsk'
>;

/** A family whose records can carry labels and are found by external id. */
export interface RecordFamily {
  readonly reads: FamilyReads<RecordBase>;
  /** True: directory permissions decide about its records, not system permissions. */
  readonly is_directory: boolean;
}

declare module './state.js' {
  interface DriveState {
    /** Families whose records carry labels and are found by external id. */
    readonly record_families: readonly RecordFamily[];
    /** One of them by its API name. */
    recordFamily(name: string): RecordFamily | undefined;
  }
}

/** The family of a record by its id, whether the record exists or not; undefined for other ids. */
export function recordFamilyOf(state: DriveState, record_id: string): RecordFamily | undefined {
  return state.recordFamily(state.kinds.familyOf(record_id) ?? '');
}

export function tableOfRecord(state: DriveState, record_id: string): Table<RecordBase> | undefined {
  const family = state.kinds.familyOf(record_id);
  return family === undefined ? undefined : state.table(family);
}

/** The live record of that id, whatever its family. */
export function recordOf(state: DriveState, record_id: string): RecordBase | undefined {
  return tableOfRecord(state, record_id)?.get(record_id);
}
