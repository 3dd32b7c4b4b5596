import { contactCommands } from '../../libs/domain/contacts/commands.js';
import { groupCommands, inviteCommands } from '../../libs/domain/groups/definitions.js';
import { apiKey, code, type Steps } from './golden-run.js';

const { CreateContact, UpdateContact, RedeemContact, EndContactCode } = contactCommands;
const { CreateGroup, UpdateGroup, DeleteGroup } = groupCommands;
const { CreateInvite, UpdateInvite, RedeemInvite, DeleteInvite } = inviteCommands;

const invite = (nth: number) => ({
  invite_id: `GroupInviteID_i${nth}`,
  placeholder_id: `PlaceholderGroupInviteeID_${nth}`,
  ...code(10 + nth),
});

/** Commands of contacts, groups and invites. */
export const people = {
  async CreateContact({ run }) {
    await run(CreateContact, {
      id: 'UserID_ann',
      name: 'Ann Archer',
      email: 'ann@example.com',
      private_note: 'zwölf Äpfel ✓',
      is_placeholder: true,
      fresh: { subject_key_id: 'subject-ann', invite_id: 'GroupInviteID_ann', ...code(1) },
    });
    await run(CreateContact, {
      id: 'UserID_ben',
      name: 'Ben',
      fresh: { subject_key_id: 'subject-ben', invite_id: 'GroupInviteID_ben', ...code(2) },
    });
  },
  async UpdateContact({ run }) {
    await run(UpdateContact, { id: 'UserID_ann', public_note: 'likes tea', email: '' });
    await run(UpdateContact, {
      id: 'UserID_ben',
      external_id: 'hr-7',
      external_payload: '{"grade":7}',
    });
  },
  EndContactCode: ({ run }) =>
    run(EndContactCode, { contact_id: 'UserID_ben' }, { kind: 'system' }),
  RedeemContact: ({ run }) =>
    run(
      RedeemContact,
      {
        current_user_id: 'UserID_ann',
        new_user_id: 'UserID_anna',
        redeem_digest: code(1).code_digest,
        note: 'here I am',
        fresh: apiKey(3),
      },
      { kind: 'signature', user_id: 'UserID_anna' },
    ),
  async CreateGroup({ run }) {
    await run(CreateGroup, {
      name: 'Finance',
      external_id: 'erp-7',
      fresh: { group_id: 'GroupID_1', invite_id: 'GroupInviteID_1' },
    });
    await run(CreateGroup, {
      name: 'Short-lived',
      fresh: { group_id: 'GroupID_2', invite_id: 'GroupInviteID_2' },
    });
  },
  UpdateGroup: ({ run }) =>
    run(UpdateGroup, { id: 'GroupID_1', private_note: 'numbers', host_url: null }),
  async CreateInvite({ run }) {
    const member = { group_id: 'GroupID_1', role: 'MEMBER' } as const;
    await run(CreateInvite, { ...member, fresh: invite(1) });
    await run(CreateInvite, { ...member, note: 'waits', fresh: invite(2) });
    await run(CreateInvite, { ...member, invitee_id: 'UserID_ben', fresh: invite(3) });
  },
  UpdateInvite: ({ run }) =>
    run(UpdateInvite, { id: 'GroupInviteID_i3', role: 'ADMIN', expires_at: -1 }),
  RedeemInvite: ({ run }) =>
    run(
      RedeemInvite,
      {
        invite_id: 'GroupInviteID_i1',
        redeem_code: code(11).code,
        redeem_digest: code(11).code_digest,
        note: 'thanks',
        fresh: { invite_id: 'GroupInviteID_unused', subject_key_id: 'subject-unused' },
      },
      { kind: 'signature', user_id: 'UserID_member' },
    ),
  DeleteInvite: ({ run }) => run(DeleteInvite, { id: 'GroupInviteID_i3' }),
  DeleteGroup: ({ run }) => run(DeleteGroup, { id: 'GroupID_2' }),
} satisfies Steps;
