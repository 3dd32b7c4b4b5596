import type { Context } from '../../domain/foundation/decision.js';
import type { RedeemInvite as RedeemInviteCommand } from '../../domain/groups/commands.js';
import { inviteCommands } from '../../domain/groups/definitions.js';
import { groupInviteReads, invitesOfGroup } from '../../domain/groups/invites-reads.js';
import { inviteeName } from '../../domain/relations/people.js';
import { validateMembership } from '../../domain/groups/validate.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { foldCase } from '../../read-model/order.js';
import type { Clause } from '../../read-model/port.js';
import { driveCommand } from '../drive-command.js';
import { listQuery, stateQuery } from '../drive-query.js';
import type { ListInput } from '../list-records.js';

type RedeemInput = Omit<RedeemInviteCommand, 'fresh' | 'redeem_digest'>;

interface ListInvitesInput extends ListInput {
  readonly group_id: string;
}

export const RedeemInvite = driveCommand(inviteCommands.RedeemInvite, (input: RedeemInput) => ({
  ...input,
  redeem_digest: sha256Hex(input.redeem_code),
}));

export const ListInvites = listQuery(
  'ListInvites',
  groupInviteReads,
  (context, input: ListInvitesInput) => {
    const of_group = invitesOfGroup(context, input.group_id);
    if (isRefusal(of_group)) return of_group;
    const matching = input.filters ? [inviteesNamed(context, input)] : [];
    return { where: [of_group], matching, scope: input.group_id };
  },
);

export const ValidateMembership = stateQuery('ValidateMembership', validateMembership);

/**
 * Invitees of the group whose displayed name contains the filter. Names are joined, so documents do not contain them.
 */
function inviteesNamed(context: Context, { group_id, filters }: ListInvitesInput): Clause {
  const wanted = foldCase(filters);
  const among = new Set<string>();
  for (const { invitee_id } of context.state.invites.where('group', group_id))
    if (!among.has(invitee_id) && foldCase(inviteeName(context, invitee_id)).includes(wanted))
      among.add(invitee_id);
  return { field: 'invitee_id', among };
}
