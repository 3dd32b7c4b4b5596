import type { Access } from '../access/access.js';
import type { DriveState } from '../foundation/state.js';
import { type Refusal, refuse } from '../kernel/refusal.js';

/** True for an id that a live contact had before a superswap. No user can act under it. */
export function isFormerId(state: DriveState, user_id: string): boolean {
  return state.contacts.count('past_id', user_id) > 0;
}

/** @param pointer the field with the id */
export function refuseFormerId(pointer: string): Refusal {
  return refuse('former-user-id', { pointer, reason: 'is the former id of a contact' });
}

/** The contact whose current or former id this is; former ids cannot be given to others. */
export function contactWith(state: DriveState, user_id: string) {
  const [former] = state.contacts.where('past_id', user_id);
  return state.contacts.get(user_id) ?? former;
}

/** True for the contact itself and for callers with EDIT on it. */
export function seesFormerIds(access: Access, contact_id: string): boolean {
  return access.can('EDIT', contact_id) || access.self(contact_id) !== null;
}

/** False for a former id of a contact whose former ids the caller does not see. */
export function knowsAsId(access: Access, state: DriveState, user_id: string): boolean {
  const contact = contactWith(state, user_id);
  return !contact || contact.id === user_id || seesFormerIds(access, contact.id);
}
