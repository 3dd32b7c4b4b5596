import { bundledDisk } from '../disks/bundled.js';
import { EmptyDrive, FRESH_DISK } from '../testing/empty-drive.js';
import { SPEC_SETTINGS, T0 } from '../testing/drive.js';
import { factoryCommands, type NewMember, type Quickstart, type SpawnDrive } from './commands.js';

const DRIVE = 'DriveID_new';
const ADMIN = 'UserID_admin';

const freshKey = (of: string) => ({
  api_key_id: `ApiKeyID_${of}`,
  value: `token-of-${of}`,
  digest: `digest-of-${of}`,
  last4: of.slice(-4),
});

const member = (of: string): NewMember => ({
  user_id: `UserID_${of}`,
  name: of,
  fresh: {
    subject_key_id: `subject-${of}`,
    everyone_invite_id: `GroupInviteID_${of}`,
    api_key: freshKey(of),
  },
});

const quickstart = (more: Partial<Quickstart> = {}): Quickstart => ({
  members: [],
  fresh: {
    api_key: freshKey('admin'),
    disk: FRESH_DISK,
  },
  ...more,
});

const spawn = (more: Partial<SpawnDrive> = {}): SpawnDrive => ({
  drive_id: DRIVE,
  organization_name: 'New Org',
  owner_id: ADMIN,
  owner_name: 'Admin',
  spawn_note: 'spawned by a spec',
  fresh: {
    subject_key_id: 'subject-admin',
    spawn_redeem_code: 'RedeemTokenID_spawn',
    spawn_redeem_digest: 'digest-of-spawn',
    everyone_group_id: 'GroupID_everyone',
    everyone_invite_id: 'GroupInviteID_admin',
    everyone_permission_id: 'SystemPermissionID_everyone',
  },
  ...more,
});

const { BeginImport, EndImport, NameDrive, SpawnDrive } = factoryCommands;

describe('SpawnDrive', () => {
  it('stores a bundled disk until the code is used', () => {
    const drive = new EmptyDrive(DRIVE);
    const disk = { name: 'Disk', disk_type: 'LOCAL_SSD' } as const;
    const bundled_default_disk = bundledDisk({ ...disk, auth_json: '{"secret":1}' });
    const { events } = drive.when(SpawnDrive, spawn({ bundled_default_disk }));
    expect(events.map(({ type }) => type)).toEqual(['OrganizationSpawned', 'DefaultDiskBundled']);
    expect(drive.state.organization.bundled_default_disk).toEqual(bundled_default_disk);
    expect(drive.state.disks.size).toBe(0);
  });

  it('creates an organization to be activated by its code', () => {
    const drive = new EmptyDrive(DRIVE);
    const { events, allowed_by, answer } = drive.when(SpawnDrive, spawn());
    expect(events.map(({ type }) => type)).toEqual(['OrganizationSpawned']);
    expect(allowed_by).toEqual(['FACTORY']);
    expect(answer).toEqual({ drive_id: DRIVE });
    expect(drive.state.organization).toMatchObject({
      name: 'New Org',
      owner_id: ADMIN,
      spawn_redeem_digest: 'digest-of-spawn',
      host_url: 'http://host.example',
    });
    expect(drive.state.api_keys.size).toBe(0);
    expect(drive.state.disks.size).toBe(0);
  });

  it('creates the owner contact, the drive record, the Group for All and its grant', () => {
    const drive = new EmptyDrive(DRIVE);
    drive.when(SpawnDrive, spawn({ email: 'a@b.example', external_id: 'ext' }));
    expect(drive.state.contacts.get(ADMIN)).toMatchObject({ name: 'Admin', redeem_code: '' });
    expect(drive.state.drives.get(DRIVE)).toMatchObject({ email: 'a@b.example' });
    expect(drive.state.groups.get('GroupID_everyone')).toMatchObject({
      name: 'Group for All',
      owner: ADMIN,
    });
    expect(drive.state.invites.get('GroupInviteID_admin')).toMatchObject({
      role: 'ADMIN',
      invitee_id: ADMIN,
      redeem_code: null,
    });
    expect(drive.state.system_permissions.get('SystemPermissionID_everyone')).toMatchObject({
      resource_id: 'TABLE_DISKS',
      granted_to: 'GroupID_everyone',
      permission_types: ['VIEW'],
      expiry_date_ms: -1,
    });
  });

  it('is active at once after a quickstart: the code is invalid and the admin has a key', () => {
    const drive = new EmptyDrive(DRIVE);
    drive.when(SpawnDrive, spawn({ quickstart: quickstart() }));
    expect(drive.state.organization).toMatchObject({
      spawn_redeem_code: '',
      spawn_redeem_digest: '',
    });
    expect(drive.state.api_keys.get('ApiKeyID_admin')).toMatchObject({
      user_id: ADMIN,
      name: 'Default Admin Key for Spawned Drive',
      digest: 'digest-of-admin',
      begins_at: T0,
      expires_at: -1,
      created_by: null,
      is_revoked: false,
    });
  });

  it('stores no token, only digests', () => {
    const drive = new EmptyDrive(DRIVE);
    const members = [member('bob')];
    const { events } = drive.when(SpawnDrive, spawn({ quickstart: quickstart({ members }) }));
    expect(JSON.stringify(events)).not.toContain('token-of');
  });

  it('creates every member with a key named like the member', () => {
    const drive = new EmptyDrive(DRIVE);
    const members = [member('bob'), member('eve')];
    const { events } = drive.when(SpawnDrive, spawn({ quickstart: quickstart({ members }) }));
    expect(events.filter(({ type }) => type === 'MemberJoined')).toHaveLength(2);
    expect(drive.state.contacts.get('UserID_eve')).toMatchObject({ name: 'eve' });
    expect(drive.state.api_keys.get('ApiKeyID_eve')).toMatchObject({
      user_id: 'UserID_eve',
      name: 'eve',
      expires_at: -1,
    });
    expect(drive.state.invites.get('GroupInviteID_eve')).toMatchObject({
      group_id: 'GroupID_everyone',
      inviter_id: ADMIN,
      role: 'MEMBER',
    });
  });

  it('creates a disk for the owner, with the installation’s permissions for everyone', () => {
    const drive = new EmptyDrive(DRIVE);
    const disk = { name: 'Disk', disk_type: 'LOCAL_SSD' } as const;
    drive.when(SpawnDrive, spawn({ quickstart: quickstart({ disk }) }));
    expect(drive.state.disks.get('DiskID_1')).toMatchObject({ name: 'Disk' });
    expect(drive.state.folders.get('FolderID_root')).toMatchObject({ created_by: ADMIN });
    expect([...drive.state.directory_permissions.values()]).toMatchObject([
      { granted_to: 'GroupID_everyone', permission_types: ['VIEW', 'UPLOAD', 'EDIT'] },
    ]);
  });

  it('grants the bundled disk to no one if the installation grants nothing', () => {
    const drive = new EmptyDrive(DRIVE, { ...SPEC_SETTINGS, everyone_disk_permissions: [] });
    const disk = { name: 'Disk', disk_type: 'LOCAL_SSD' } as const;
    drive.when(SpawnDrive, spawn({ quickstart: quickstart({ disk }) }));
    expect(drive.state.directory_permissions.size).toBe(0);
  });

  it('refuses two members with one identity, and a member who is the admin', () => {
    const twice = [member('bob'), member('bob')];
    const asTwice = new EmptyDrive(DRIVE).when(
      SpawnDrive,
      spawn({ quickstart: quickstart({ members: twice }) }),
    );
    expect(asTwice.refusal).toBe('invalid-field');
    expect(asTwice.details).toMatchObject([{ pointer: '/members/1/secret_entropy' }]);
    const members = [member('admin')];
    const asAdmin = new EmptyDrive(DRIVE).when(
      SpawnDrive,
      spawn({ quickstart: quickstart({ members }) }),
    );
    expect(asAdmin.details).toMatchObject([{ pointer: '/members/0/secret_entropy' }]);
  });

  it('refuses a bundled cloud disk whose credentials are incomplete', () => {
    const disk = { name: 'Disk', disk_type: 'AWS_BUCKET', auth_json: '{}' } as const;
    const { refusal, details } = new EmptyDrive(DRIVE).when(
      SpawnDrive,
      spawn({ quickstart: quickstart({ disk }) }),
    );
    expect(refusal).toBe('invalid-field');
    expect(details).toMatchObject([{ pointer: '/bundled_default_disk/auth_json' }]);
  });

  it('refuses a drive with events, and callers other than the factory', () => {
    const drive = new EmptyDrive(DRIVE);
    drive.when(SpawnDrive, spawn());
    expect(drive.when(SpawnDrive, spawn()).refusal).toBe('id-in-use');
    const anybody = { kind: 'signature', user_id: ADMIN } as const;
    expect(new EmptyDrive(DRIVE).when(SpawnDrive, spawn(), anybody).refusal).toBe('forbidden');
  });
});

describe('NameDrive', () => {
  it('registers the drive once', () => {
    const factory = new EmptyDrive(DRIVE);
    const { events, allowed_by, answer } = factory.when(NameDrive, { drive_id: DRIVE });
    expect(events).toEqual([{ type: 'DriveSpawned', data: { drive_id: DRIVE } }]);
    expect(allowed_by).toEqual(['FACTORY']);
    expect(answer).toEqual({ drive_id: DRIVE });
    expect(factory.state.spawned_drives.get(DRIVE)).toMatchObject({ created_at: T0 });
    expect(factory.when(NameDrive, { drive_id: DRIVE }).refusal).toBe('id-in-use');
  });

  it('is allowed only to the factory', () => {
    const anybody = { kind: 'anonymous' } as const;
    const { refusal } = new EmptyDrive(DRIVE).when(NameDrive, { drive_id: DRIVE }, anybody);
    expect(refusal).toBe('forbidden');
  });
});

describe('an import', () => {
  const imported = { drive_id: DRIVE, revision: 7, chain_hash: 'ab'.repeat(32) };

  it('registers a drive that is closed until the import ends', () => {
    const factory = new EmptyDrive(DRIVE);
    const begun = factory.when(BeginImport, { drive_id: DRIVE });
    expect(begun.events).toEqual([{ type: 'DriveImportBegun', data: { drive_id: DRIVE } }]);
    expect(begun.allowed_by).toEqual(['FACTORY']);
    expect(factory.state.spawned_drives.get(DRIVE)).toMatchObject({ importing: true });
    const ended = factory.when(EndImport, imported);
    expect(ended.events).toEqual([{ type: 'DriveImported', data: imported }]);
    expect(ended.answer).toEqual({ drive_id: DRIVE });
    expect(factory.state.spawned_drives.get(DRIVE)).toMatchObject({ importing: false });
  });

  it('is resumed after an interruption without another event', () => {
    const factory = new EmptyDrive(DRIVE);
    factory.when(BeginImport, { drive_id: DRIVE });
    const again = factory.when(BeginImport, { drive_id: DRIVE });
    expect(again.events).toEqual([]);
    expect(again.answer).toEqual({ drive_id: DRIVE });
  });

  it('refuses existing drives, spawned or imported', () => {
    const factory = new EmptyDrive(DRIVE);
    factory.when(NameDrive, { drive_id: DRIVE });
    expect(factory.when(BeginImport, { drive_id: DRIVE }).refusal).toBe('id-in-use');
    expect(factory.when(EndImport, imported).refusal).toBe('organization-not-found');
    const other = new EmptyDrive('DriveID_other');
    expect(other.when(EndImport, imported).refusal).toBe('organization-not-found');
  });

  it('reserves the id of the drive', () => {
    const factory = new EmptyDrive(DRIVE);
    factory.when(BeginImport, { drive_id: DRIVE });
    expect(factory.when(NameDrive, { drive_id: DRIVE }).refusal).toBe('id-in-use');
  });

  it('is allowed only to the factory', () => {
    const anybody = { kind: 'anonymous' } as const;
    const begun = new EmptyDrive(DRIVE).when(BeginImport, { drive_id: DRIVE }, anybody);
    expect(begun.refusal).toBe('forbidden');
    expect(new EmptyDrive(DRIVE).when(EndImport, imported, anybody).refusal).toBe('forbidden');
  });
});
