import { Box } from '../kernel/sealed.js';
import type { DriveState } from '../foundation/state.js';
import { contactWith } from '../relations/former-ids.js';

/** A person known to the drive: the current contacts, and the keys of all current and former ones. */
export interface Person {
  readonly contact_ids: readonly string[];
  readonly key_ids: readonly string[];
  /** All current and former ids of the person. */
  readonly user_ids: readonly string[];
}

/**
 * The person with a current or former user id. Superswaps connect ids, and a deleted contact may have been created
 * again under the same id. Two contacts are two people, also if a superswap once connected their ids. Null if no contact
 * ever had the id.
 */
export function personOf(state: DriveState, user_id: string): Person | null {
  const own = contactWith(state, user_id);
  const contact_ids = new Set<string>();
  const key_ids = new Set<string>();
  const user_ids = new Set([user_id]);
  // A set's iteration includes ids added during it.
  for (const id of user_ids) {
    const contact = own ?? contactWith(state, id);
    if (contact) {
      contact_ids.add(contact.id);
      key_ids.add(contact.subject_key_id);
      for (const other of [contact.id, ...contact.past_user_ids]) user_ids.add(other);
    }
    for (const found of state.subjects.deletedOf(id)) {
      key_ids.add(found.key_id);
      for (const other of found.user_ids) user_ids.add(other);
    }
  }
  if (key_ids.size === 0) return null;
  return { contact_ids: [...contact_ids], key_ids: [...key_ids], user_ids: [...user_ids] };
}

/** True if a field of the record is sealed under one of the keys. */
export function isUnder(record: object, key_ids: ReadonlySet<string>): boolean {
  return Object.values(record).some((value) => value instanceof Box && key_ids.has(value.key_id));
}
