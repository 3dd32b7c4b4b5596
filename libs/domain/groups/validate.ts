import { membershipOf } from '../access/principals.js';
import type { Context } from '../foundation/decision.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

export interface MembershipQuestion {
  user_id: string;
  group_id: string;
}

export const membershipView = view('Membership', {
  is_member: flag(),
  group_id: text(),
  user_id: text(),
});
export type MembershipAnswer = Shown<typeof membershipView>;

/** Checks whether a user is currently a member of the group. All callers may check all users. */
export function validateMembership(
  { state, now }: Context,
  { user_id, group_id }: MembershipQuestion,
): MembershipAnswer | Refusal {
  if (!state.groups.has(group_id)) return refuse('group-not-found');
  return { is_member: membershipOf(state, group_id, user_id, now) !== null, group_id, user_id };
}
