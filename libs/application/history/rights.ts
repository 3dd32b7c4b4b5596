import type { RecordBase } from '../../domain/kernel/record.js';
import { Access } from '../../domain/access/access.js';
import type { Context } from '../../domain/foundation/decision.js';
import { SHOWN_RECORDS } from '../../domain/drive/record-kinds.js';

/**
 * True if the caller may currently read a record through its `get`, even if the record is from a past state. Families
 * without a `get` require AUDIT for their history.
 */
export function mayReadRecord(context: Context, family: string, record: RecordBase): boolean {
  if (family === 'organization') return Access.of(context).can('VIEW', record.id);
  const known = SHOWN_RECORDS.find(({ definition: { name, prefix } }) => prefix && name === family);
  return known?.reads.mayRead(context, record) ?? false;
}
