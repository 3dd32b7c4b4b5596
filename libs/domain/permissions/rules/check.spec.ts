import { OWNER, SpecDrive } from '../../testing/drive.js';
import { checkDirectoryPermission, checkSystemPermission } from './check.js';
import { directoryGrant, disk, folder, groupOf, ROOT, systemGrant } from '../testing/grants.js';

const A = 'UserID_a';
const F = 'FolderID_f';
const PLACEHOLDER = 'PlaceholderPermissionGranteeID_1';

function drive(): SpecDrive {
  const made = new SpecDrive().given(disk, ...groupOf('GroupID_g', A));
  folder(made, F, ROOT);
  return made.given(
    directoryGrant('a', F, { granted_to: A, permission_types: ['UPLOAD'] }),
    directoryGrant('g', ROOT, { granted_to: 'GroupID_g', permission_types: ['EDIT'] }),
    directoryGrant('p', F, { granted_to: PLACEHOLDER, permission_types: ['DELETE'] }),
    directoryGrant('o', F, { granted_to: 'PUBLIC', permission_types: ['INVITE'] }),
    directoryGrant('v', F, { granted_to: 'UserID_v', permission_types: ['VIEW'] }),
    directoryGrant('m', F, { granted_to: 'UserID_m', permission_types: ['MANAGE'] }),
    systemGrant('a', 'DiskID_1', { granted_to: A, permission_types: ['EDIT'] }),
    systemGrant('g', 'TABLE_DISKS', { granted_to: 'GroupID_g', permission_types: ['DELETE'] }),
    systemGrant('v', 'DiskID_1', { granted_to: 'UserID_v', permission_types: ['VIEW'] }),
    systemGrant('w', 'TABLE_PERMISSIONS', { granted_to: 'UserID_w', permission_types: ['VIEW'] }),
  );
}

describe('checkDirectoryPermission', () => {
  function check(who: string, grantee_id: string, resource_id = F): unknown {
    const answer = checkDirectoryPermission(drive().context(who), { resource_id, grantee_id });
    return 'refusal' in answer ? answer.refusal : answer.permissions;
  }

  it('answers effective types with groups and inheritance, MANAGE literally', () => {
    expect(check(A, A)).toEqual(['UPLOAD', 'EDIT', 'INVITE']);
    expect(check(A, 'GroupID_g')).toEqual(['EDIT', 'INVITE']);
    expect(check('UserID_m', 'UserID_m')).toEqual(['INVITE', 'MANAGE']);
    expect(check('UserID_c', 'PUBLIC')).toEqual(['INVITE']);
    expect(check(OWNER, PLACEHOLDER)).toEqual(['DELETE', 'INVITE']);
    expect(check(OWNER, OWNER)).toHaveLength(6);
  });

  it('answers others only with VIEW on the resource', () => {
    expect(check('UserID_c', A)).toBe('forbidden');
    expect(check('UserID_c', 'GroupID_g')).toBe('forbidden');
    expect(check('UserID_v', A)).toEqual(['UPLOAD', 'EDIT', 'INVITE']);
    expect(check('UserID_m', A)).toEqual(['UPLOAD', 'EDIT', 'INVITE']);
    expect(check('UserID_v', A, ROOT)).toBe('forbidden');
  });

  it('does not reveal whether a resource exists', () => {
    for (const unknown of ['FolderID_x', 'FileID_x']) {
      expect(check(A, A, unknown)).toEqual([]);
      expect(check(A, 'PUBLIC', unknown)).toEqual([]);
      expect(check(A, 'GroupID_g', unknown)).toEqual([]);
      expect(check(OWNER, A, unknown)).toEqual([]);
      expect(check('UserID_v', A, unknown)).toBe('forbidden');
    }
  });
});

describe('checkSystemPermission', () => {
  function check(who: string, grantee_id: string, resource_id = 'DiskID_1'): unknown {
    const answer = checkSystemPermission(drive().context(who), { resource_id, grantee_id });
    return 'refusal' in answer ? answer.refusal : answer.permissions;
  }

  it('answers the types on table and record', () => {
    expect(check(A, A)).toEqual(['EDIT', 'DELETE']);
    expect(check(A, A, 'TABLE_DISKS')).toEqual(['DELETE']);
    expect(check(A, 'GroupID_g')).toEqual(['DELETE']);
    expect(check(A, OWNER, 'TABLE_DISKS')).toBe('forbidden');
    expect(check(OWNER, OWNER)).toHaveLength(5);
  });

  it('answers others only with VIEW on the target or on PERMISSIONS', () => {
    expect(check('UserID_c', A)).toBe('forbidden');
    expect(check('UserID_v', A)).toEqual(['EDIT', 'DELETE']);
    expect(check('UserID_v', A, 'TABLE_DISKS')).toBe('forbidden');
    expect(check('UserID_w', A, 'TABLE_DISKS')).toEqual(['DELETE']);
  });
});
