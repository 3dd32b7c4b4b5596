import { holds } from '../evaluation.js';
import { canBecome, isFormerId, isReferredTo, superswap } from '../users.js';
import { addContact, addInvite, type Id, removeWhere, type World } from '../world.js';
import { accepted, refused, type Rules } from './rule.js';

/** permissions-model.md, section 7: what a contact may change of itself. */
const OF_ONESELF = [
  'name',
  'avatar',
  'email',
  'notifications_url',
  'public_note',
  'evm_public_address',
];

/** contacts.md; "authorization, evaluated on the id, comes before existence" (README.md, section 2). */
export const contactRules: Rules = {
  'contacts/create': ({ world, user, body, now, n }) => {
    if (!holds(world, user, 'CREATE', 'TABLE_CONTACTS', now)) return refused(403);
    if (world.contacts.has(body.id) || isFormerId(world, body.id)) return refused(409);
    const is_placeholder: boolean | null = body.is_placeholder ?? null;
    const is_referred_to = isReferredTo(world, body.id);
    if (is_placeholder && is_referred_to) return refused(409);
    return accepted(() => {
      addContact(world, {
        id: body.id,
        created_by: user,
        has_code: is_placeholder !== false && !is_referred_to,
        is_placeholder,
        from_placeholder_user_id: is_placeholder ? body.id : null,
      });
      admit(world, user, body.id, n);
    });
  },

  'contacts/update': ({ world, user, body, now }) => {
    const { id, ...changes } = body;
    const is_allowed_to_self = Object.keys(changes).every((field) => OF_ONESELF.includes(field));
    const may = holds(world, user, 'EDIT', id, now) || (user === id && is_allowed_to_self);
    if (!may) return refused(403);
    return world.contacts.has(id) ? accepted() : refused(404);
  },

  'contacts/delete': ({ world, user, body: { id }, now }) => {
    if (!holds(world, user, 'DELETE', id, now)) return refused(403);
    if (!world.contacts.has(id)) return refused(404);
    if (id === world.owner) return refused(400);
    return accepted(() => deleteContact(world, id));
  },

  // time-travel.md, section 11: "owner only"; "the contact is deleted as by contacts/delete".
  // "`id` may be a contact that was … superswapped earlier".
  'contacts/erase': ({ world, user, body }) => {
    if (user !== world.owner) return refused(403);
    const contacts = [...world.contacts.values()];
    const contact =
      world.contacts.get(body.id) ??
      contacts.find(({ past_user_ids }) => past_user_ids.includes(body.id));
    // Undecided by this model: whether the id was one of a contact that was deleted.
    if (!contact) return { statuses: [200, 404], effect: () => {} };
    return contact.id === world.owner
      ? refused(400)
      : accepted(() => deleteContact(world, contact.id));
  },

  // "Errors: 400 … all with the same text; then 409".
  'contacts/redeem': ({ world, user, body, n }) => {
    const { current_user_id: current, new_user_id: next, redeem_code } = body;
    const contact = world.contacts.get(current);
    if (current === next) return refused(400);
    if (!contact?.has_code || redeem_code !== `$code:${current}` || current === world.owner)
      return refused(400);
    if (next !== user && isReferredTo(world, next)) return refused(409);
    if (!canBecome(world, current, next)) return refused(409);
    return accepted(() => {
      superswap(world, current, next);
      contact.from_placeholder_user_id = current;
      const id = `ApiKeyID_redeem${n}`;
      const key = { begins_at: 0, expires_at: -1, is_revoked: false };
      world.keys.set(id, { id, user_id: next, made_by: null, ...key });
      world.unnamed.push({ kind: 'key', id, user: next });
    });
  },
};

/** permissions-model.md, section 8: "contact created: MEMBER invite in Group for All"; contacts.md: "if that group exists and no invite exists". */
function admit(world: World, inviter: Id, user: Id, n: number): void {
  const group_id = world.default_group;
  const invites = [...world.invites.values()];
  if (!group_id) return;
  if (invites.some((invite) => invite.group_id === group_id && invite.invitee_id === user)) return;
  const id = `GroupInviteID_contact${n}`;
  addInvite(world, { id, group_id, inviter_id: inviter, invitee_id: user, role: 'MEMBER' });
  world.unnamed.push({ kind: 'invite', id, group: group_id, invitee: user });
}

/** contacts.md, "POST /delete", effects. */
function deleteContact(world: World, id: Id): void {
  world.contacts.delete(id);
  removeWhere(world.invites, ({ invitee_id }) => invitee_id === id);
  removeWhere(world.keys, ({ user_id }) => user_id === id);
  removeWhere(world.directory, ({ granted_to }) => granted_to === id);
  removeWhere(world.system, (grant) => grant.granted_to === id || grant.resource_id === id);
  for (const label of world.labels.values())
    label.resources = label.resources.filter((resource) => resource !== id);
  for (const group of world.groups.values()) if (group.owner === id) group.owner = world.owner;
}
