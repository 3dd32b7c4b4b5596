import { jest } from '@jest/globals';
import { event } from '../foundation/events.js';
import { OWNER, SpecDrive } from '../testing/drive.js';
import {
  directoryPermissionReads,
  grantsOnResource,
  systemGrantsWhere,
  systemPermissionReads,
} from './reads.js';
import {
  directoryGrant,
  disk,
  folder,
  groupOf,
  ROOT,
  systemGrant,
  TRASH,
} from './testing/grants.js';

const A = 'UserID_a';
const F = 'FolderID_f';
const PASSWORD = { metadata_type: 'DIRECTORY_PASSWORD', content: { DirectoryPassword: 'p' } };
const LABELS = { metadata_type: 'LABELS', content: { Labels: 'l' } };

function driveWithFolder(): SpecDrive {
  const drive = new SpecDrive().given(disk);
  folder(drive, F, ROOT);
  folder(drive, 'FolderID_g', F);
  return drive;
}

function shownDirectory(drive: SpecDrive, id: string, who: string, masked = false) {
  const grant = drive.state.directory_permissions.get(`DirectoryPermissionID_${id}`)!;
  return directoryPermissionReads.present({ ...drive.context(who), masked }, grant);
}

function shownSystem(drive: SpecDrive, id: string, who: string, masked = false) {
  const grant = drive.state.system_permissions.get(`SystemPermissionID_${id}`)!;
  return systemPermissionReads.present({ ...drive.context(who), masked }, grant);
}

describe('a directory permission', () => {
  it.each([
    [ROOT, 'DiskID_1::/', 'Archive'],
    [TRASH, 'DiskID_1::.trash/', '.trash'],
    [F, 'DiskID_1::f/', 'f'],
    ['FolderID_g', 'DiskID_1::../g/', 'g'],
  ])('on %s is shown at %s', (resource_id, resource_path, resource_name) => {
    const drive = driveWithFolder().given(
      directoryGrant('x', resource_id, { granted_to: A, permission_types: ['UPLOAD'] }),
    );
    expect(shownDirectory(drive, 'x', OWNER)).toMatchObject({ resource_path, resource_name });
    const hidden = { resource_path: '', resource_name: '' };
    expect(shownDirectory(drive, 'x', A)).toMatchObject(hidden);
  });

  it('on a root shows the disk’s name to callers who may view the disk', () => {
    const grant = { granted_to: A, permission_types: ['UPLOAD'] };
    const drive = driveWithFolder().given(
      directoryGrant('x', ROOT, grant),
      systemGrant('s', 'DiskID_1', { granted_to: A, permission_types: ['VIEW'] }),
    );
    const shown = { resource_path: '', resource_name: 'Archive' };
    expect(shownDirectory(drive, 'x', A)).toMatchObject(shown);
  });

  it.each([A, 'PUBLIC', 'UserID_stranger', 'GroupID_plain', 'PlaceholderPermissionGranteeID_p'])(
    'shows the grantee %s without an avatar as empty text',
    (granted_to) => {
      const drive = driveWithFolder().given(
        ...groupOf('GroupID_plain', A),
        directoryGrant('x', F, { granted_to, permission_types: ['VIEW'] }),
        systemGrant('s', 'TABLE_DISKS', { granted_to, permission_types: ['VIEW'] }),
      );
      expect(shownDirectory(drive, 'x', OWNER).grantee_avatar).toBe('');
      expect(shownSystem(drive, 's', OWNER).grantee_avatar).toBe('');
    },
  );

  it('follows its folder when that is moved and renamed', () => {
    const drive = driveWithFolder().given(
      directoryGrant('x', 'FolderID_g', { granted_to: A, permission_types: ['VIEW'] }),
    );
    folder(drive, 'FolderID_g', ROOT, { name: 'renamed' });
    expect(shownDirectory(drive, 'x', A).resource_path).toBe('DiskID_1::renamed/');
  });

  it('shows code and password to owner, granter and MANAGE only', () => {
    const drive = driveWithFolder().given(
      directoryGrant('x', F, {
        granted_to: 'PlaceholderPermissionGranteeID_1',
        granted_by: A,
        permission_types: ['VIEW'],
        redeem_code: 'RedeemTokenID_1',
        metadata: PASSWORD,
      }),
      directoryGrant('m', F, { granted_to: 'UserID_m', permission_types: ['MANAGE'] }),
      directoryGrant('v', F, { granted_to: 'UserID_v', permission_types: ['VIEW', 'INVITE'] }),
      systemGrant('e', 'TABLE_PERMISSIONS', {
        granted_to: 'UserID_e',
        permission_types: ['VIEW', 'EDIT'],
      }),
    );
    for (const who of [OWNER, A, 'UserID_m'])
      expect(shownDirectory(drive, 'x', who)).toMatchObject({
        redeem_code: 'RedeemTokenID_1',
        metadata: PASSWORD,
      });
    for (const who of ['UserID_v', 'UserID_e', 'UserID_c'])
      expect(shownDirectory(drive, 'x', who)).toMatchObject({ redeem_code: null, metadata: null });
  });

  it('masks code and password in past states', () => {
    const drive = driveWithFolder().given(
      directoryGrant('x', F, {
        granted_to: A,
        permission_types: ['VIEW'],
        redeem_code: 'RedeemTokenID_1',
        metadata: PASSWORD,
      }),
    );
    expect(shownDirectory(drive, 'x', OWNER, true)).toMatchObject({
      redeem_code: '***',
      metadata: { metadata_type: 'DIRECTORY_PASSWORD', content: '***' },
    });
    expect(shownDirectory(drive, 'x', A, true)).toMatchObject({
      redeem_code: null,
      metadata: null,
    });
  });

  it('shows other metadata to all its readers, masked or not', () => {
    const drive = driveWithFolder().given(
      directoryGrant('x', F, { granted_to: A, permission_types: ['VIEW'], metadata: LABELS }),
    );
    expect(shownDirectory(drive, 'x', A).metadata).toEqual(LABELS);
    expect(shownDirectory(drive, 'x', A, true).metadata).toEqual(LABELS);
    expect(shownDirectory(drive, 'x', OWNER, true).redeem_code).toBeNull();
  });

  it('shows the names of grantee and granter', () => {
    const drive = driveWithFolder().given(...groupOf('GroupID_g', A));
    const names = (granted_to: string, granted_by: string) => {
      drive.given(directoryGrant('x', F, { granted_to, granted_by, permission_types: ['VIEW'] }));
      const { grantee_name, granter_name } = shownDirectory(drive, 'x', OWNER);
      return [grantee_name, granter_name];
    };
    expect(names(OWNER, OWNER)).toEqual(['Owner', 'Owner']);
    expect(names(A, A)).toEqual(['Unknown User (UserID_a)', 'Granter: UserID_a']);
    expect(names('GroupID_g', OWNER)[0]).toBe('Finance');
    expect(names('GroupID_x', OWNER)[0]).toBe('Unknown Group (GroupID_x)');
    expect(names('PUBLIC', OWNER)[0]).toBe('PUBLIC');
    expect(names('PlaceholderPermissionGranteeID_1', OWNER)[0]).toBe('Awaiting Anon');
  });

  it('previews the system types on itself', () => {
    const drive = driveWithFolder().given(
      directoryGrant('x', F, { granted_to: A, permission_types: ['MANAGE'] }),
      systemGrant('e', 'DirectoryPermissionID_x', { granted_to: A, permission_types: ['EDIT'] }),
    );
    expect(shownDirectory(drive, 'x', A).permission_previews).toEqual(['EDIT']);
  });
});

describe('a system permission', () => {
  it('shows its code and password to owner and granter only', () => {
    const drive = new SpecDrive().given(
      systemGrant('x', 'TABLE_DISKS', {
        granted_to: 'PlaceholderPermissionGranteeID_1',
        granted_by: A,
        permission_types: ['VIEW'],
        redeem_code: 'RedeemTokenID_1',
        metadata: PASSWORD,
      }),
      systemGrant('e', 'TABLE_PERMISSIONS', {
        granted_to: 'UserID_e',
        permission_types: ['VIEW', 'EDIT'],
      }),
    );
    for (const who of [OWNER, A])
      expect(shownSystem(drive, 'x', who)).toMatchObject({
        redeem_code: 'RedeemTokenID_1',
        metadata: PASSWORD,
      });
    expect(shownSystem(drive, 'x', 'UserID_e')).toMatchObject({
      redeem_code: null,
      metadata: null,
    });
    expect(shownSystem(drive, 'x', A, true).redeem_code).toBe('***');
  });
});

describe('the list of one resource', () => {
  it('requires VIEW on it', () => {
    const drive = driveWithFolder().given(
      directoryGrant('x', ROOT, { granted_to: A, permission_types: ['VIEW'] }),
      directoryGrant('y', ROOT, { granted_to: 'UserID_b', permission_types: ['UPLOAD'] }),
    );
    const list = (who: string, resource_id: string) =>
      grantsOnResource(drive.context(who), resource_id);
    expect(list(A, F)).toEqual({ field: 'resource_id', among: new Set([F]) });
    expect(list('UserID_b', F)).toMatchObject({ refusal: 'forbidden' });
    expect(list(A, 'FolderID_x')).toMatchObject({ refusal: 'forbidden' });
    expect(list(OWNER, 'FolderID_x')).toMatchObject({ refusal: 'resource-not-found' });
  });
});

describe('the filter of system permissions by labels', () => {
  it('finds grants only, however often and in whatever form a label is given', () => {
    const label = {
      ...{ label_id: 'LabelID_1', value: 'urgent', color: '#ABC', created_by: OWNER },
      ...{ public_note: null, private_note: null, external_id: null, external_payload: null },
    };
    const drive = driveWithFolder().given(
      systemGrant('x', 'TABLE_DISKS', { granted_to: A, permission_types: ['VIEW'] }),
      event('LabelCreated', label),
      ...['SystemPermissionID_x', F, ROOT].map((resource_id) =>
        event('LabelPinned', { label_id: label.label_id, resource_id }),
      ),
    );
    const read = jest.spyOn(drive.state.system_permissions, 'where');
    const labels = Array.from({ length: 99 }, () => ['urgent', 'URGENT', label.label_id]).flat();
    expect(systemGrantsWhere(drive.context(A), { labels: [...labels, 'unknown'] })).toEqual([
      { field: 'id', among: new Set(['SystemPermissionID_x']) },
    ]);
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });
});
