import { PREFIX } from '../kernel/ids.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import { decidedBy, namedCommands } from '../foundation/commands.js';
import { createGroup, deleteGroup, type RedeemInvite, updateGroup } from './commands.js';
import { createInvite, deleteInvite, updateInvite } from './invites-decide.js';
import { redeemedInvite, redeemInvite } from './invites-redeem.js';
import { inviteView, presentInvite } from './invites-reads.js';
import { presentGroup } from './reads.js';
import { type Shown, view } from '../kernel/view.js';

export const inviteRedeemedView = view('RedeemedInvite', {
  invite: inviteView,
});
type InviteRedeemed = Shown<typeof inviteRedeemedView>;

const groupAnswers = recordAnswers('groups', presentGroup);
const inviteAnswers = recordAnswers('invites', presentInvite);

export const groupCommands = namedCommands({
  CreateGroup: decidedBy(createGroup, {
    generate: (fresh) => ({ group_id: fresh.id(PREFIX.group), invite_id: fresh.id(PREFIX.invite) }),
    answer: groupAnswers.created('GroupCreated', 'group_id'),
  }),

  UpdateGroup: groupAnswers.update(updateGroup),

  DeleteGroup: deletion(deleteGroup),
});

export const inviteCommands = namedCommands({
  CreateInvite: decidedBy(createInvite, {
    generate: (fresh) => ({
      invite_id: fresh.id(PREFIX.invite),
      placeholder_id: fresh.id(PREFIX.placeholder_invitee),
      ...fresh.code(),
    }),
    answer: inviteAnswers.created('GroupInviteCreated', 'invite_id'),
  }),

  UpdateInvite: inviteAnswers.update(updateInvite),

  DeleteInvite: deletion(deleteInvite),

  RedeemInvite: decidedBy<RedeemInvite, InviteRedeemed>(redeemInvite, {
    generate: (fresh) => ({
      invite_id: fresh.id(PREFIX.invite),
      subject_key_id: fresh.subjectKey(),
    }),
    answer: (context, command, events) => ({
      invite: presentInvite(context, redeemedInvite(context, command, events)),
    }),
  }),
});
