import { hasSystemPrefix, isTableId } from '../../access/resources.js';

const RECORD_ID = /^[A-Za-z]+_[A-Za-z0-9_-]{1,128}$/;

/**
 * The stored form (`TABLE_X` or a record's id) of a system resource as clients write it: `TABLE_DISKS`,
 * `DISKS`, `DiskID_…`, `RECORD_DiskID_…`, `{type: 'Table' | 'Record', value}`, `{Table}` or `{Record}`.
 * Null for anything else, files and folders included.
 */
export function parseSystemResource(input: unknown): string | null {
  if (typeof input === 'string') return tableId(input) ?? recordId(input);
  if (typeof input !== 'object' || input === null) return null;
  const { type, value, Table, Record } = input as { [member: string]: unknown };
  if (type === 'Table') return tableId(value);
  if (type === 'Record') return recordId(value);
  if (type !== undefined || (Table === undefined) === (Record === undefined)) return null;
  return Table === undefined ? recordId(Record) : tableId(Table);
}

function tableId(input: unknown): string | null {
  if (typeof input !== 'string') return null;
  const name = input.startsWith('TABLE_') ? input.slice('TABLE_'.length) : input;
  // Labels were once called tags.
  const table = `TABLE_${name === 'TAGS' ? 'LABELS' : name}`;
  return isTableId(table) ? table : null;
}

function recordId(input: unknown): string | null {
  if (typeof input !== 'string') return null;
  const id = input.startsWith('RECORD_') ? input.slice('RECORD_'.length) : input;
  return RECORD_ID.test(id) && hasSystemPrefix(id) ? id : null;
}
