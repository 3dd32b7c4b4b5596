import { OWNER, type SpecDrive, T0 } from '../testing/drive.js';
import { permissionCommands } from './definitions.js';
import {
  FOLDER,
  driveWithFolder,
  whereUserHas as where,
  directoryGrant,
  groupOf,
  systemGrant,
} from './testing/grants.js';

const { DeleteDirectoryPermission, UpdateDirectoryPermission } = permissionCommands;
const A = 'UserID_a';
const B = 'UserID_b';
const F = FOLDER;
const LATER = T0 + 1_000_000;

describe('UpdateDirectoryPermission', () => {
  const id = 'DirectoryPermissionID_b';
  const VIEW = ['VIEW'] as const;

  /** User a has these types on the folder; user b has VIEW there until LATER, given by a. */
  function given(types: string[], of_b: object = {}): SpecDrive {
    const expiry_date_ms = LATER;
    return where(types).given(
      directoryGrant('b', F, {
        granted_to: B,
        granted_by: A,
        permission_types: VIEW,
        begin_date_ms: 1000,
        expiry_date_ms,
        inheritable: false,
        ...of_b,
      }),
    );
  }

  function update(drive: SpecDrive, who: string, change: object) {
    return drive.when(UpdateDirectoryPermission, who, { id, permission_types: VIEW, ...change });
  }

  it('replaces the types and changes the other given fields', () => {
    const drive = given([]);
    const { answer, events } = update(drive, OWNER, {
      permission_types: ['EDIT', 'UPLOAD'],
      note: 'n',
      metadata: { any: 'thing' },
    });
    expect(events[0]!.data).toEqual({
      permission_id: id,
      permission_types: ['UPLOAD', 'EDIT'],
      note: 'n',
      metadata: { any: 'thing' },
    });
    expect(answer!.permission).toMatchObject({
      permission_types: ['UPLOAD', 'EDIT'],
      note: 'n',
      metadata: { any: 'thing' },
      begin_date_ms: 1000,
      last_modified_at: drive.now - 1,
    });
  });

  it('is answered as not found to callers who may not read it, and as forbidden to those who may', () => {
    const drive = given([]);
    expect(update(drive, 'UserID_c', {}).refusal).toBe('permission-not-found');
    expect(update(drive, B, {}).refusal).toBe('forbidden');
    const unknown = { id: 'DirectoryPermissionID_x' };
    expect(update(drive, OWNER, unknown).refusal).toBe('permission-not-found');
  });

  it('requires MANAGE, EDIT on PERMISSIONS, or being the granter with INVITE', () => {
    const by_other = { granted_by: OWNER };
    expect(update(given(['MANAGE'], by_other), A, {}).allowed_by).toEqual([
      'DirectoryPermissionID_a',
    ]);
    expect(update(given(['VIEW', 'INVITE'], by_other), A, {}).refusal).toBe('forbidden');
    expect(update(given(['VIEW', 'INVITE']), A, {}).allowed_by).toEqual([
      'DirectoryPermissionID_a',
    ]);
    expect(update(given(['VIEW']), A, {}).refusal).toBe('forbidden');
    const editor = { granted_to: B, permission_types: ['EDIT'] };
    const drive = given([]).given(systemGrant('edit', id, editor));
    expect(update(drive, B, {}).allowed_by).toEqual(['SystemPermissionID_edit']);
    expect(update(drive, 'UserID_c', {}).refusal).toBe('permission-not-found');
  });

  it('requires only EDIT on PERMISSIONS: changing a grant does not require reading it', () => {
    const editor = { granted_to: 'UserID_c', permission_types: ['EDIT'] };
    const drive = given([]).given(systemGrant('edit', 'TABLE_PERMISSIONS', editor));
    expect(update(drive, 'UserID_c', {}).allowed_by).toEqual(['SystemPermissionID_edit']);
  });

  it('checks no ceiling for narrowing, notes and metadata', () => {
    const drive = given(['INVITE'], { permission_types: ['VIEW', 'EDIT'], inheritable: true });
    const narrower = { begin_date_ms: 2000, expiry_date_ms: LATER - 1, inheritable: false };
    expect(update(drive, A, { ...narrower, note: 'n', metadata: {} }).refusal).toBeNull();
  });

  it('checks the ceiling for added types', () => {
    const types = { permission_types: ['VIEW', 'EDIT'] };
    expect(update(given(['INVITE']), A, types).refusal).toBe('ceiling');
    expect(update(given(['INVITE', 'EDIT']), A, types).refusal).toBeNull();
  });

  it('checks the ceiling for all types if the scope grows', () => {
    const further = [
      { expiry_date_ms: LATER + 1 },
      { expiry_date_ms: -1 },
      { begin_date_ms: 999 },
      { begin_date_ms: 0 },
      { inheritable: true },
    ];
    for (const change of further) {
      expect(update(given(['INVITE']), A, change).refusal).toBe('ceiling');
      expect(update(given(['INVITE', 'VIEW']), A, change).refusal).toBeNull();
    }
  });

  it('applies the ceiling to EDIT on PERMISSIONS and MANAGE too', () => {
    const editor = { granted_to: B, permission_types: ['EDIT'] };
    const drive = given([]).given(systemGrant('edit', 'TABLE_PERMISSIONS', editor));
    expect(update(drive, B, { permission_types: ['VIEW', 'MANAGE'] }).refusal).toBe('ceiling');
    const ending = where(['MANAGE'], { expiry_date_ms: LATER }).given(
      directoryGrant('b', F, { granted_to: B, permission_types: VIEW, expiry_date_ms: LATER }),
    );
    expect(update(ending, A, { expiry_date_ms: LATER + 1 }).refusal).toBe('ceiling');
  });

  it('keeps PUBLIC within its limits', () => {
    const drive = given(['MANAGE'], { granted_to: 'PUBLIC' });
    const wide = { permission_types: ['EDIT'] };
    expect(update(drive, A, wide).refusal).toBe('public-grant-too-wide');
    expect(update(drive, A, { permission_types: ['UPLOAD'] }).refusal).toBeNull();
    expect(update(drive, OWNER, wide).refusal).toBeNull();
  });

  it('refuses a resulting window that ends before it begins', () => {
    const drive = given([]);
    expect(update(drive, OWNER, { expiry_date_ms: 1000 }).refusal).toBe('invalid-field');
    expect(update(drive, OWNER, { begin_date_ms: LATER }).refusal).toBe('invalid-field');
    expect(update(drive, OWNER, { expiry_date_ms: 1001 }).refusal).toBeNull();
  });

  it.each([
    ['/begin_date_ms', { begin_date_ms: LATER }],
    ['/expiry_date_ms', { expiry_date_ms: 1000 }],
    ['/expiry_date_ms', { begin_date_ms: LATER, expiry_date_ms: LATER }],
  ])('refuses a window at %s, which the update %j gives', (pointer, change) => {
    const refused = UpdateDirectoryPermission.decide(given([]).context(OWNER), { id, ...change });
    expect(refused).toMatchObject({ refusal: 'invalid-field', details: [{ pointer }] });
  });
});

describe('DeleteDirectoryPermission', () => {
  const permission_id = 'DirectoryPermissionID_b';

  function given(types: string[], by: string = OWNER): SpecDrive {
    const of_b = { granted_to: B, granted_by: by, permission_types: ['VIEW'] };
    return where(types).given(directoryGrant('b', F, of_b));
  }

  function remove(drive: SpecDrive, who: string) {
    return drive.when(DeleteDirectoryPermission, who, { permission_id });
  }

  it('deletes the grant, and the grants on it', () => {
    const drive = given([]).given(
      systemGrant('on', permission_id, { granted_to: A, permission_types: ['VIEW'] }),
    );
    const { answer } = remove(drive, OWNER);
    expect(answer).toEqual({ deleted_id: permission_id });
    expect(drive.state.directory_permissions.has(permission_id)).toBe(false);
    expect(drive.state.system_permissions.has('SystemPermissionID_on')).toBe(false);
  });

  it('is allowed to callers who may update it, holders of DELETE on PERMISSIONS, and the grantee', () => {
    expect(remove(given(['MANAGE']), A).allowed_by).toEqual(['DirectoryPermissionID_a']);
    expect(remove(given(['INVITE'], A), A).allowed_by).toEqual(['DirectoryPermissionID_a']);
    expect(remove(given([]), B).allowed_by).toEqual(['SELF']);
    const deleter = { granted_to: A, permission_types: ['VIEW', 'DELETE'] };
    const drive = given([]).given(systemGrant('d', permission_id, deleter));
    expect(remove(drive, A).allowed_by).toEqual(['SystemPermissionID_d']);
    const unreading = { granted_to: 'UserID_c', permission_types: ['DELETE'] };
    const unread = given([]).given(systemGrant('d', 'TABLE_PERMISSIONS', unreading));
    expect(remove(unread, 'UserID_c').allowed_by).toEqual(['SystemPermissionID_d']);
  });

  it('is forbidden to other readers, and answered as not found to the rest', () => {
    expect(remove(given(['VIEW']), A).refusal).toBe('forbidden');
    expect(remove(given(['INVITE']), A).refusal).toBe('forbidden');
    expect(remove(given([]), 'UserID_c').refusal).toBe('permission-not-found');
    const unknown = { permission_id: 'DirectoryPermissionID_x' };
    const { refusal } = given([]).when(DeleteDirectoryPermission, OWNER, unknown);
    expect(refusal).toBe('permission-not-found');
  });

  it('does not let a member remove the grant of the whole group', () => {
    const to_group = { granted_to: 'GroupID_g', permission_types: ['VIEW'] };
    const drive = driveWithFolder().given(
      ...groupOf('GroupID_g', A),
      directoryGrant('b', F, to_group),
    );
    expect(remove(drive, A).refusal).toBe('forbidden');
  });
});
