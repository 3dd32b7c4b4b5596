import type { Id, World } from './world.js';

/** semantics-superswap.md: places that name a user, and the replacement of an id in all of them. */

/** Fields that keep their ids: "Not changed: … placeholder ids". */
const KEPT = ['from_placeholder_user_id', 'from_placeholder_invitee', 'past_user_ids'];

/** "A former id of a superswapped contact". */
export function isFormerId(world: World, user: Id): boolean {
  return [...world.contacts.values()].some(({ past_user_ids }) => past_user_ids.includes(user));
}

/** "Old id is referenced by some live record, with or without contact." */
export function isReferredTo(world: World, user: Id): boolean {
  if (world.owner === user || world.pending?.user === user) return true;
  return world.tables.some((table) =>
    [...table.values()].some((record) =>
      Object.entries(record).some(
        ([field, value]) =>
          !KEPT.includes(field) &&
          (value === user || (Array.isArray(value) && value.includes(user))),
      ),
    ),
  );
}

/** "Preconditions": "new id is neither a contact nor a former id of another contact (409)". */
export function canBecome(world: World, current: Id, next: Id): boolean {
  const others = [...world.contacts.values()].filter(({ id }) => id !== current);
  return (
    !world.contacts.has(next) && !others.some(({ past_user_ids }) => past_user_ids.includes(next))
  );
}

/** All places of the table, in one go. */
export function superswap(world: World, current: Id, next: Id): void {
  for (const table of world.tables)
    for (const record of table.values() as Iterable<Record<string, unknown>>)
      for (const [field, value] of Object.entries(record)) {
        if (KEPT.includes(field)) continue;
        if (value === current) record[field] = next;
        if (Array.isArray(value))
          record[field] = value.map((entry) => (entry === current ? next : entry));
      }
  const contact = world.contacts.get(current);
  if (contact) {
    world.contacts.delete(current);
    world.contacts.set(next, contact);
    contact.past_user_ids = [...contact.past_user_ids.filter((id) => id !== next), current];
    // "Plain superswap also erases the redeem code."
    contact.has_code = false;
    // contacts.md: "own id while an explicit placeholder; the former id after redeeming", else empty.
    const { from_placeholder_user_id } = contact;
    if (from_placeholder_user_id === current || from_placeholder_user_id === next)
      contact.from_placeholder_user_id = null;
  }
  if (world.owner === current) world.owner = next;
  if (world.pending?.user === current) world.pending.user = next;
}
