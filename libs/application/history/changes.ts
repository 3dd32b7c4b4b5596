import type { FamilyDefinition, RecordBase } from '../../domain/kernel/record.js';
import { isDeepStrictEqual } from 'node:util';
import { MASKED } from '../../domain/kernel/fields.js';
import { Box, DRIVE_KEY_ID, type Opener } from '../../domain/kernel/sealed.js';
import { anything, nullable, type Shown, text, view } from '../../domain/kernel/view.js';

/** One field of a record that is not what it was. */
export const fieldChangeView = view('FieldChange', {
  field: text({ example: 'name' }),
  before: nullable(anything, 'Null where there was no record; secrets are `***`'),
  after: nullable(anything, 'Null where there is no record any more; secrets are `***`'),
});
export type FieldChange = Shown<typeof fieldChangeView>;

type Members = Readonly<Record<string, unknown>>;

/** A record as auditors look at it, with how its `get` shows it to the owner, secrets masked. */
export interface Looked {
  readonly record: RecordBase;
  readonly view: () => object;
}

/** What is compared and shown of a member; `identity` differs where the shown forms cannot tell. */
interface ShownValue {
  readonly value: unknown;
  readonly identity: unknown;
}

const ABSENT: ShownValue = { value: null, identity: null };

/**
 * The fields in which two states of a record differ, in the order in which records hold them; of a
 * record made or removed in between, all. Secrets are masked: that one took another's place is told
 * all the same.
 */
export function fieldChanges(
  definition: FamilyDefinition<RecordBase>,
  open: Opener,
  before: Looked | undefined,
  after: Looked | undefined,
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
  looked: Looked | undefined,
): readonly string[] {
  if (!looked) return [];
  return Object.keys({ ...definition.defaults, ...looked.record }).filter(
    (name) => !isInternal(definition, name),
  );
}

/** Ids, digests and what a family keeps for itself are no fields that people know. */
function isInternal({ internal }: FamilyDefinition<RecordBase>, name: string): boolean {
  if (name === 'id' || name === 'revision') return true;
  if (name === 'digest' || name.endsWith('_digest')) return true;
  return (internal as readonly string[] | undefined)?.includes(name) ?? false;
}

function shownOf(
  { defaults }: FamilyDefinition<RecordBase>,
  open: Opener,
  { record, view: present }: Looked,
  field: string,
): ShownValue {
  const own = (record as unknown as Members)[field] ?? (defaults as Members)[field] ?? null;
  if (!(own instanceof Box)) return { value: own, identity: own };
  const clear = open<unknown>(own, field);
  if (own.key_id !== DRIVE_KEY_ID) return { value: clear, identity: clear };
  const shown = present() as Members;
  // Some views show a secret as if there were none.
  const value = shown[field] || MASKED;
  // What is masked would look the same whatever it is; its box tells one from another.
  return { value, identity: isDeepStrictEqual(value, clear) ? clear : own.text };
}
