import type { DriveState } from '../../foundation/state.js';
import { Access } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import type { Webhook } from '../record.js';
import { mayWatch, watchesAll } from './watching.js';

export const PAUSED_REASONS = ['MAKER_DELETED', 'MAKER_LACKS_RIGHT'] as const;
/**
 * Why an active webhook delivers nothing: its maker's contact was deleted, or its maker may not see
 * what is watched. It follows from the state alone, so it ends by itself when the right is back.
 */
export type PausedReason = (typeof PAUSED_REASONS)[number];

/** Whose rights a webhook's deliveries rest on: its maker's, or the owner's where no maker was kept. */
export function makerOf({ organization }: DriveState, { created_by }: Webhook): string {
  return created_by || organization.owner_id;
}

export function pausedReason(
  { state, now }: Pick<Context, 'state' | 'now'>,
  webhook: Webhook,
): PausedReason | null {
  const access = new Access(state, makerOf(state, webhook), now);
  if (isDeleted(access)) return 'MAKER_DELETED';
  return mayWatch(access, webhook) ? null : 'MAKER_LACKS_RIGHT';
}

/** Contacts that were deleted. Identities that never were contacts may hold grants, too. */
function isDeleted({ state, grantee_id, is_owner }: Access): boolean {
  if (is_owner || state.contacts.has(grantee_id)) return false;
  return state.subjects.deletedOf(grantee_id).next().done !== true;
}

/** Who a webhook's maker is: all ids that may stand for them, or somebody who may see everything at any time. */
export type Maker = readonly string[] | 'owner';

/** The maker in all states of the past: ids change by superswap, and the present owner may see all the past. */
export function makerEver(state: DriveState, webhook: Webhook): Maker {
  const maker_id = makerOf(state, webhook);
  if (maker_id === state.organization.owner_id) return 'owner';
  return [maker_id, ...(state.contacts.get(maker_id)?.past_user_ids ?? [])];
}

/** What makers of webhooks may see in one state at one time; of no use once the state changes. */
export class MakersView {
  private readonly known = new Map<string, Access>();

  constructor(
    private readonly state: DriveState,
    private readonly now: number,
    private readonly maker: (webhook: Webhook) => Maker,
  ) {}

  /**
   * True if a webhook's maker may see what it watches, and the item that is to be shown: what a folder
   * passes on need not reach all that lies in it.
   */
  shows(webhook: Webhook, item_id?: string): boolean {
    const maker = this.maker(webhook);
    if (maker === 'owner') return true;
    return maker.some((user_id) => {
      const access = this.accessOf(user_id);
      if (access.is_owner) return true;
      if (!mayWatch(access, webhook) || isDeleted(access)) return false;
      const is_whole = item_id === undefined || watchesAll(webhook);
      return is_whole || access.canDirectory('VIEW', item_id);
    });
  }

  private accessOf(user_id: string): Access {
    let access = this.known.get(user_id);
    if (!access) this.known.set(user_id, (access = new Access(this.state, user_id, this.now)));
    return access;
  }
}
