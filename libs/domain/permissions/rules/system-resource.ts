import type { RecordKinds } from '../../foundation/record-kinds.js';

const RECORD_ID = /^[A-Za-z]+_[A-Za-z0-9_-]{1,128}$/;

/**
 * The stored form (`TABLE_X` or a record's id) of a system resource as clients write it: `TABLE_DISKS`,
 * `DISKS`, `DiskID_…`, `RECORD_DiskID_…`, `{type: 'Table' | 'Record', value}`, `{Table}` or `{Record}`.
 * Null for anything else, files and folders included.
 */
export function parseSystemResource(kinds: RecordKinds, input: unknown): string | null {
  if (typeof input === 'string') return tableId(kinds, input) ?? recordId(kinds, input);
  if (typeof input !== 'object' || input === null) return null;
  const { type, value, Table, Record } = input as { [member: string]: unknown };
  if (type === 'Table') return tableId(kinds, value);
  if (type === 'Record') return recordId(kinds, value);
  if (type !== undefined || (Table === undefined) === (Record === undefined)) return null;
  return Table === undefined ? recordId(kinds, Record) : tableId(kinds, Table);
}

function tableId(kinds: RecordKinds, input: unknown): string | null {
  if (typeof input !== 'string') return null;
  const name = input.startsWith('TABLE_') ? input.slice('TABLE_'.length) : input;
  // Labels were once called tags.
  const table = `TABLE_${name === 'TAGS' ? 'LABELS' : name}`;
  return kinds.isTable(table) ? table : null;
}

function recordId(kinds: RecordKinds, input: unknown): string | null {
  if (typeof input !== 'string') return null;
  const id = input.startsWith('RECORD_') ? input.slice('RECORD_'.length) : input;
  return RECORD_ID.test(id) && kinds.of(id)?.definition.table ? id : null;
}
