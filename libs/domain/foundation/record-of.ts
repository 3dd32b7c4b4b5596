import type { RecordBase } from '../kernel/record.js';
import type { Table } from '../kernel/table.js';
import type { DriveState } from './state.js';

export function tableOfRecord(state: DriveState, record_id: string): Table<RecordBase> | undefined {
  const family = state.kinds.familyOf(record_id);
  return family === undefined ? undefined : state.table(family);
}

/** The live record with that id, whatever its family. */
export function recordOf(state: DriveState, record_id: string): RecordBase | undefined {
  return tableOfRecord(state, record_id)?.get(record_id);
}
