import type { DriveState } from '../../foundation/state.js';
import { Access } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import type { Webhook } from '../record.js';
import { mayWatch, watchesAll } from './watching.js';

/**
 * Why an active webhook is paused: its creator's contact was deleted, or its creator may not see the watched resource.
 * Derived from the state alone, so it ends when the permission returns.
 */
export type PausedReason = 'CREATOR_DELETED' | 'CREATOR_LACKS_RIGHT';

/** The user on whose permissions a webhook's deliveries depend: its creator, or the owner if none is stored. */
export function creatorOf({ organization }: DriveState, { created_by }: Webhook): string {
  return created_by || organization.owner_id;
}

export function pausedReason(
  { state, now }: Pick<Context, 'state' | 'now'>,
  webhook: Webhook,
): PausedReason | null {
  const access = new Access(state, creatorOf(state, webhook), now);
  if (isDeleted(access)) return 'CREATOR_DELETED';
  return mayWatch(access, webhook) ? null : 'CREATOR_LACKS_RIGHT';
}

/** Deleted contacts. Identities that never were contacts may have grants too. */
function isDeleted({ state, grantee_id, is_owner }: Access): boolean {
  if (is_owner || state.contacts.has(grantee_id)) return false;
  return state.subjects.deletedOf(grantee_id).next().done !== true;
}

/** A webhook's creator: all ids of the user, or the owner, who may always see everything. */
export type Creator = readonly string[] | 'owner';

/** The creator in all past states: ids change by superswap, and the current owner may see all the past. */
export function creatorEver(state: DriveState, webhook: Webhook): Creator {
  const creator_id = creatorOf(state, webhook);
  if (creator_id === state.organization.owner_id) return 'owner';
  return [creator_id, ...(state.contacts.get(creator_id)?.past_user_ids ?? [])];
}

/** The creators' permissions in one state at one time; invalid once the state changes. */
export class CreatorsView {
  private readonly known = new Map<string, Access>();

  constructor(
    private readonly state: DriveState,
    private readonly now: number,
    private readonly creator: (webhook: Webhook) => Creator,
    /** As in `Access`. */
    private readonly items_at = now,
  ) {}

  /**
   * True if a webhook's creator may see the watched resource and the shown item: permissions inherited from a folder
   * need not extend to all its content.
   */
  shows(webhook: Webhook, item_id?: string): boolean {
    const creator = this.creator(webhook);
    if (creator === 'owner') return true;
    return creator.some((user_id) => {
      const access = this.accessOf(user_id);
      if (access.is_owner) return true;
      if (!mayWatch(access, webhook) || isDeleted(access)) return false;
      const is_whole = item_id === undefined || watchesAll(webhook);
      return is_whole || access.canDirectory('VIEW', item_id);
    });
  }

  private accessOf(user_id: string): Access {
    let access = this.known.get(user_id);
    if (!access) {
      access = new Access(this.state, user_id, this.now, undefined, this.items_at);
      this.known.set(user_id, access);
    }
    return access;
  }
}
