import { endOf, holds } from '../evaluation.js';
import type { Id, World } from '../world.js';
import { accepted, type Call, ending, refused, type Rules } from './rule.js';

/** extras.md, section 1, and the rows on api keys of permissions-model.md, section 7. */
export const keyRules: Rules = {
  // "for oneself: any contact; for another user: S:CREATE(API_KEYS), and never for the owner or the pending next owner".
  'api_keys/create': (call) => {
    const { world, user, body, now } = call;
    const of: Id = body.user_id ?? user;
    const expires_at = ending(body.expires_at);
    if (expires_at > 0 && expires_at <= now) return refused(400);
    const is_closed = of === world.owner || of === pendingOwner(world, now);
    if (of === user) {
      // Undecided: who is no contact has no right to a key, and is no user that is found.
      if (!world.contacts.has(user)) return refused(403, 404);
    } else if (user === world.owner) {
      // Undecided: "the owner passes every check", yet "never for … the pending next owner by someone else".
      const also = is_closed ? [403] : [];
      if (!world.contacts.has(of)) return refused(404, ...also);
      if (is_closed) return { statuses: [200, 403], effect: () => make(call, of, expires_at) };
    } else {
      if (is_closed || !holds(world, user, 'CREATE', 'TABLE_API_KEYS', now)) return refused(403);
      if (!world.contacts.has(of)) return refused(404);
    }
    if (outlives(call, expires_at)) return refused(403);
    if (world.used.has(body.id)) return refused(400);
    return accepted(() => make(call, of, expires_at));
  },

  // "api key read, update, delete: the key's user"; extras.md: "key's user or owner. Un-revoking: owner only".
  'api_keys/update': (call) => {
    const { world, user, body } = call;
    const key = world.keys.get(body.id);
    if (!key) return refused(404);
    if (key.user_id !== user && user !== world.owner) return refused(403);
    if (body.is_revoked === false && key.is_revoked && user !== world.owner) return refused(403);
    if (body.expires_at !== undefined && outlives(call, body.expires_at)) return refused(403);
    const { id: _id, ...changes } = body;
    return accepted(() => Object.assign(key, changes));
  },

  'api_keys/delete': ({ world, user, body: { id } }) => {
    const key = world.keys.get(id);
    if (!key) return refused(404);
    if (key.user_id !== user && user !== world.owner) return refused(403);
    return accepted(() => world.keys.delete(id));
  },
};

function make({ world, user, body, now }: Call, user_id: Id, expires_at: number): void {
  const begins_at: number = body.begins_at ?? now;
  const { id } = body;
  world.keys.set(id, { id, user_id, made_by: user, begins_at, expires_at, is_revoked: false });
  world.used.add(id);
}

/** "A call made with a key that expires may neither make a key nor set an expires_at that ends later than its own." */
function outlives({ world, key }: Call, expires_at: number): boolean {
  return key !== null && endOf(expires_at) > endOf(world.keys.get(key)!.expires_at);
}

const DAY_MS = 86_400_000;

/** organization.md, "POST /transfer_ownership": after 7 days past `ready_ms` it "counts as no pending request". */
export function pendingOwner(world: World, now: number): Id | null {
  const { pending } = world;
  return pending && now < pending.at_ms + 8 * DAY_MS ? pending.user : null;
}
