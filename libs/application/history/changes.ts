import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../domain/foundation/decision.js';
import type { FamilyDefinition, RecordBase } from '../../domain/kernel/record.js';
import { MASKED } from '../../domain/kernel/fields.js';
import { Box, DRIVE_KEY_ID, ERASED } from '../../domain/kernel/sealed.js';
import type { RecordChange } from '../../domain/kernel/undo-log.js';
import { anything, nullable, type Shown, text, view } from '../../domain/kernel/view.js';
import { presentRecord } from '../replay/families.js';

export const fieldChangeView = view('FieldChange', {
  field: text({ example: 'name' }),
  before: nullable(anything, 'Null if the record did not exist before; secrets are `***`'),
  after: nullable(anything, 'Null if the record no longer exists; secrets are `***`'),
});
export type FieldChange = Shown<typeof fieldChangeView>;

type Members = Readonly<Record<string, unknown>>;

/** The shown value of a field, and the value to compare: `identity` distinguishes secrets that look the same masked. */
interface ShownValue {
  readonly value: unknown;
  readonly identity: unknown;
}

const ABSENT: ShownValue = { value: null, identity: null };

/**
 * The fields that differ between two states of a record, in the order of the record's fields. If the record was created
 * or deleted in between, all fields. Secrets are masked, but a changed secret is still listed.
 * @param auditor has the view of the owner, secrets masked
 */
export function fieldChanges(
  auditor: Context,
  { definition, before, after }: Omit<RecordChange, 'id'>,
): FieldChange[] {
  const names = new Set([...namesOf(definition, before), ...namesOf(definition, after)]);
  const changes: FieldChange[] = [];
  for (const field of names) {
    const was = before ? shownOf(auditor, definition, before, field) : ABSENT;
    const is = after ? shownOf(auditor, definition, after, field) : ABSENT;
    if (before && after && isDeepStrictEqual(was.identity, is.identity)) continue;
    changes.push({ field, before: was.value, after: is.value });
  }
  return changes;
}

function namesOf(
  definition: FamilyDefinition<RecordBase>,
  record: RecordBase | undefined,
): readonly string[] {
  if (!record) return [];
  return Object.keys({ ...definition.defaults, ...record }).filter(
    (name) => !isInternal(definition, name),
  );
}

/** Ids, digests and internal fields of the family are not shown. */
function isInternal({ internal }: FamilyDefinition<RecordBase>, name: string): boolean {
  if (name === 'id' || name === 'revision') return true;
  if (name === 'digest' || name.endsWith('_digest')) return true;
  return (internal as readonly string[] | undefined)?.includes(name) ?? false;
}

function shownOf(
  auditor: Context,
  { name, defaults }: FamilyDefinition<RecordBase>,
  record: RecordBase,
  field: string,
): ShownValue {
  const own = (record as unknown as Members)[field] ?? (defaults as Members)[field] ?? null;
  if (!(own instanceof Box)) return { value: own, identity: own };
  const clear = auditor.open<unknown>(own, field);
  if (own.key_id !== DRIVE_KEY_ID)
    return { value: clear, identity: clear === ERASED ? own.text : clear };
  const shown = presentRecord(auditor, name, record) as Members;
  // Some views show a secret as an empty value.
  const value = shown[field] || MASKED;
  // All masked values look alike, as all erased ones do; the encrypted text distinguishes them.
  return { value, identity: isDeepStrictEqual(value, clear) ? clear : own.text };
}
