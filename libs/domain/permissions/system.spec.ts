import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { permissionCommands } from './definitions.js';
import { fresh, systemGrant } from './testing/grants.js';

const { CreateSystemPermission, DeleteSystemPermission, UpdateSystemPermission } =
  permissionCommands;
const A = 'UserID_a';
const B = 'UserID_b';
const DISK = 'DiskID_1';
const LATER = T0 + 1_000_000;

/** User a has these types on these resources. */
function where(...held: [string, string[], object?][]): SpecDrive {
  const drive = new SpecDrive();
  held.forEach(([resource_id, permission_types, given], at) =>
    drive.given(systemGrant(`a${at}`, resource_id, { granted_to: A, permission_types, ...given })),
  );
  return drive;
}

function create(drive: SpecDrive, who: string, given: object) {
  const command = { resource_id: DISK, granted_to: B, permission_types: ['VIEW'] as const, fresh };
  return drive.when(CreateSystemPermission, who, { ...command, ...given });
}

describe('CreateSystemPermission', () => {
  it('creates the owner’s grant with defaults, and answers the record twice', () => {
    const { answer } = create(new SpecDrive(), OWNER, { permission_types: ['EDIT', 'VIEW'] });
    const { permission, ...record } = answer!;
    expect(permission).toEqual(record);
    expect(record).toMatchObject({
      resource_id: DISK,
      resource_path: DISK,
      resource_name: DISK,
      granted_to: B,
      granted_by: OWNER,
      permission_types: ['VIEW', 'EDIT'],
      begin_date_ms: 0,
      expiry_date_ms: -1,
      inheritable: true,
      redeem_code: null,
    });
  });

  it('creates a placeholder with a code if no grantee or a placeholder is given', () => {
    const drive = new SpecDrive();
    expect(create(drive, OWNER, { granted_to: undefined }).answer).toMatchObject({
      granted_to: 'PlaceholderPermissionGranteeID_fresh',
      redeem_code: 'RedeemTokenID_fresh',
    });
    const granted_to = 'PlaceholderPermissionGranteeID_mine';
    expect(create(drive, OWNER, { id: 'SystemPermissionID_2', granted_to }).answer).toMatchObject({
      granted_to,
      redeem_code: 'RedeemTokenID_fresh',
    });
  });

  it('requires CREATE on PERMISSIONS or INVITE on the target', () => {
    expect(create(where([DISK, ['VIEW']]), A, {}).refusal).toBe('forbidden');
    const creator = where(['TABLE_PERMISSIONS', ['CREATE']], [DISK, ['VIEW']]);
    expect(create(creator, A, {}).allowed_by).toEqual(['SystemPermissionID_a0']);
    const inviter = where([DISK, ['VIEW', 'INVITE']]);
    expect(create(inviter, A, {}).allowed_by).toEqual(['SystemPermissionID_a0']);
    const by_table = where(['TABLE_DISKS', ['VIEW', 'INVITE']]);
    expect(create(by_table, A, {}).refusal).toBeNull();
    expect(create(inviter, A, { resource_id: 'TABLE_DISKS' }).refusal).toBe('forbidden');
  });

  it('does not accept CREATE on a record of PERMISSIONS instead of the table', () => {
    const drive = where(['SystemPermissionID_x', ['CREATE']], [DISK, ['VIEW']]);
    expect(create(drive, A, {}).refusal).toBe('forbidden');
  });

  it('lets only the owner grant permissions that the caller lacks, or for longer', () => {
    const drive = where(
      ['TABLE_PERMISSIONS', ['CREATE']],
      [DISK, ['VIEW'], { expiry_date_ms: LATER }],
    );
    const until = { expiry_date_ms: LATER };
    expect(create(drive, A, { ...until, permission_types: ['EDIT'] }).refusal).toBe('ceiling');
    expect(create(drive, A, {}).refusal).toBe('ceiling');
    expect(create(drive, A, { expiry_date_ms: LATER + 1 }).refusal).toBe('ceiling');
    expect(create(drive, A, until).refusal).toBeNull();
  });

  it('lets only the owner grant PUBLIC more than VIEW and CREATE', () => {
    const drive = where(['TABLE_DISKS', ['CREATE', 'VIEW', 'EDIT', 'INVITE']]);
    const give = (permission_types: string[]) =>
      create(drive, A, { resource_id: 'TABLE_DISKS', granted_to: 'PUBLIC', permission_types });
    expect(give(['VIEW', 'EDIT']).refusal).toBe('public-grant-too-wide');
    expect(give(['CREATE', 'VIEW']).refusal).toBeNull();
    const as_owner = { granted_to: 'PUBLIC', permission_types: ['EDIT'] };
    expect(create(new SpecDrive(), OWNER, as_owner).refusal).toBeNull();
  });

  it.each([
    'TABLE_AUDIT',
    'TABLE_API_KEYS',
    'TABLE_PERMISSIONS',
    'TABLE_WEBHOOKS',
    'ApiKeyID_1',
    'DirectoryPermissionID_1',
    'SystemPermissionID_1',
    'WebhookID_1',
  ])('lets only the owner open %s to PUBLIC', (resource_id) => {
    const to_all = { resource_id, granted_to: 'PUBLIC' };
    const drive = where([resource_id, ['VIEW', 'INVITE']]);
    expect(create(drive, A, to_all).refusal).toBe('public-grant-too-wide');
    expect(create(drive, OWNER, to_all).refusal).toBeNull();
  });

  it('refuses an unknown group, an invalid window and a used id', () => {
    const drive = new SpecDrive();
    expect(create(drive, OWNER, { granted_to: 'GroupID_x' }).refusal).toBe('group-not-found');
    const never = { begin_date_ms: 9, expiry_date_ms: 9 };
    expect(create(drive, OWNER, never).refusal).toBe('invalid-field');
    const id = 'SystemPermissionID_mine';
    expect(create(drive, OWNER, { id }).refusal).toBeNull();
    expect(create(drive, OWNER, { id }).refusal).toBe('id-in-use');
  });
});

describe('UpdateSystemPermission', () => {
  const id = 'SystemPermissionID_b';

  /** User b has VIEW on the disk until LATER; user a may edit permissions and has the given grants. */
  function given(held: [string, string[], object?][], of_b: object = {}): SpecDrive {
    return where(['TABLE_PERMISSIONS', ['VIEW', 'EDIT']], ...held).given(
      systemGrant('b', DISK, {
        granted_to: B,
        permission_types: ['VIEW'],
        begin_date_ms: 1000,
        expiry_date_ms: LATER,
        inheritable: false,
        ...of_b,
      }),
    );
  }

  function update(drive: SpecDrive, who: string, change: object) {
    return drive.when(UpdateSystemPermission, who, { id, fresh, ...change });
  }

  it('changes only the given fields', () => {
    const { answer, events } = update(given([]), OWNER, { note: 'n' });
    expect(events[0]!.data).toEqual({ permission_id: id, note: 'n' });
    expect(answer!.permission).toMatchObject({ note: 'n', permission_types: ['VIEW'] });
  });

  it('refuses an empty change', () => {
    expect(update(given([]), OWNER, {}).refusal).toBe('nothing-to-update');
  });

  it('is answered as not found to callers who may not read it, and as forbidden to those who may', () => {
    const drive = given([]);
    expect(update(drive, 'UserID_c', { note: 'n' }).refusal).toBe('permission-not-found');
    expect(update(drive, B, { note: 'n' }).refusal).toBe('forbidden');
    const directory_id = { id: 'DirectoryPermissionID_b', note: 'n' };
    expect(update(drive, OWNER, directory_id).refusal).toBe('permission-not-found');
  });

  it('requires EDIT on PERMISSIONS: being the granter is not enough', () => {
    const drive = given([], { granted_by: 'UserID_c' });
    expect(update(drive, 'UserID_c', { note: 'n' }).refusal).toBe('forbidden');
    expect(update(drive, A, { note: 'n' }).allowed_by).toEqual(['SystemPermissionID_a0']);
  });

  it('requires only EDIT: changing a grant does not require reading it', () => {
    const of_b = { granted_to: B, permission_types: ['VIEW'] };
    const drive = where(['TABLE_PERMISSIONS', ['EDIT']]).given(systemGrant('b', DISK, of_b));
    expect(update(drive, A, { note: 'n' }).allowed_by).toEqual(['SystemPermissionID_a0']);
  });

  it('checks no ceiling for narrowing and notes', () => {
    const narrower = { begin_date_ms: 2000, expiry_date_ms: LATER - 1, note: 'n', metadata: null };
    const drive = given([], { permission_types: ['VIEW', 'EDIT'], inheritable: true });
    const change = { ...narrower, permission_types: ['EDIT'], inheritable: false };
    expect(update(drive, A, change).refusal).toBeNull();
  });

  it('checks the ceiling for added types', () => {
    const change = { permission_types: ['VIEW', 'EDIT'] };
    expect(update(given([]), A, change).refusal).toBe('ceiling');
    expect(update(given([[DISK, ['EDIT']]]), A, change).refusal).toBeNull();
  });

  it.each([
    ['ends later', { expiry_date_ms: LATER + 1 }],
    ['never ends', { expiry_date_ms: -1 }],
    ['begins earlier', { begin_date_ms: 999 }],
    ['has always begun', { begin_date_ms: 0 }],
    ['becomes inheritable', { inheritable: true }],
    ['goes to somebody else', { granted_to: 'UserID_c' }],
    ['goes to a placeholder', { granted_to: 'PlaceholderPermissionGranteeID_x' }],
  ])('asks it of all types when the grant %s', (_, change) => {
    expect(update(given([]), A, change).refusal).toBe('ceiling');
    expect(update(given([[DISK, ['VIEW']]]), A, change).refusal).toBeNull();
  });

  it('checks the ceiling on the new resource if the resource changes', () => {
    const change = { resource_id: 'TABLE_DISKS' };
    expect(update(given([[DISK, ['VIEW']]]), A, change).refusal).toBe('ceiling');
    expect(update(given([['TABLE_DISKS', ['VIEW']]]), A, change).refusal).toBeNull();
  });

  it('creates a new code for a placeholder, and removes code and origin for other grantees', () => {
    const drive = given([]);
    const granted_to = 'PlaceholderPermissionGranteeID_x';
    const waiting = update(drive, OWNER, { granted_to });
    expect(waiting.answer).toMatchObject({ granted_to, redeem_code: 'RedeemTokenID_fresh' });
    const named = update(drive, OWNER, { granted_to: 'UserID_c' });
    expect(named.answer).toMatchObject({ granted_to: 'UserID_c', redeem_code: null });
    expect(drive.state.system_permissions.get(id)).toMatchObject({
      redeem_digest: '',
      from_placeholder_grantee: null,
    });
  });

  it('keeps PUBLIC within its limits, whatever the change', () => {
    const drive = given([
      ['TABLE_PERMISSIONS', ['VIEW', 'EDIT']],
      [DISK, ['VIEW', 'EDIT']],
    ]);
    const to_all = { granted_to: 'PUBLIC' };
    expect(update(drive, A, { ...to_all, permission_types: ['EDIT'] }).refusal).toBe(
      'public-grant-too-wide',
    );
    expect(update(drive, A, { ...to_all, resource_id: 'TABLE_PERMISSIONS' }).refusal).toBe(
      'public-grant-too-wide',
    );
    expect(update(drive, A, to_all).refusal).toBeNull();
    expect(update(drive, A, { permission_types: ['VIEW', 'EDIT'] }).refusal).toBe(
      'public-grant-too-wide',
    );
  });

  it('refuses an unknown group and a resulting window that ends before it begins', () => {
    const drive = given([]);
    expect(update(drive, OWNER, { granted_to: 'GroupID_x' }).refusal).toBe('group-not-found');
    expect(update(drive, OWNER, { expiry_date_ms: 1000 }).refusal).toBe('invalid-field');
    expect(update(drive, OWNER, { begin_date_ms: LATER }).refusal).toBe('invalid-field');
  });
});

describe('DeleteSystemPermission', () => {
  const permission_id = 'SystemPermissionID_b';

  function given(held: [string, string[]][], by: string = OWNER): SpecDrive {
    return where(...held).given(
      systemGrant('b', DISK, { granted_to: B, granted_by: by, permission_types: ['VIEW'] }),
    );
  }

  function remove(drive: SpecDrive, who: string) {
    return drive.when(DeleteSystemPermission, who, { permission_id });
  }

  it('is allowed to the owner, holders of DELETE on PERMISSIONS, the granter and the grantee', () => {
    expect(remove(given([]), OWNER)).toMatchObject({
      allowed_by: ['OWNER'],
      answer: { deleted_id: permission_id },
    });
    const deleter = given([['TABLE_PERMISSIONS', ['VIEW', 'DELETE']]]);
    expect(remove(deleter, A).allowed_by).toEqual(['SystemPermissionID_a0']);
    const unreading = given([['TABLE_PERMISSIONS', ['DELETE']]]);
    expect(remove(unreading, A).allowed_by).toEqual(['SystemPermissionID_a0']);
    expect(remove(given([], A), A).allowed_by).toEqual(['SELF']);
    expect(remove(given([]), B).allowed_by).toEqual(['SELF']);
  });

  it('is forbidden to other readers, and answered as not found to the rest', () => {
    expect(remove(given([['TABLE_PERMISSIONS', ['VIEW', 'EDIT']]]), A).refusal).toBe('forbidden');
    expect(remove(given([]), A).refusal).toBe('permission-not-found');
  });

  it('also deletes the grants on the grant, at any depth', () => {
    const drive = new SpecDrive();
    const on = (id: string) => ({ granted_to: B, permission_types: ['VIEW'], resource_id: id });
    for (let depth = 0; depth < 20_000; depth++)
      drive.given(
        systemGrant(`${depth}`, DISK, on(depth ? `SystemPermissionID_${depth - 1}` : DISK)),
      );
    drive.when(DeleteSystemPermission, OWNER, { permission_id: 'SystemPermissionID_0' });
    expect(drive.state.system_permissions.has('SystemPermissionID_19999')).toBe(false);
  });
});
