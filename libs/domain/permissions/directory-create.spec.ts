import { OWNER, type SpecDrive, T0 } from '../testing/drive.js';
import { permissionCommands } from './definitions.js';
import { MOST_GRANTS } from './rules/limits.js';
import {
  FOLDER,
  driveWithFolder,
  whereUserHas as where,
  directoryGrant,
  folder,
  fresh,
  groupOf,
  ROOT,
} from './testing/grants.js';

const { CreateDirectoryPermission, DeleteDirectoryPermission } = permissionCommands;
const A = 'UserID_a';
const B = 'UserID_b';
const F = FOLDER;
const LATER = T0 + 1_000_000;

function create(drive: SpecDrive, who: string, given: object) {
  const command = { resource_id: F, granted_to: B, permission_types: ['VIEW'] as const, fresh };
  return drive.when(CreateDirectoryPermission, who, { ...command, ...given });
}

describe('CreateDirectoryPermission', () => {
  it('creates the owner’s grant with defaults, and answers the record twice', () => {
    const { answer, allowed_by } = create(driveWithFolder(), OWNER, {
      permission_types: ['MANAGE', 'VIEW', 'VIEW'],
    });
    expect(allowed_by).toEqual(['OWNER']);
    const { permission, ...record } = answer!;
    expect(permission).toEqual(record);
    expect(record).toMatchObject({
      id: 'fresh',
      resource_id: F,
      resource_path: 'DiskID_1::f/',
      resource_name: 'f',
      granted_to: B,
      granted_by: OWNER,
      permission_types: ['VIEW', 'MANAGE'],
      begin_date_ms: 0,
      expiry_date_ms: -1,
      inheritable: false,
      note: '',
      metadata: null,
      redeem_code: null,
      from_placeholder_grantee: null,
    });
  });

  it('gives one grantee at most 1,000 permissions on one resource, also by redemption and change', () => {
    const drive = driveWithFolder();
    const one = { ...fresh, placeholder_id: 'PlaceholderPermissionGranteeID_p' };
    for (let at = 0; at < MOST_GRANTS - 1; at++)
      create(drive, OWNER, { id: `DirectoryPermissionID_${at}` });
    const placeholder = create(drive, OWNER, { granted_to: undefined, fresh: one }).answer!;
    const redeem = () =>
      drive.when(permissionCommands.RedeemDirectoryPermission, OWNER, {
        permission_id: placeholder.id,
        redeem_digest: one.code_digest,
        user_id: B,
      });
    create(drive, OWNER, { id: 'DirectoryPermissionID_last' });
    expect(create(drive, OWNER, { id: 'DirectoryPermissionID_more' }).refusal).toBe(
      'too-many-grants',
    );
    expect(redeem().refusal).toBe('too-many-grants');
    const { UpdateDirectoryPermission } = permissionCommands;
    const change = (more: object) =>
      drive.when(UpdateDirectoryPermission, OWNER, { id: placeholder.id, fresh: one, ...more });
    expect(change({ granted_to: B }).refusal).toBe('too-many-grants');
    expect(
      create(drive, OWNER, { id: 'DirectoryPermissionID_a', granted_to: A }).refusal,
    ).toBeNull();
    drive.when(DeleteDirectoryPermission, OWNER, { permission_id: 'DirectoryPermissionID_0' });
    expect(redeem().refusal).toBeNull();
    // Changes of a grant that counts already.
    expect(change({ note: 'x' }).refusal).toBeNull();
  });

  it('creates a placeholder with a code if no grantee or a placeholder is given', () => {
    const drive = driveWithFolder();
    const unnamed = create(drive, OWNER, { granted_to: undefined });
    expect(unnamed.answer).toMatchObject({
      granted_to: 'PlaceholderPermissionGranteeID_fresh',
      redeem_code: 'RedeemTokenID_fresh',
      grantee_name: 'Awaiting Anon',
    });
    const granted_to = 'PlaceholderPermissionGranteeID_mine';
    const named = create(drive, OWNER, { id: 'DirectoryPermissionID_2', granted_to });
    expect(named.answer).toMatchObject({ granted_to, redeem_code: 'RedeemTokenID_fresh' });
  });

  it('refuses an unknown resource before checking permissions', () => {
    const command = { resource_id: 'FolderID_unknown' };
    expect(create(driveWithFolder(), A, command).refusal).toBe('resource-not-found');
  });

  it('treats an expired folder and its content as unknown', () => {
    const drive = driveWithFolder();
    folder(drive, F, ROOT, { expires_at: T0 });
    folder(drive, 'FolderID_g', F);
    expect(create(drive, OWNER, {}).refusal).toBe('resource-not-found');
    const inside = { resource_id: 'FolderID_g' };
    expect(create(drive, OWNER, inside).refusal).toBe('resource-not-found');
  });

  it('refuses a window that ends before it begins, but accepts a past one', () => {
    const drive = driveWithFolder();
    const never = { begin_date_ms: 5, expiry_date_ms: 5 };
    expect(create(drive, OWNER, never).refusal).toBe('invalid-field');
    expect(create(drive, OWNER, { begin_date_ms: 5, expiry_date_ms: 6 }).refusal).toBeNull();
  });

  it('requires MANAGE or INVITE, and names the grant', () => {
    expect(create(driveWithFolder(), A, {}).refusal).toBe('forbidden');
    expect(create(where(['VIEW', 'EDIT']), A, {}).refusal).toBe('forbidden');
    for (const types of [['VIEW', 'INVITE'], ['MANAGE']])
      expect(create(where(types), A, {}).allowed_by).toEqual(['DirectoryPermissionID_a']);
  });

  it('lets INVITE grant only permissions that the caller holds', () => {
    const drive = where(['VIEW', 'INVITE']);
    expect(create(drive, A, { permission_types: ['EDIT'] }).refusal).toBe('ceiling');
    expect(create(drive, A, { permission_types: ['VIEW', 'MANAGE'] }).refusal).toBe('ceiling');
    expect(create(drive, A, { permission_types: ['VIEW', 'INVITE'] }).refusal).toBeNull();
  });

  it('lets MANAGE grant all six types', () => {
    const permission_types = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];
    expect(create(where(['MANAGE']), A, { permission_types }).refusal).toBeNull();
  });

  it('refuses a grant that outlives the caller’s own, even with MANAGE', () => {
    const drive = where(['MANAGE'], { expiry_date_ms: LATER });
    expect(create(drive, A, {}).refusal).toBe('ceiling');
    expect(create(drive, A, { expiry_date_ms: LATER + 1 }).refusal).toBe('ceiling');
    expect(create(drive, A, { expiry_date_ms: LATER }).refusal).toBeNull();
  });

  it('limits the expiry to that of the membership behind a grant', () => {
    const to_group = directoryGrant('g', F, {
      granted_to: 'GroupID_g',
      permission_types: ['MANAGE'],
    });
    const drive = driveWithFolder().given(...groupOf('GroupID_g', A, LATER), to_group);
    expect(create(drive, A, {}).refusal).toBe('ceiling');
    const { allowed_by } = create(drive, A, { expiry_date_ms: LATER });
    expect(allowed_by).toEqual(['DirectoryPermissionID_g', 'GroupInviteID_g_member']);
  });

  it('requires an inheritable source for an inheritable grant on a folder', () => {
    const drive = where(['MANAGE'], { inheritable: false });
    expect(create(drive, A, { inheritable: true }).refusal).toBe('ceiling');
    expect(create(drive, A, { inheritable: false }).refusal).toBeNull();
  });

  it('requires a single source with the whole scope for each type', () => {
    const drive = where(['MANAGE'], { expiry_date_ms: LATER }).given(
      directoryGrant('short', F, { granted_to: A, permission_types: ['VIEW'], inheritable: false }),
    );
    expect(create(drive, A, { inheritable: true }).refusal).toBe('ceiling');
    expect(create(drive, A, { inheritable: false }).refusal).toBeNull();
  });

  it('lets only the owner grant PUBLIC more than VIEW and UPLOAD', () => {
    const to_all = { granted_to: 'PUBLIC', permission_types: ['VIEW', 'EDIT'] };
    expect(create(where(['MANAGE']), A, to_all).refusal).toBe('public-grant-too-wide');
    expect(create(driveWithFolder(), OWNER, to_all).refusal).toBeNull();
    const narrow = { granted_to: 'PUBLIC', permission_types: ['VIEW', 'UPLOAD'] };
    expect(create(where(['MANAGE']), A, narrow).refusal).toBeNull();
  });

  it('refuses an unknown group, not an unknown user', () => {
    const drive = driveWithFolder().given(...groupOf('GroupID_g', B));
    const to = (granted_to: string) => create(drive, OWNER, { granted_to }).refusal;
    expect(to('GroupID_unknown')).toBe('group-not-found');
    expect(to('GroupID_g')).toBeNull();
  });

  it('refuses the id of a live and of a deleted grant', () => {
    const drive = driveWithFolder();
    const id = 'DirectoryPermissionID_mine';
    expect(create(drive, OWNER, { id }).answer).toMatchObject({ id });
    expect(create(drive, OWNER, { id }).refusal).toBe('id-in-use');
    drive.when(DeleteDirectoryPermission, OWNER, { permission_id: id });
    expect(create(drive, OWNER, { id }).refusal).toBe('id-in-use');
  });

  it('combines several grants of one grantee', () => {
    const drive = where(['VIEW', 'INVITE']);
    drive.given(directoryGrant('a2', F, { granted_to: A, permission_types: ['EDIT'] }));
    expect(create(drive, A, { permission_types: ['VIEW', 'EDIT'] }).refusal).toBeNull();
  });
});
