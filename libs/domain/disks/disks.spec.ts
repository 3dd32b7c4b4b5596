import { granted, invited } from '../groups/testing/events.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { type CreateDisk, diskCommands } from './commands.js';
import { diskReads, presentDisk } from './reads.js';

const { CreateDisk, DeleteDisk, UpdateDisk } = diskCommands;
const USER = 'UserID_a';
const AUTH = JSON.stringify({
  endpoint: 'https://s3.example',
  access_key: 'a',
  secret_key: 's',
  bucket: 'b',
  region: 'r',
});

const fresh = (n: number) => ({
  disk_id: `DiskID_${n}`,
  root_folder: `FolderID_root${n}`,
  trash_folder: `FolderID_trash${n}`,
  everyone_permission_id: `DirectoryPermissionID_everyone${n}`,
  root_permission_id: `DirectoryPermissionID_root${n}`,
  trash_permission_id: `DirectoryPermissionID_trash${n}`,
});

const create = (more: Partial<CreateDisk> = {}): CreateDisk => ({
  name: 'Disk',
  disk_type: 'LOCAL_SSD',
  fresh: fresh(1),
  ...more,
});

const mayDo = (type: 'CREATE' | 'VIEW' | 'EDIT' | 'DELETE', on = 'TABLE_DISKS') =>
  granted(`SystemPermissionID_${type}`, USER, on, type);

/** A drive with one disk with all fields set. */
const withNotes = () => {
  const made = new SpecDrive();
  made.when(CreateDisk, OWNER, create({ auth_json: 'secret', public_note: 'p', autoexpire_ms: 9 }));
  return made;
};

/** A drive with two disks that contain secrets. */
const withTwo = () => {
  const made = new SpecDrive();
  for (const n of [1, 2])
    made.when(CreateDisk, OWNER, create({ auth_json: 's', private_note: 'n', fresh: fresh(n) }));
  return made;
};

describe('CreateDisk', () => {
  it('creates a disk with a root and a trash folder', () => {
    const drive = new SpecDrive();
    const { answer, allowed_by } = drive.when(CreateDisk, OWNER, create());
    expect(allowed_by).toEqual(['OWNER']);
    expect(answer).toEqual({
      id: 'DiskID_1',
      name: 'Disk',
      disk_type: 'LOCAL_SSD',
      public_note: null,
      private_note: null,
      auth_json: null,
      created_at: drive.state.timestamp_ms,
      root_folder: 'FolderID_root1',
      trash_folder: 'FolderID_trash1',
      external_id: null,
      external_payload: null,
      endpoint: null,
      billing_url: null,
      autoexpire_ms: null,
      quota_bytes: null,
      keep_versions: null,
      keep_versions_days: null,
      used_bytes: 0,
      permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      labels: [],
    });
    const top = { parent_folder_uuid: null, has_sovereign_permissions: true, expires_at: -1 };
    expect(drive.state.folders.get('FolderID_root1')).toMatchObject({ ...top, name: '' });
    expect(drive.state.folders.get('FolderID_trash1')).toMatchObject({ ...top, name: '.trash' });
  });

  it('stores all given fields', () => {
    const given = {
      id: 'DiskID_mine',
      public_note: 'p',
      private_note: 'q',
      auth_json: 'any text',
      endpoint: 'https://billing.example',
      autoexpire_ms: 1000,
      external_id: 'x',
      external_payload: 'y',
    };
    const { answer } = new SpecDrive().when(CreateDisk, OWNER, create(given));
    expect(answer).toMatchObject({ ...given, billing_url: 'https://billing.example' });
  });

  it('treats a lifetime of 0 as none', () => {
    const { answer } = new SpecDrive().when(CreateDisk, OWNER, create({ autoexpire_ms: 0 }));
    expect(answer!.autoexpire_ms).toBeNull();
  });

  it('grants the root to the Group for All, but not the trash', () => {
    const drive = new SpecDrive();
    drive.when(CreateDisk, OWNER, create());
    expect([...drive.state.directory_permissions.values()]).toMatchObject([
      {
        id: 'DirectoryPermissionID_everyone1',
        resource_id: 'FolderID_root1',
        granted_to: EVERYONE,
        granted_by: OWNER,
        permission_types: ['VIEW', 'UPLOAD', 'EDIT'],
        inheritable: true,
      },
    ]);
  });

  it('grants nothing if the Group for All was deleted', () => {
    const drive = new SpecDrive();
    drive.given({ type: 'GroupDeleted', data: { group_id: EVERYONE } });
    drive.when(CreateDisk, OWNER, create());
    expect(drive.state.directory_permissions.size).toBe(0);
  });

  it('lets a holder of CREATE create one, and grants that creator everything on it', () => {
    const drive = new SpecDrive();
    expect(drive.when(CreateDisk, USER, create()).refusal).toBe('forbidden');
    drive.given(mayDo('CREATE'));
    const { allowed_by } = drive.when(CreateDisk, USER, create());
    expect(allowed_by).toEqual(['SystemPermissionID_CREATE']);
    const all = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];
    expect(drive.state.directory_permissions.get('DirectoryPermissionID_root1')).toMatchObject({
      resource_id: 'FolderID_root1',
      granted_to: USER,
      permission_types: all,
      inheritable: true,
    });
    expect(drive.state.directory_permissions.get('DirectoryPermissionID_trash1')).toMatchObject({
      resource_id: 'FolderID_trash1',
      granted_to: USER,
      permission_types: all,
      inheritable: false,
    });
  });

  it('refuses the id of a live and of a deleted disk', () => {
    const drive = new SpecDrive();
    const mine = create({ id: 'DiskID_mine' });
    drive.when(CreateDisk, OWNER, mine);
    const again = { ...mine, fresh: fresh(2) };
    expect(drive.when(CreateDisk, OWNER, again).refusal).toBe('id-in-use');
    drive.when(DeleteDisk, OWNER, { id: 'DiskID_mine' });
    expect(drive.when(CreateDisk, OWNER, again).refusal).toBe('id-in-use');
  });

  it.each(['AWS_BUCKET', 'STORJ_WEB3'] as const)(
    'accepts %s with complete or no credentials',
    (disk_type) => {
      for (const auth_json of [AUTH, null, undefined])
        expect(
          new SpecDrive().when(CreateDisk, OWNER, create({ disk_type, auth_json })).refusal,
        ).toBeNull();
    },
  );

  it.each(['endpoint', 'access_key', 'secret_key', 'bucket', 'region'])(
    'refuses cloud credentials without %s before checking the caller',
    (member) => {
      for (const value of [undefined, '', ' ', 7]) {
        const auth_json = JSON.stringify({ ...JSON.parse(AUTH), [member]: value });
        const command = create({ disk_type: 'AWS_BUCKET', auth_json });
        expect(new SpecDrive().when(CreateDisk, USER, command).refusal).toBe('invalid-field');
      }
    },
  );

  it.each(['no json', '[]', 'null', '"text"', '7'])(
    'refuses %s as cloud credentials',
    (auth_json) => {
      const command = create({ disk_type: 'STORJ_WEB3', auth_json });
      expect(new SpecDrive().when(CreateDisk, OWNER, command).refusal).toBe('invalid-field');
    },
  );
});

describe('UpdateDisk', () => {
  it('changes only the given fields, and clears with null', () => {
    const { answer } = withNotes().when(UpdateDisk, OWNER, {
      id: 'DiskID_1',
      name: 'Other',
      public_note: null,
      endpoint: 'https://e.example',
    });
    expect(answer).toMatchObject({
      name: 'Other',
      public_note: null,
      endpoint: 'https://e.example',
      billing_url: 'https://e.example',
      auth_json: 'secret',
      autoexpire_ms: 9,
    });
  });

  it.each([null, 0])('turns the lifetime off with %s', (autoexpire_ms) => {
    const command = { id: 'DiskID_1', name: 'Disk', autoexpire_ms };
    expect(withNotes().when(UpdateDisk, OWNER, command).answer!.autoexpire_ms).toBeNull();
  });

  it('clears credentials with null', () => {
    const command = { id: 'DiskID_1', name: 'Disk', auth_json: null };
    expect(withNotes().when(UpdateDisk, OWNER, command).answer!.auth_json).toBeNull();
  });

  it('needs EDIT, and an existing disk', () => {
    const made = withNotes();
    const command = { id: 'DiskID_1', name: 'Other' };
    expect(made.when(UpdateDisk, USER, command).refusal).toBe('forbidden');
    made.given(mayDo('EDIT', 'DiskID_1'));
    expect(made.when(UpdateDisk, USER, command).allowed_by).toEqual(['SystemPermissionID_EDIT']);
    expect(made.when(UpdateDisk, OWNER, { id: 'DiskID_x', name: 'y' }).refusal).toBe(
      'disk-not-found',
    );
  });

  it('refuses invalid cloud credentials only after checking EDIT', () => {
    const made = new SpecDrive();
    made.when(CreateDisk, OWNER, create({ disk_type: 'AWS_BUCKET' }));
    const command = { id: 'DiskID_1', name: 'Disk', auth_json: '{}' };
    expect(made.when(UpdateDisk, OWNER, command).refusal).toBe('invalid-field');
    expect(made.when(UpdateDisk, USER, command).refusal).toBe('forbidden');
  });
});

describe('DeleteDisk', () => {
  it('also deletes its folders and all grants on disk and folders', () => {
    const drive = new SpecDrive();
    drive.given(mayDo('CREATE'));
    drive.when(CreateDisk, USER, create());
    drive.given(mayDo('VIEW', 'DiskID_1'));
    const { answer } = drive.when(DeleteDisk, OWNER, { id: 'DiskID_1' });
    expect(answer).toEqual({ id: 'DiskID_1', deleted: true });
    expect(drive.state.disks.size).toBe(0);
    expect(drive.state.folders.size).toBe(0);
    expect(drive.state.directory_permissions.size).toBe(0);
    expect(drive.state.system_permissions.has('SystemPermissionID_VIEW')).toBe(false);
  });

  it('does not change other disks', () => {
    const drive = new SpecDrive();
    drive.when(CreateDisk, OWNER, create());
    drive.when(CreateDisk, OWNER, create({ fresh: fresh(2) }));
    drive.when(DeleteDisk, OWNER, { id: 'DiskID_1' });
    expect([...drive.state.folders.ids()]).toEqual(['FolderID_root2', 'FolderID_trash2']);
    expect([...drive.state.directory_permissions.ids()]).toEqual([
      'DirectoryPermissionID_everyone2',
    ]);
  });

  it('needs DELETE, and an existing disk', () => {
    const drive = new SpecDrive();
    drive.when(CreateDisk, OWNER, create());
    drive.given(mayDo('EDIT'));
    expect(drive.when(DeleteDisk, USER, { id: 'DiskID_1' }).refusal).toBe('forbidden');
    drive.given(mayDo('DELETE'));
    expect(drive.when(DeleteDisk, USER, { id: 'DiskID_1' }).allowed_by).toEqual([
      'SystemPermissionID_DELETE',
    ]);
    expect(drive.when(DeleteDisk, OWNER, { id: 'DiskID_1' }).refusal).toBe('disk-not-found');
  });
});

describe('reading disks', () => {
  it('shows credentials and private note to holders of EDIT only', () => {
    const made = withTwo();
    const disk = made.state.disks.get('DiskID_1')!;
    expect(presentDisk(made.context(USER), disk)).toMatchObject({
      auth_json: null,
      private_note: null,
      permission_previews: [],
    });
    made.given(mayDo('EDIT', 'DiskID_1'));
    expect(presentDisk(made.context(USER), disk)).toMatchObject({
      auth_json: 's',
      private_note: 'n',
      permission_previews: ['EDIT'],
    });
  });

  it('masks existing credentials if secrets are masked', () => {
    const made = withTwo();
    const masked = { ...made.context(OWNER), masked: true };
    const disk = made.state.disks.get('DiskID_1')!;
    expect(presentDisk(masked, disk).auth_json).toBe('***');
    expect(presentDisk(masked, { ...disk, auth_json: null }).auth_json).toBeNull();
  });

  it.each([
    ['nobody', [], []],
    ['a holder of VIEW on one', ['DiskID_1'], ['DiskID_1']],
    ['a holder of VIEW on the table', ['TABLE_DISKS'], ['DiskID_1', 'DiskID_2']],
  ])('shows to %s the same in list and get', (_, resources, expected) => {
    const made = withTwo();
    for (const resource of resources) made.given(mayDo('VIEW', resource));
    const context = made.context(USER);
    const readable = [...made.state.disks.values()].filter((disk) =>
      diskReads.mayRead(context, disk),
    );
    expect(readable.map(({ id }) => id)).toEqual(expected);
    const visible = diskReads.visible(context);
    const among = visible === 'all' ? [...made.state.disks.ids()] : [...visible[0]!.among];
    expect(among).toEqual(expected);
  });

  it('shows everything to the owner, and by default to every member of the Group for All', () => {
    const drive = withTwo();
    expect(diskReads.visible(drive.context(OWNER))).toBe('all');
    drive.given(invited('GroupInviteID_a', EVERYONE, USER));
    expect(diskReads.visible(drive.context(USER))).toBe('all');
  });

  it('shows notes and credentials unchanged, and other empty text as null', () => {
    const drive = new SpecDrive();
    const empty = { public_note: '', private_note: '', auth_json: '', external_id: '' };
    const { answer } = drive.when(CreateDisk, OWNER, create({ ...empty, endpoint: '' }));
    expect(answer).toMatchObject({
      public_note: '',
      private_note: '',
      auth_json: '',
      external_id: null,
      endpoint: null,
      billing_url: null,
    });
  });
});
