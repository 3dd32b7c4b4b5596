import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { inviteReads, invitesOfGroup, presentInvite } from './invites-reads.js';
import { granted, grouped, invited } from './testing/events.js';
import { validateMembership } from './validate.js';

const GROUP = 'GroupID_finance';
const CODED = 'GroupInviteID_coded';
const ADMIN_CODED = 'GroupInviteID_admin_coded';
const OPEN = 'GroupInviteID_open';
const BOB = 'GroupInviteID_bob';
const code = { redeem_code: 'RedeemTokenID_1', redeem_digest: 'digest-1' };

/** One invite of each kind by Ann, and one holder of each permission on the group. */
function finance(): SpecDrive {
  const inviter_id = 'UserID_ann';
  return new SpecDrive().given(
    grouped(GROUP),
    invited('GroupInviteID_admin', GROUP, 'UserID_admin', { role: 'ADMIN' }),
    invited('GroupInviteID_member', GROUP, 'UserID_member'),
    invited(CODED, GROUP, 'PlaceholderGroupInviteeID_1', { ...code, inviter_id }),
    invited(ADMIN_CODED, GROUP, 'PlaceholderGroupInviteeID_2', {
      ...code,
      inviter_id,
      role: 'ADMIN',
    }),
    invited(OPEN, GROUP, 'PUBLIC', { inviter_id }),
    invited(BOB, GROUP, 'UserID_bob', { inviter_id, expires_at: T0 + 1 }),
    granted('SystemPermissionID_v', 'UserID_view', GROUP, 'VIEW'),
    granted('SystemPermissionID_i', 'UserID_invite', GROUP, 'INVITE'),
    granted('SystemPermissionID_e', 'UserID_edit', GROUP, 'EDIT'),
    granted('SystemPermissionID_t', 'UserID_table', 'TABLE_GROUPS', 'VIEW'),
  );
}

function ask(drive: SpecDrive, user_id: string, group_id = GROUP) {
  return validateMembership(drive.context('UserID_nobody'), { user_id, group_id });
}

function codeSeenBy(who: string, invite_id: string, masked = false): string | null {
  const drive = finance();
  const context = { ...drive.context(who), masked };
  return presentInvite(context, drive.state.invites.get(invite_id)!).redeem_code;
}

function previewsFor(who: string): readonly string[] {
  const drive = finance();
  const invite = drive.state.invites.get(BOB)!;
  return presentInvite(drive.context(who), invite).permission_previews;
}

function readers(drive: SpecDrive, invite_id: string): string[] {
  const people = ['ann', 'admin', 'member', 'bob', 'view', 'invite', 'edit', 'table', 'nobody'];
  const invite = drive.state.invites.get(invite_id)!;
  return people.filter((name) => inviteReads.mayRead(drive.context(`UserID_${name}`), invite));
}

describe('reading an invite', () => {
  it('is allowed to owner, inviter, invitee, group admins and holders of VIEW on the group', () => {
    const drive = finance();
    expect(readers(drive, BOB)).toEqual(['ann', 'admin', 'bob', 'view', 'table']);
    expect(inviteReads.mayRead(drive.context(OWNER), drive.state.invites.get(BOB)!)).toBe(true);
  });

  it('is allowed to no further user for public and placeholder invites', () => {
    expect(readers(finance(), OPEN)).toEqual(['ann', 'admin', 'view', 'table']);
    expect(readers(finance(), CODED)).toEqual(['ann', 'admin', 'view', 'table']);
  });
});

describe('the code of an invite', () => {
  it.each([OWNER, 'UserID_admin', 'UserID_ann', 'UserID_invite'])('is shown to %s', (who) => {
    expect(codeSeenBy(who, CODED)).toBe('RedeemTokenID_1');
  });

  it.each(['UserID_member', 'UserID_view', 'UserID_edit', 'UserID_bob'])(
    'is not shown to %s',
    (who) => {
      expect(codeSeenBy(who, CODED)).toBeNull();
    },
  );

  it('of an ADMIN invite requires EDIT instead of INVITE', () => {
    expect(codeSeenBy('UserID_edit', ADMIN_CODED)).toBe('RedeemTokenID_1');
    expect(codeSeenBy('UserID_admin', ADMIN_CODED)).toBe('RedeemTokenID_1');
    expect(codeSeenBy('UserID_ann', ADMIN_CODED)).toBe('RedeemTokenID_1');
    expect(codeSeenBy('UserID_invite', ADMIN_CODED)).toBeNull();
  });

  it('of a public invite is not secret', () => {
    expect(codeSeenBy('UserID_member', OPEN)).toBe('PUBLIC');
    expect(codeSeenBy(OWNER, OPEN, true)).toBe('PUBLIC');
  });

  it('is masked in past states, even for the owner', () => {
    expect(codeSeenBy(OWNER, CODED, true)).toBe('***');
    expect(codeSeenBy('UserID_member', CODED, true)).toBeNull();
    expect(codeSeenBy(OWNER, BOB, true)).toBeNull();
  });
});

describe('permission previews of an invite', () => {
  it('are all five for the owner and for group admins', () => {
    const all = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'];
    expect(previewsFor(OWNER)).toEqual(all);
    expect(previewsFor('UserID_admin')).toEqual(all);
  });

  it('are the permissions on the group, plus VIEW for all readers of the invite', () => {
    expect(previewsFor('UserID_bob')).toEqual(['VIEW']);
    expect(previewsFor('UserID_view')).toEqual(['VIEW']);
    expect(previewsFor('UserID_edit')).toEqual(['EDIT']);
    expect(previewsFor('UserID_member')).toEqual([]);
  });

  it('keep their order when VIEW joins others', () => {
    const drive = finance().given(
      granted('SystemPermissionID_b', 'UserID_bob', GROUP, 'CREATE', 'INVITE'),
    );
    const view = presentInvite(drive.context('UserID_bob'), drive.state.invites.get(BOB)!);
    expect(view.permission_previews).toEqual(['CREATE', 'VIEW', 'INVITE']);
  });
});

describe('the list of a group’s invites', () => {
  it('contains all of them for owner, members and holders of VIEW on the group', () => {
    const drive = finance();
    for (const who of [OWNER, 'UserID_admin', 'UserID_member', 'UserID_view', 'UserID_table'])
      expect(invitesOfGroup(drive.context(who), GROUP)).toEqual({
        field: 'group_id',
        among: new Set([GROUP]),
      });
  });

  it('refuses others, such as former members and mere inviters', () => {
    const drive = finance();
    for (const who of ['UserID_bob', 'UserID_ann', 'UserID_invite', 'UserID_edit'])
      expect(invitesOfGroup(drive.context(who), GROUP)).toMatchObject({ refusal: 'forbidden' });
  });

  it('refuses an unknown group', () => {
    expect(invitesOfGroup(finance().context('UserID_bob'), 'GroupID_x')).toMatchObject({
      refusal: 'group-not-found',
    });
  });
});

describe('validating membership', () => {
  it('counts the owner of the group and users with an active invite', () => {
    const drive = finance().given(grouped('GroupID_carol', 'UserID_carol'));
    expect(ask(drive, 'UserID_member')).toEqual({
      is_member: true,
      group_id: GROUP,
      user_id: 'UserID_member',
    });
    expect(ask(drive, 'UserID_carol', 'GroupID_carol')).toMatchObject({ is_member: true });
    expect(ask(drive, 'UserID_carol', EVERYONE)).toMatchObject({ is_member: false });
  });

  it('does not count public invites, expired invites, or grants', () => {
    for (const who of ['UserID_nobody', 'UserID_bob', 'UserID_view'])
      expect(ask(finance(), who)).toMatchObject({ is_member: false });
  });

  it('refuses an unknown group', () => {
    expect(ask(finance(), 'UserID_bob', 'GroupID_x')).toMatchObject({ refusal: 'group-not-found' });
  });
});
