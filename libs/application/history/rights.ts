import type { RecordBase } from '../../domain/kernel/record.js';
import { Access } from '../../domain/access/access.js';
import type { Context } from '../../domain/foundation/decision.js';
import { RECORDS } from '../../domain/drive/record-kinds.js';

/**
 * True if the caller may read a record as its `get` would show it: now, even if the record is of the
 * past. The history of what has no `get` takes AUDIT.
 */
export function mayReadRecord(context: Context, family: string, record: RecordBase): boolean {
  if (family === 'organization') return Access.of(context).can('VIEW', record.id);
  const known = RECORDS.find(({ definition: { name, prefix } }) => prefix && name === family);
  return known?.reads.mayRead(context, record) ?? false;
}
