import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { inviteCommands } from './definitions.js';
import { granted, grouped, invited } from './testing/events.js';

const { DeleteInvite } = inviteCommands;

const GROUP = 'GroupID_finance';
const ADMIN = 'UserID_admin';

/** A group that `ADMIN` administers through the invite GroupInviteID_admin. */
function finance(): SpecDrive {
  return new SpecDrive().given(
    grouped(GROUP),
    invited('GroupInviteID_admin', GROUP, ADMIN, { role: 'ADMIN' }),
  );
}

function remaining(drive: SpecDrive): string[] {
  return [...drive.state.invites.by('invitee', 'UserID_bob')];
}

describe('DeleteInvite', () => {
  const first = 'GroupInviteID_first';
  const second = 'GroupInviteID_second';

  /** Bob holds two invites, by Ann and by Owner, and a third elsewhere. */
  function bobTwice(): SpecDrive {
    return finance().given(
      invited(first, GROUP, 'UserID_bob', { inviter_id: 'UserID_ann', expires_at: T0 + 1 }),
      invited(second, GROUP, 'UserID_bob', { role: 'ADMIN' }),
      invited('GroupInviteID_elsewhere', EVERYONE, 'UserID_bob'),
    );
  }

  it('ends the whole membership of the user, and no other', () => {
    const drive = bobTwice();
    const { answer, events } = drive.when(DeleteInvite, OWNER, { id: second });
    expect(answer).toEqual({ id: second, deleted: true });
    expect(events).toMatchObject([{ data: { invite_ids: [first, second] } }]);
    expect(remaining(drive)).toEqual(['GroupInviteID_elsewhere']);
  });

  it('lets the invitee leave', () => {
    const drive = bobTwice();
    expect(drive.when(DeleteInvite, 'UserID_bob', { id: first }).allowed_by).toEqual(['SELF']);
    expect(remaining(drive)).toEqual(['GroupInviteID_elsewhere']);
  });

  it('lets a group admin and a holder of DELETE end it too', () => {
    expect(bobTwice().when(DeleteInvite, ADMIN, { id: first }).allowed_by).toEqual([
      'GroupInviteID_admin',
    ]);
    const drive = bobTwice().given(
      granted('SystemPermissionID_d', 'UserID_d', 'TABLE_GROUPS', 'DELETE'),
    );
    const { allowed_by } = drive.when(DeleteInvite, 'UserID_d', { id: first });
    expect(allowed_by).toEqual(['SystemPermissionID_d']);
    expect(remaining(drive)).toEqual(['GroupInviteID_elsewhere']);
  });

  it('lets a mere inviter delete that one invite and no other', () => {
    const drive = bobTwice();
    expect(drive.when(DeleteInvite, 'UserID_ann', { id: second }).refusal).toBe('forbidden');
    expect(drive.when(DeleteInvite, 'UserID_ann', { id: first }).allowed_by).toEqual(['SELF']);
    expect(remaining(drive)).toEqual([second, 'GroupInviteID_elsewhere']);
  });

  it('deletes only one of several public or placeholder invites', () => {
    const drive = finance().given(
      invited(first, GROUP, 'PUBLIC'),
      invited(second, GROUP, 'PUBLIC'),
    );
    drive.when(DeleteInvite, OWNER, { id: first });
    expect(drive.state.invites.has(second)).toBe(true);
  });

  it('also deletes system grants on the removed invites', () => {
    const grant = granted('SystemPermissionID_on', 'UserID_c', first, 'VIEW');
    const drive = bobTwice().given(grant);
    drive.when(DeleteInvite, OWNER, { id: second });
    expect(drive.state.system_permissions.has('SystemPermissionID_on')).toBe(false);
  });

  it('keeps the group owner as owner without an invite', () => {
    const drive = finance();
    drive.when(DeleteInvite, OWNER, { id: `GroupInviteID_${GROUP}` });
    expect(drive.state.groups.get(GROUP)!.owner).toBe(OWNER);
  });

  it('refuses an unknown invite, and strangers and mere members', () => {
    const drive = bobTwice().given(invited('GroupInviteID_m', GROUP, 'UserID_member'));
    expect(drive.when(DeleteInvite, 'UserID_a', { id: 'GroupInviteID_x' }).refusal).toBe(
      'invite-not-found',
    );
    expect(drive.when(DeleteInvite, 'UserID_a', { id: first }).refusal).toBe('forbidden');
    expect(drive.when(DeleteInvite, 'UserID_member', { id: first }).refusal).toBe('forbidden');
  });
});
