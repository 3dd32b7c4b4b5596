import type { RecordBase } from '../kernel/record.js';
import type { DriveState } from '../foundation/state.js';
import type { EventFacts } from '../kernel/event.js';
import { forEach, type Steps } from '../kernel/steps.js';
import type { Table } from '../kernel/table.js';

/**
 * Replaces a user id in the whole drive: the contact's own id, and every field that a family declares as a user id.
 * Texts, placeholder ids and history do not change.
 */
export function* superswap(
  state: DriveState,
  old_id: string,
  new_id: string,
  facts: EventFacts,
): Steps {
  for (const table of state.tables) yield* replaceIn(table, old_id, new_id);
  const contact = state.contacts.get(old_id);
  if (contact) {
    state.contacts.remove(old_id);
    state.contacts.put({
      ...contact,
      id: new_id,
      past_user_ids: [...contact.past_user_ids.filter((id) => id !== new_id), old_id],
      from_placeholder_user_id: [old_id, new_id].includes(contact.from_placeholder_user_id)
        ? ''
        : contact.from_placeholder_user_id,
      redeem_code: '',
      redeem_digest: '',
      code_ends_on_sign_in: false,
      updated_at: facts.timestamp_ms,
    });
  }
  state.superswaps.put({
    id: facts.event_id,
    old_user_id: old_id,
    new_user_id: new_id,
    created_at: facts.timestamp_ms,
  });
}

/** True if a live record refers to the user or is the user's contact. History does not count. */
export function isReferenced(state: DriveState, user_id: string): boolean {
  return state.contacts.has(user_id) || state.undo_log.referencesTo(user_id) > 0;
}

/** Fields that are not counted: `trashed_by` is bookkeeping. */
const UNCOUNTED_FIELDS = new Set(['trashed_by']);

/** Fields that belong to another record: the file's record contains its current version. */
const FIELDS_OF_ANOTHER = new Set(['version_by']);

/** The number of records that a superswap changes, each counted once: the contact and the records with the id. */
export function* countSwapped(state: DriveState, old_id: string): Steps<number> {
  let count = state.contacts.has(old_id) ? 1 : 0;
  for (const table of state.tables) {
    if (table.definition.uncounted_in_superswap) continue;
    const counted = userFields(table).filter((field) => !UNCOUNTED_FIELDS.has(field));
    const own = counted.filter((field) => !FIELDS_OF_ANOTHER.has(field));
    const of_another = counted.filter((field) => FIELDS_OF_ANOTHER.has(field));
    yield* forEach(yield* table.findHolders(old_id), (id) => {
      const record = table.get(id)!;
      for (const fields of [own, of_another]) if (holds(record, fields, old_id)) count++;
    });
  }
  return count;
}

function holds(record: RecordBase, fields: readonly string[], user_id: string): boolean {
  return fields.some((field) => {
    const held = (record as unknown as Record<string, unknown>)[field];
    return Array.isArray(held) ? held.includes(user_id) : held === user_id;
  });
}

function userFields(table: Table<RecordBase>): readonly string[] {
  return table.definition.user_fields;
}

function* replaceIn(table: Table<RecordBase>, old_id: string, new_id: string): Steps {
  const replaced = (held: unknown): unknown => (held === old_id ? new_id : held);
  yield* forEach(yield* table.findHolders(old_id), (id) => {
    const record = table.get(id)!;
    const swapped: Record<string, unknown> = { ...record };
    for (const field of userFields(table)) {
      const held = swapped[field];
      if (held === old_id) swapped[field] = new_id;
      else if (Array.isArray(held)) swapped[field] = held.map(replaced);
    }
    table.put(swapped as unknown as RecordBase);
  });
}
