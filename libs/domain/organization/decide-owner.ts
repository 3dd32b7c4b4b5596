import { event } from '../foundation/events.js';
import { Access } from '../access/access.js';
import { Identities } from '../access-questions/identity.js';
import type { DriveState } from '../foundation/state.js';
import { isFormerId, refuseFormerId } from '../relations/former-ids.js';
import { accept, type Context, type Decider, type Decision } from '../foundation/decision.js';
import { refuse, refuseField } from '../kernel/refusal.js';
import type { Steps } from '../kernel/steps.js';
import { countSwapped, isReferenced } from '../relations/superswap.js';
import { pendingOwner, transferReady } from '../relations/ownership-transfer.js';

export interface TransferOwnership {
  /** Absent only together with `cancel`. */
  next_owner_id?: string;
  cancel?: boolean;
  fresh: { subject_key_id: string; everyone_invite_id: string };
}

export interface SuperswapUser {
  current_user_id: string;
  new_user_id: string;
}

/**
 * Transfers ownership in two steps with a waiting time in between, so that a stolen key cannot take over a drive at
 * once.
 */
export const transferOwnership: Decider<TransferOwnership> = (context, command) => {
  const { next_owner_id, cancel, fresh } = command;
  if (cancel ? next_owner_id !== undefined : next_owner_id === undefined)
    return refuseField('/next_owner_id', 'is needed, or else `cancel: true` alone');
  const { state, now } = context;
  const access = Access.of(context);
  const allowed = access.owner();
  if (!allowed) return access.denied();
  const pending = pendingOwner(context);
  if (cancel) {
    if (pending === null) return refuse('no-pending-transfer');
    return accept(allowed, event('OwnershipTransferCancelled', {}));
  }
  const new_owner_id = next_owner_id!;
  const { owner_id: old_owner_id } = state.organization;
  if (new_owner_id === old_owner_id)
    return refuse('already-owner', { pointer: '/next_owner_id', reason: 'owns the drive already' });
  const is_former =
    isFormerId(state, new_owner_id) ||
    // Without a contact, only the superswaps know it.
    (pending !== null && wasSwapped(state, new_owner_id, pending));
  if (is_former) return refuseFormerId('/next_owner_id');
  if (pending !== new_owner_id)
    return accept(allowed, event('OwnershipTransferRequested', { next_owner_id: new_owner_id }));
  // A repetition before the end of the waiting time does not restart it.
  if (now < transferReady(context)) return accept(allowed);
  return accept(allowed, event('OwnershipTransferred', { old_owner_id, new_owner_id, ...fresh }));
};

/** True if a user became another one by superswaps. */
function wasSwapped(state: DriveState, old_id: string, new_id: string): boolean {
  return old_id !== new_id && new Identities(state).everOf(new_id).includes(old_id);
}

export function* superswapUser(context: Context, command: SuperswapUser): Steps<Decision> {
  const { state } = context;
  const { current_user_id, new_user_id } = command;
  if (current_user_id === new_user_id)
    return refuse('same-user', {
      pointer: '/new_user_id',
      reason: 'must differ from current_user_id',
    });
  const access = Access.of(context);
  const allowed = access.owner();
  if (!allowed) return access.denied();
  if (!isReferenced(state, current_user_id))
    return refuse('user-not-referenced', {
      pointer: '/current_user_id',
      reason: 'is not referred to in this drive',
    });
  if (state.contacts.has(new_user_id))
    return refuse('user-in-use', { pointer: '/new_user_id', reason: 'is already a contact' });
  const is_foreign = [...state.contacts.by('past_id', new_user_id)].some(
    (contact_id) => contact_id !== current_user_id,
  );
  if (is_foreign) return refuseFormerId('/new_user_id');
  const updated_count = yield* countSwapped(state, current_user_id);
  return accept(
    allowed,
    event('UserSuperswapped', { current_user_id, new_user_id, updated_count }),
  );
}
