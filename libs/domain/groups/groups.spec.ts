import { event } from '../foundation/events.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { granted } from './testing/events.js';
import { groupCommands } from './definitions.js';

const { CreateGroup, DeleteGroup, UpdateGroup } = groupCommands;
const fresh = { group_id: 'GroupID_1', invite_id: 'GroupInviteID_1' };

const mayCreateGroups = (user: string) =>
  granted('SystemPermissionID_create', user, 'TABLE_GROUPS', 'CREATE');

describe('CreateGroup', () => {
  it('makes the caller its owner and an admin with access to all its data', () => {
    const drive = new SpecDrive();
    const { answer, allowed_by } = drive.when(CreateGroup, OWNER, { name: 'Finance', fresh });
    expect(allowed_by).toEqual(['OWNER']);
    expect(answer).toMatchObject({
      id: 'GroupID_1',
      name: 'Finance',
      owner: OWNER,
      host_url: 'http://host.example',
      admin_invites: ['GroupInviteID_1'],
      member_invites: ['GroupInviteID_1'],
      member_count: 1,
    });
    expect(answer!.member_previews).toMatchObject([{ name: 'Owner', is_admin: true }]);
  });

  it('gets the name Unnamed Group by default', () => {
    const { answer } = new SpecDrive().when(CreateGroup, OWNER, { fresh });
    expect(answer!.name).toBe('Unnamed Group');
  });

  it('requires CREATE on GROUPS, and names the grant', () => {
    const drive = new SpecDrive();
    expect(drive.when(CreateGroup, 'UserID_a', { fresh }).refusal).toBe('forbidden');
    drive.given(mayCreateGroups('UserID_a'));
    const { allowed_by } = drive.when(CreateGroup, 'UserID_a', { fresh });
    expect(allowed_by).toEqual(['SystemPermissionID_create']);
  });

  it('refuses the id of a live and of a deleted group', () => {
    const drive = new SpecDrive();
    const command = { id: 'GroupID_mine', fresh };
    drive.when(CreateGroup, OWNER, command);
    expect(drive.when(CreateGroup, OWNER, command).refusal).toBe('id-in-use');
    drive.when(DeleteGroup, OWNER, { id: 'GroupID_mine' });
    expect(drive.when(CreateGroup, OWNER, command).refusal).toBe('id-in-use');
  });
});

describe('UpdateGroup', () => {
  it('changes only the given fields', () => {
    const drive = new SpecDrive();
    drive.when(CreateGroup, OWNER, { name: 'Finance', public_note: 'n', fresh });
    const { answer } = drive.when(UpdateGroup, OWNER, { id: 'GroupID_1', name: 'Money' });
    expect(answer).toMatchObject({ name: 'Money', public_note: 'n' });
  });

  it('refuses an empty change, an unknown group and a stranger', () => {
    const drive = new SpecDrive();
    drive.when(CreateGroup, OWNER, { fresh });
    const id = 'GroupID_1';
    expect(drive.when(UpdateGroup, OWNER, { id }).refusal).toBe('nothing-to-update');
    expect(drive.when(UpdateGroup, OWNER, { id: 'GroupID_x', name: 'y' }).refusal).toBe(
      'group-not-found',
    );
    expect(drive.when(UpdateGroup, 'UserID_a', { id, name: 'y' }).refusal).toBe('forbidden');
  });
});

describe('DeleteGroup', () => {
  it('also deletes invites, and the grants on and to the group', () => {
    const drive = new SpecDrive();
    drive.when(CreateGroup, OWNER, { fresh });
    drive.given(mayCreateGroups('GroupID_1'));
    drive.when(DeleteGroup, OWNER, { id: 'GroupID_1' });
    expect(drive.state.invites.has('GroupInviteID_1')).toBe(false);
    expect(drive.state.system_permissions.has('SystemPermissionID_create')).toBe(false);
  });

  it('lets only the organization owner delete the Group for All, and clears its id then', () => {
    const drive = new SpecDrive();
    drive.given(
      event('GroupInviteCreated', {
        invite_id: 'GroupInviteID_admin',
        group_id: EVERYONE,
        inviter_id: OWNER,
        invitee_id: 'UserID_admin',
        role: 'ADMIN',
        note: '',
        active_from: 0,
        expires_at: -1,
        external_id: null,
        external_payload: null,
        redeem_code: null,
        redeem_digest: '',
        from_placeholder_invitee: null,
      }),
    );
    expect(drive.when(DeleteGroup, 'UserID_admin', { id: EVERYONE }).refusal).toBe('forbidden');
    expect(drive.when(DeleteGroup, OWNER, { id: EVERYONE }).refusal).toBeNull();
    expect(drive.state.organization.default_everyone_group_id).toBe('');
  });
});
