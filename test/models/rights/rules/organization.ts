import { holds, isActive } from '../evaluation.js';
import { canBecome, isFormerId, isReferredTo, superswap } from '../users.js';
import { addContact, addInvite, type Id } from '../world.js';
import { pendingOwner } from './keys.js';
import { accepted, type Call, refused, type Rules } from './rule.js';

const DAY_MS = 86_400_000;

/** organization.md. */
export const organizationRules: Rules = {
  'organization/transfer_ownership': (call) => {
    const { world, user, body, now } = call;
    if (user !== world.owner)
      return refused(403, ...(body.next_owner_id === world.owner ? [400] : []));
    const pending = pendingOwner(world, now);
    if (body.cancel) {
      if (pending === null) return refused(400);
      return accepted(() => (world.pending = null));
    }
    const next: Id = body.next_owner_id;
    if (next === world.owner) return refused(400);
    if (isFormerId(world, next)) return refused(409);
    if (pending !== next)
      return accepted((data) => {
        expect(data.status).toBe('REQUESTED');
        world.pending = { user: next, at_ms: now };
      });
    const is_ready = now >= world.pending!.at_ms + DAY_MS;
    return accepted((data) => {
      expect(data.status).toBe(is_ready ? 'COMPLETED' : 'REQUESTED');
      if (is_ready) complete(call, next);
    });
  },

  'organization/superswap_user': ({ world, user, body }) => {
    const { current_user_id: current, new_user_id: next } = body;
    if (current === next) return user === world.owner ? refused(400) : refused(400, 403);
    if (user !== world.owner) return refused(403);
    const is_taken = !canBecome(world, current, next);
    if (!isReferredTo(world, current)) return refused(404, ...(is_taken ? [409] : []));
    if (is_taken) return refused(409);
    return accepted(() => {
      superswap(world, current, next);
    });
  },

  // "inbox: S:CREATE(INBOX)".
  'organization/inbox': ({ world, user, now }) =>
    holds(world, user, 'CREATE', 'TABLE_INBOX', now) ? accepted() : refused(403),

  'organization/update_allowed_domains': ({ world, user }) =>
    user === world.owner ? accepted() : refused(403),

  // time-travel.md: "owner, or system permission VIEW on TABLE_AUDIT".
  'organization/replay': ({ world, user, now }) =>
    holds(world, user, 'VIEW', 'TABLE_AUDIT', now) ? accepted() : refused(403),

  // "create: owner or any contact; remove: creator, owner, EDIT on DRIVES"; "unknown → 404, otherwise 403".
  'organization/shortlink': ({ world, user, body, now, n }) => {
    if (body.slug === undefined) {
      if (!world.contacts.has(user)) return refused(403);
      return accepted((data) => {
        const id = `slug${n}`;
        world.shortlinks.set(id, { id, created_by: user });
        world.name(id, data.slug);
      });
    }
    const link = world.shortlinks.get(body.slug);
    if (!link) return refused(404);
    const may = link.created_by === user || holds(world, user, 'EDIT', world.drive_id, now);
    return may ? accepted(() => world.shortlinks.delete(link.id)) : refused(403);
  },
};

/** organization.md, "On completion". */
function complete(call: Call, next: Id): void {
  const { world } = call;
  const old = world.owner;
  world.owner = next;
  world.pending = null;
  const contact = world.contacts.get(next);
  if (contact) contact.has_code = false;
  else addContact(world, { id: next, created_by: next });
  // "Api keys of the new owner that a third person made … are revoked."
  for (const key of world.keys.values())
    if (key.user_id === next && key.made_by && key.made_by !== next && key.made_by !== old)
      key.is_revoked = true;
  passDefaultGroup(call, next);
}

/** "Group for All passes to the new owner, with an ADMIN invite if it has none." */
function passDefaultGroup({ world, user: inviter_id, n, now }: Call, next: Id): void {
  const group = world.groups.get(world.default_group ?? '');
  if (!group) return;
  group.owner = next;
  const invites = [...world.invites.values()].filter(
    (invite) => invite.group_id === group.id && invite.invitee_id === next && isActive(invite, now),
  );
  if (invites.some(({ role }) => role === 'ADMIN')) return;
  const id = `GroupInviteID_transfer${n}`;
  addInvite(world, { id, group_id: group.id, inviter_id, invitee_id: next, role: 'ADMIN' });
  world.unnamed.push({ kind: 'invite', id, group: group.id, invitee: next });
}
