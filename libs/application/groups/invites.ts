import type { Deleted } from '../../domain/foundation/deleted.js';
import type { Context } from '../../domain/foundation/decision.js';
import type {
  CreateInvite as CreateInviteCommand,
  RedeemInvite as RedeemInviteCommand,
  UpdateInvite as UpdateInviteCommand,
} from '../../domain/groups/commands.js';
import { inviteCommands, type InviteRedeemed } from '../../domain/groups/definitions.js';
import {
  groupInviteReads,
  inviteReads,
  invitesOfGroup,
} from '../../domain/groups/invites-reads.js';
import type { InviteView } from '../../domain/groups/invites-view.js';
import { inviteeName } from '../../domain/relations/people.js';
import {
  type MembershipAnswer,
  type MembershipQuestion,
  validateMembership,
} from '../../domain/groups/validate.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { foldCase } from '../../read-model/order.js';
import type { Clause } from '../../read-model/port.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { fresh } from '../fresh.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { answerFrom, readRecord } from '../read-record.js';

type RedeemInput = Omit<RedeemInviteCommand, 'fresh' | 'redeem_digest'>;

export interface ListInvitesInput extends ListInput {
  readonly group_id: string;
}

export class CreateInvite extends DriveCommand<Omit<CreateInviteCommand, 'fresh'>, InviteView> {}
export class UpdateInvite extends DriveCommand<UpdateInviteCommand, InviteView> {}
export class DeleteInvite extends DriveCommand<{ id: string }, Deleted> {}
export class RedeemInvite extends DriveCommand<RedeemInput, InviteRedeemed> {}

export class GetInvite extends DriveQuery<{ id: string }, InviteView> {}
export class ListInvites extends DriveQuery<ListInvitesInput, ListPage<InviteView>> {}
export class ValidateMembership extends DriveQuery<MembershipQuestion, MembershipAnswer> {}

export const inviteHandlers = [
  driveCommandHandler(CreateInvite, inviteCommands.CreateInvite, (input) => ({
    ...input,
    fresh: {
      invite_id: fresh.id(PREFIX.invite),
      placeholder_id: fresh.id(PREFIX.placeholder_invitee),
      ...fresh.code(),
    },
  })),
  driveCommandHandler(UpdateInvite, inviteCommands.UpdateInvite, (input) => input),
  driveCommandHandler(DeleteInvite, inviteCommands.DeleteInvite, (input) => input),
  driveCommandHandler(RedeemInvite, inviteCommands.RedeemInvite, (input) => ({
    ...input,
    redeem_digest: sha256Hex(input.redeem_code),
    fresh: { invite_id: fresh.id(PREFIX.invite), subject_key_id: fresh.subjectKey() },
  })),
  driveQueryHandler(GetInvite, (drives, reader, { id }) =>
    readRecord(drives, inviteReads, reader, id),
  ),
  driveQueryHandler(ListInvites, (drives, reader, input) =>
    listRecords(drives, groupInviteReads, reader, input, (context) => {
      const of_group = invitesOfGroup(context, input.group_id);
      if (isRefusal(of_group)) return of_group;
      const matching = input.filters ? [inviteesNamed(context, input)] : [];
      return { where: [of_group], matching, scope: input.group_id };
    }),
  ),
  driveQueryHandler(ValidateMembership, (drives, reader, question) =>
    answerFrom(drives, reader, (context) => validateMembership(context, question)),
  ),
];

/** Invitees of the group whose shown name contains the filter; names are joined, so documents lack them. */
function inviteesNamed(context: Context, { group_id, filters }: ListInvitesInput): Clause {
  const wanted = foldCase(filters);
  const among = new Set<string>();
  for (const { invitee_id } of context.state.invites.where('group', group_id))
    if (!among.has(invitee_id) && foldCase(inviteeName(context, invitee_id)).includes(wanted))
      among.add(invitee_id);
  return { field: 'invitee_id', among };
}
