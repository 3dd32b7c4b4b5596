import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { groupCommands, inviteCommands } from './definitions.js';
import type { UpdateInvite } from './commands.js';
import { granted, grouped, invited } from './testing/events.js';

const { CreateInvite, DeleteInvite, UpdateInvite } = inviteCommands;

const GROUP = 'GroupID_finance';
const ADMIN = 'UserID_admin';
const fresh = {
  invite_id: 'GroupInviteID_new',
  placeholder_id: 'PlaceholderGroupInviteeID_new',
  code: 'RedeemTokenID_new',
  code_digest: 'digest-of-new',
};
const toBob = { group_id: GROUP, invitee_id: 'UserID_bob', role: 'MEMBER', fresh } as const;
const asAdmin = { ...toBob, role: 'ADMIN' } as const;

/** A group that `ADMIN` administers through the invite GroupInviteID_admin. */
function finance(): SpecDrive {
  return new SpecDrive().given(
    grouped(GROUP),
    invited('GroupInviteID_admin', GROUP, ADMIN, { role: 'ADMIN' }),
  );
}

describe('CreateInvite', () => {
  it('makes a user a member at once, without a code', () => {
    const drive = finance();
    const { answer, events } = drive.when(CreateInvite, OWNER, toBob);
    expect(answer).toMatchObject({
      id: 'GroupInviteID_new',
      group_id: GROUP,
      inviter_id: OWNER,
      invitee_id: 'UserID_bob',
      role: 'MEMBER',
      note: '',
      active_from: 0,
      expires_at: -1,
      redeem_code: null,
      from_placeholder_invitee: null,
      external_id: null,
      external_payload: null,
      labels: [],
      group_name: 'Finance',
      group_avatar: '',
      invitee_name: 'Unknown User (UserID_bob)',
      invitee_avatar: null,
    });
    expect(events).toMatchObject([{ data: { redeem_digest: '' } }]);
  });

  it('creates a placeholder with a code if no invitee is given', () => {
    const command = { group_id: GROUP, role: 'MEMBER', fresh } as const;
    const { answer, events } = finance().when(CreateInvite, OWNER, command);
    expect(answer).toMatchObject({
      invitee_id: 'PlaceholderGroupInviteeID_new',
      redeem_code: 'RedeemTokenID_new',
      invitee_name: 'Awaiting Anon',
    });
    expect(events).toMatchObject([{ data: { redeem_digest: 'digest-of-new' } }]);
  });

  it('uses the given placeholder id, and creates a code too', () => {
    const invitee_id = 'PlaceholderGroupInviteeID_mine';
    const { answer } = finance().when(CreateInvite, OWNER, { ...toBob, invitee_id });
    expect(answer).toMatchObject({ invitee_id, redeem_code: 'RedeemTokenID_new' });
  });

  it('uses the fixed code for a public invite and does not store it', () => {
    const command = { ...toBob, invitee_id: 'PUBLIC' };
    const { answer, events } = finance().when(CreateInvite, OWNER, command);
    expect(answer).toMatchObject({ redeem_code: 'PUBLIC', invitee_name: 'Public' });
    expect(events).toMatchObject([{ data: { redeem_code: null, redeem_digest: '' } }]);
  });

  it('refuses a public invite with the role ADMIN before looking up the group', () => {
    const command = { ...asAdmin, invitee_id: 'PUBLIC', group_id: 'GroupID_unknown' };
    expect(finance().when(CreateInvite, OWNER, command).refusal).toBe('invalid-field');
  });

  it('stores the caller’s note, window, external fields and id', () => {
    const fields = {
      id: 'GroupInviteID_mine',
      note: 'welcome',
      active_from: T0,
      expires_at: T0 + 1,
      external_id: 'e',
      external_payload: 'p',
    };
    const { answer } = finance().when(CreateInvite, OWNER, { ...toBob, ...fields });
    expect(answer).toMatchObject(fields);
  });

  it.each([
    ['ends when it begins', T0, T0, 'invalid-field'],
    ['ends before it begins', T0, T0 - 1, 'invalid-field'],
    ['ends just after it begins', T0, T0 + 1, null],
    ['has an end only, already past', 0, 1, null],
    ['never ends', T0, -1, null],
  ])('answers for a window that %s', (_, active_from, expires_at, refusal) => {
    const command = { ...toBob, active_from, expires_at };
    expect(finance().when(CreateInvite, OWNER, command).refusal).toBe(refusal);
  });

  it('does not change the group’s time, and allows several invites for one user', () => {
    const drive = finance();
    const before = drive.state.groups.get(GROUP);
    drive.when(CreateInvite, OWNER, toBob);
    const second = { ...toBob, id: 'GroupInviteID_second' };
    expect(drive.when(CreateInvite, OWNER, second).refusal).toBeNull();
    expect(drive.state.groups.get(GROUP)).toBe(before);
  });

  it('refuses an unknown group before checking the caller', () => {
    const command = { ...toBob, group_id: 'GroupID_unknown' };
    expect(finance().when(CreateInvite, 'UserID_a', command).refusal).toBe('group-not-found');
  });

  it('refuses the id of a live or deleted invite, but only after checking permissions', () => {
    const drive = finance();
    const command = { ...toBob, id: 'GroupInviteID_admin' };
    expect(drive.when(CreateInvite, 'UserID_a', command).refusal).toBe('forbidden');
    expect(drive.when(CreateInvite, OWNER, command).refusal).toBe('id-in-use');
    drive.when(DeleteInvite, OWNER, { id: 'GroupInviteID_admin' });
    expect(drive.when(CreateInvite, OWNER, command).refusal).toBe('id-in-use');
  });

  describe('is allowed', () => {
    it('by ownership of the organization', () => {
      expect(finance().when(CreateInvite, OWNER, asAdmin).allowed_by).toEqual(['OWNER']);
    });

    it('by administration of the group: an ADMIN invite, or owning it', () => {
      const drive = finance().given(grouped('GroupID_carol', 'UserID_carol'));
      expect(drive.when(CreateInvite, ADMIN, asAdmin).allowed_by).toEqual(['GroupInviteID_admin']);
      const hers = { ...asAdmin, group_id: 'GroupID_carol', id: 'GroupInviteID_hers' };
      expect(drive.when(CreateInvite, 'UserID_carol', hers).allowed_by).toEqual(['GroupID_carol']);
    });

    it('by INVITE on the group, on its table, or through a group', () => {
      const drive = finance().given(
        granted('SystemPermissionID_a', 'UserID_a', GROUP, 'INVITE'),
        granted('SystemPermissionID_b', 'UserID_b', 'TABLE_GROUPS', 'INVITE'),
        granted('SystemPermissionID_all', EVERYONE, GROUP, 'INVITE'),
        invited('GroupInviteID_c', EVERYONE, 'UserID_c'),
      );
      const allowedBy = (user: string, id: string) =>
        drive.when(CreateInvite, user, { ...toBob, id }).allowed_by;
      expect(allowedBy('UserID_a', 'GroupInviteID_1')).toEqual(['SystemPermissionID_a']);
      expect(allowedBy('UserID_b', 'GroupInviteID_2')).toEqual(['SystemPermissionID_b']);
      expect(allowedBy('UserID_c', 'GroupInviteID_3')).toEqual([
        'SystemPermissionID_all',
        'GroupInviteID_c',
      ]);
    });

    it('for the role ADMIN only with EDIT beside INVITE, naming both grants', () => {
      const drive = finance().given(
        granted('SystemPermissionID_invite', 'UserID_a', GROUP, 'INVITE'),
        granted('SystemPermissionID_edit', 'UserID_b', GROUP, 'EDIT'),
      );
      expect(drive.when(CreateInvite, 'UserID_a', asAdmin).refusal).toBe('forbidden');
      expect(drive.when(CreateInvite, 'UserID_b', asAdmin).refusal).toBe('forbidden');
      expect(drive.when(CreateInvite, 'UserID_b', toBob).refusal).toBe('forbidden');
      drive.given(granted('SystemPermissionID_edit2', 'UserID_a', GROUP, 'EDIT'));
      expect(drive.when(CreateInvite, 'UserID_a', asAdmin).allowed_by).toEqual([
        'SystemPermissionID_invite',
        'SystemPermissionID_edit2',
      ]);
    });

    it('naming a grant of both types once', () => {
      const both = granted('SystemPermissionID_both', 'UserID_a', GROUP, 'EDIT', 'INVITE');
      const { allowed_by } = finance().given(both).when(CreateInvite, 'UserID_a', asAdmin);
      expect(allowed_by).toEqual(['SystemPermissionID_both']);
    });

    it('neither to mere members nor to admins with an expired invite', () => {
      const drive = finance().given(
        invited('GroupInviteID_m', GROUP, 'UserID_member'),
        invited('GroupInviteID_x', GROUP, 'UserID_past', { role: 'ADMIN', expires_at: T0 + 1 }),
      );
      expect(drive.when(CreateInvite, 'UserID_member', toBob).refusal).toBe('forbidden');
      expect(drive.when(CreateInvite, 'UserID_past', toBob).refusal).toBe('forbidden');
    });
  });
});

describe('UpdateInvite', () => {
  const id = 'GroupInviteID_bob';
  const byAnn = { inviter_id: 'UserID_ann' };

  function bobInvitedByAnn(): SpecDrive {
    return finance().given(invited(id, GROUP, 'UserID_bob', byAnn));
  }

  function refusalOf(drive: SpecDrive, who: string, fields: Omit<UpdateInvite, 'id'>) {
    return drive.when(UpdateInvite, who, { id, ...fields }).refusal;
  }

  it('changes only the given fields and the time', () => {
    const drive = bobInvitedByAnn().after(5);
    const fields = {
      role: 'ADMIN',
      note: 'n',
      active_from: T0,
      expires_at: T0 + 9_999,
      external_id: 'e',
      external_payload: 'p',
    } as const;
    const at_ms = drive.now;
    const { answer } = drive.when(UpdateInvite, OWNER, { id, ...fields });
    expect(answer).toMatchObject({ ...fields, invitee_id: 'UserID_bob', last_modified_at: at_ms });
    const { answer: second } = drive.when(UpdateInvite, OWNER, { id, note: 'm' });
    expect(second).toMatchObject({ ...fields, note: 'm' });
  });

  it('refuses an unknown invite, a stranger, and an empty change, in this order', () => {
    const drive = bobInvitedByAnn();
    const unknown = { id: 'GroupInviteID_unknown', note: 'n' };
    expect(drive.when(UpdateInvite, 'UserID_a', unknown).refusal).toBe('invite-not-found');
    expect(refusalOf(drive, 'UserID_a', {})).toBe('forbidden');
    expect(refusalOf(drive, OWNER, {})).toBe('nothing-to-update');
  });

  it('does not let the invitee change its own invite', () => {
    expect(refusalOf(bobInvitedByAnn(), 'UserID_bob', { note: 'n' })).toBe('forbidden');
  });

  it('is allowed to group admins and to holders of EDIT, for ADMIN invites too', () => {
    const drive = bobInvitedByAnn().given(
      granted('SystemPermissionID_e', 'UserID_e', GROUP, 'EDIT'),
    );
    const promote = { id, role: 'ADMIN' } as const;
    expect(drive.when(UpdateInvite, ADMIN, promote).allowed_by).toEqual(['GroupInviteID_admin']);
    expect(drive.when(UpdateInvite, 'UserID_e', { id, note: 'n' }).allowed_by).toEqual([
      'SystemPermissionID_e',
    ]);
  });

  it('is allowed to the inviter only while INVITE lasts', () => {
    const drive = bobInvitedByAnn();
    expect(refusalOf(drive, 'UserID_ann', { note: 'n' })).toBe('forbidden');
    drive.given(granted('SystemPermissionID_i', 'UserID_ann', GROUP, 'INVITE'));
    const { allowed_by } = drive.when(UpdateInvite, 'UserID_ann', { id, note: 'n' });
    expect(allowed_by).toEqual(['SystemPermissionID_i']);
  });

  it('is not allowed by INVITE on somebody else’s invite', () => {
    const invite = granted('SystemPermissionID_i', 'UserID_c', GROUP, 'INVITE');
    expect(refusalOf(bobInvitedByAnn().given(invite), 'UserID_c', { note: 'n' })).toBe('forbidden');
  });

  it('lets the inviter neither make an admin nor touch one', () => {
    const drive = bobInvitedByAnn().given(
      granted('SystemPermissionID_i', 'UserID_ann', GROUP, 'INVITE'),
    );
    expect(refusalOf(drive, 'UserID_ann', { role: 'ADMIN' })).toBe('forbidden');
    drive.when(UpdateInvite, OWNER, { id, role: 'ADMIN' });
    expect(refusalOf(drive, 'UserID_ann', { role: 'MEMBER' })).toBe('forbidden');
    expect(refusalOf(drive, 'UserID_ann', { expires_at: -1 })).toBe('forbidden');
  });

  it('refuses to make a public invite an ADMIN one', () => {
    const drive = finance().given(invited(id, GROUP, 'PUBLIC'));
    expect(refusalOf(drive, OWNER, { role: 'ADMIN' })).toBe('invalid-field');
    expect(refusalOf(drive, OWNER, { role: 'MEMBER' })).toBeNull();
  });

  it('checks the resulting window when it changes', () => {
    const drive = finance().given(
      invited(id, GROUP, 'UserID_bob', { active_from: T0 + 50, expires_at: T0 + 90 }),
    );
    expect(refusalOf(drive, OWNER, { expires_at: T0 + 50 })).toBe('invalid-field');
    expect(refusalOf(drive, OWNER, { active_from: T0 + 90 })).toBe('invalid-field');
    expect(refusalOf(drive, OWNER, { active_from: T0 + 89 })).toBeNull();
    expect(refusalOf(drive, OWNER, { expires_at: -1 })).toBeNull();
  });

  it('ends the membership when the window changes accordingly', () => {
    const drive = finance();
    drive.when(UpdateInvite, OWNER, { id: 'GroupInviteID_admin', expires_at: T0 + 1 });
    const change = { id: GROUP, name: 'x' };
    expect(drive.when(groupCommands.UpdateGroup, ADMIN, change).refusal).toBe('forbidden');
  });
});
