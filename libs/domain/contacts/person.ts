import { Box } from '../kernel/sealed.js';
import type { DriveState } from '../foundation/state.js';
import { contactWith } from '../relations/former-ids.js';

/** A person known to the drive: the current contact, and the keys of it and of all former ones. */
export interface Person {
  /** The current contact, if there is one. */
  readonly contact_ids: readonly string[];
  readonly key_ids: readonly string[];
  /** All current and former ids of the person. */
  readonly user_ids: readonly string[];
}

/**
 * The person with a current or former user id. Superswaps connect ids, and a deleted contact may have been created
 * again under the same id. Who now has another id of theirs is another person. Null if no contact ever had the id.
 */
export function personOf(state: DriveState, user_id: string): Person | null {
  const contact = contactWith(state, user_id);
  const key_ids = new Set(contact && [contact.subject_key_id]);
  const user_ids = new Set([user_id, ...(contact ? [contact.id, ...contact.past_user_ids] : [])]);
  // A set's iteration includes ids added during it.
  for (const id of user_ids)
    for (const found of state.subjects.deletedOf(id)) {
      key_ids.add(found.key_id);
      for (const other of found.user_ids) user_ids.add(other);
    }
  if (key_ids.size === 0) return null;
  const contact_ids = contact ? [contact.id] : [];
  return { contact_ids, key_ids: [...key_ids], user_ids: [...user_ids] };
}

/** True if a field of the record is sealed under one of the keys. */
export function isUnder(record: object, key_ids: ReadonlySet<string>): boolean {
  return Object.values(record).some((value) => value instanceof Box && key_ids.has(value.key_id));
}
