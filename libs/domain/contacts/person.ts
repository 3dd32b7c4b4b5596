import { Box } from '../kernel/sealed.js';
import type { DriveState } from '../foundation/state.js';

/** A person as far as the drive knows: contacts that are there, and the keys of all there ever were. */
export interface Person {
  readonly contact_ids: readonly string[];
  readonly key_ids: readonly string[];
  /** Every id the person has or had. */
  readonly user_ids: readonly string[];
}

/**
 * Everything about the person who has or had a user id: superswaps connect ids, and a deleted contact
 * may have been created again under the same id. Null if there never was such a contact.
 */
export function personOf(state: DriveState, user_id: string): Person | null {
  const contact_ids = new Set<string>();
  const key_ids = new Set<string>();
  const user_ids = new Set([user_id]);
  // A set is walked to its end, also what is added on the way.
  for (const id of user_ids) {
    const contact = state.contacts.get(id);
    for (const found of [...(contact ? [contact] : []), ...state.contacts.where('past_id', id)]) {
      contact_ids.add(found.id);
      key_ids.add(found.subject_key_id);
      for (const other of [found.id, ...found.past_user_ids]) user_ids.add(other);
    }
    for (const found of state.subjects.deletedOf(id)) {
      key_ids.add(found.key_id);
      for (const other of found.user_ids) user_ids.add(other);
    }
  }
  if (key_ids.size === 0) return null;
  return { contact_ids: [...contact_ids], key_ids: [...key_ids], user_ids: [...user_ids] };
}

/** True if a field of the record lies under one of the keys. */
export function isUnder(record: object, key_ids: ReadonlySet<string>): boolean {
  return Object.values(record).some((value) => value instanceof Box && key_ids.has(value.key_id));
}
