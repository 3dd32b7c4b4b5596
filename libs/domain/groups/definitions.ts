import type { GeneratingCommand } from '../foundation/decision.js';
import { PREFIX } from '../kernel/ids.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import {
  createGroup,
  type CreateGroup,
  type CreateInvite,
  deleteGroup,
  type DeleteGroup,
  type DeleteInvite,
  type RedeemInvite,
  updateGroup,
  type UpdateGroup,
  type UpdateInvite,
} from './commands.js';
import { createInvite, deleteInvite, updateInvite } from './invites-decide.js';
import { redeemedInvite, redeemInvite } from './invites-redeem.js';
import { inviteView, type InviteView, presentInvite } from './invites-reads.js';
import { type GroupView, presentGroup } from './reads.js';
import { type Shown, view } from '../kernel/view.js';

export const inviteRedeemedView = view('RedeemedInvite', {
  invite: inviteView,
});
type InviteRedeemed = Shown<typeof inviteRedeemedView>;

const groupAnswers = recordAnswers('groups', presentGroup);
const inviteAnswers = recordAnswers('invites', presentInvite);

export const groupCommands = {
  CreateGroup: {
    name: 'CreateGroup',
    decide: createGroup,
    generate: (fresh) => ({ group_id: fresh.id(PREFIX.group), invite_id: fresh.id(PREFIX.invite) }),
    answer: groupAnswers.created('GroupCreated', 'group_id'),
  } satisfies GeneratingCommand<CreateGroup, GroupView>,

  UpdateGroup: groupAnswers.update<UpdateGroup>('UpdateGroup', updateGroup),

  DeleteGroup: deletion<DeleteGroup>('DeleteGroup', deleteGroup),
};

export const inviteCommands = {
  CreateInvite: {
    name: 'CreateInvite',
    decide: createInvite,
    generate: (fresh) => ({
      invite_id: fresh.id(PREFIX.invite),
      placeholder_id: fresh.id(PREFIX.placeholder_invitee),
      ...fresh.code(),
    }),
    answer: inviteAnswers.created('GroupInviteCreated', 'invite_id'),
  } satisfies GeneratingCommand<CreateInvite, InviteView>,

  UpdateInvite: inviteAnswers.update<UpdateInvite>('UpdateInvite', updateInvite),

  DeleteInvite: deletion<DeleteInvite>('DeleteInvite', deleteInvite),

  RedeemInvite: {
    name: 'RedeemInvite',
    decide: redeemInvite,
    generate: (fresh) => ({
      invite_id: fresh.id(PREFIX.invite),
      subject_key_id: fresh.subjectKey(),
    }),
    answer: (context, command, events) => ({
      invite: presentInvite(context, redeemedInvite(context, command, events)),
    }),
  } satisfies GeneratingCommand<RedeemInvite, InviteRedeemed>,
};
