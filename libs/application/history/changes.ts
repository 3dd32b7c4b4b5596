import type { FamilyDefinition, RecordBase } from '../../domain/kernel/record.js';
import { isDeepStrictEqual } from 'node:util';
import { MASKED } from '../../domain/kernel/fields.js';
import { Box, DRIVE_KEY_ID, type Opener } from '../../domain/kernel/sealed.js';
import { anything, nullable, type Shown, text, view } from '../../domain/kernel/view.js';

export const fieldChangeView = view('FieldChange', {
  field: text({ example: 'name' }),
  before: nullable(anything, 'Null if the record did not exist before; secrets are `***`'),
  after: nullable(anything, 'Null if the record no longer exists; secrets are `***`'),
});
export type FieldChange = Shown<typeof fieldChangeView>;

type Members = Readonly<Record<string, unknown>>;

/** A record to compare, with the view that `get` shows to the owner, secrets masked. */
export interface ComparedRecord {
  readonly record: RecordBase;
  readonly view: () => object;
}

/** The shown value of a field, and the value to compare: `identity` distinguishes secrets that look the same masked. */
interface ShownValue {
  readonly value: unknown;
  readonly identity: unknown;
}

const ABSENT: ShownValue = { value: null, identity: null };

/**
 * The fields that differ between two states of a record, in the order of the record's fields. If the record was created
 * or deleted in between, all fields. Secrets are masked, but a changed secret is still listed.
 */
export function fieldChanges(
  definition: FamilyDefinition<RecordBase>,
  open: Opener,
  before: ComparedRecord | undefined,
  after: ComparedRecord | undefined,
): FieldChange[] {
  const names = new Set([...namesOf(definition, before), ...namesOf(definition, after)]);
  const changes: FieldChange[] = [];
  for (const field of names) {
    const was = before ? shownOf(definition, open, before, field) : ABSENT;
    const is = after ? shownOf(definition, open, after, field) : ABSENT;
    if (before && after && isDeepStrictEqual(was.identity, is.identity)) continue;
    changes.push({ field, before: was.value, after: is.value });
  }
  return changes;
}

function namesOf(
  definition: FamilyDefinition<RecordBase>,
  compared: ComparedRecord | undefined,
): readonly string[] {
  if (!compared) return [];
  return Object.keys({ ...definition.defaults, ...compared.record }).filter(
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
  { defaults }: FamilyDefinition<RecordBase>,
  open: Opener,
  { record, view: present }: ComparedRecord,
  field: string,
): ShownValue {
  const own = (record as unknown as Members)[field] ?? (defaults as Members)[field] ?? null;
  if (!(own instanceof Box)) return { value: own, identity: own };
  const clear = open<unknown>(own, field);
  if (own.key_id !== DRIVE_KEY_ID) return { value: clear, identity: clear };
  const shown = present() as Members;
  // Some views show a secret as an empty value.
  const value = shown[field] || MASKED;
  // All masked values look alike; the encrypted text distinguishes them.
  return { value, identity: isDeepStrictEqual(value, clear) ? clear : own.text };
}
