import { event } from '../foundation/events.js';
import { granted, joined } from '../groups/testing/events.js';
import { loginLink } from '../../identity/login-link.js';
import { bundledDisk } from '../disks/bundled.js';
import { DRIVE, EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { FRESH_DISK } from '../testing/empty-drive.js';
import { organizationCommands } from './commands.js';
import { resolveShortlink } from './reads.js';

const {
  CreateShortlink,
  NotifyInbox,
  RecordReindex,
  RedeemOrganization,
  RemoveShortlink,
  UpdateAllowedDomains,
} = organizationCommands;
const ALICE = 'UserID_alice';
const STRANGER = 'UserID_stranger';

const alice_joined = joined('alice', { name: 'Alice' });

const by_code = { kind: 'code' } as const;
const redeem = (redeem_digest = 'digest-of-spawn') => ({
  redeem_digest,
  fresh: {
    api_key: { api_key_id: 'ApiKeyID_1', value: 'the-token', digest: 'digest-1', last4: 'oken' },
    disk: FRESH_DISK,
  },
});

const notify = (more = {}) => ({ fresh: { inbox_notif_id: 'InboxNotifID_1' }, ...more });

const link = (slug: string) => ({ original_url: 'https://a.example/x', fresh: { slug } });
const LINKS = `http://front.example/org/${DRIVE}__aHR0cDovL2hvc3QuZXhhbXBsZQ/to/`;

describe('UpdateAllowedDomains', () => {
  it.each([
    ['example.com', 'example.com'],
    ['a.example.com, *.b-c.example ,localhost', 'a.example.com,*.b-c.example,localhost'],
    ['', ''],
    ['  ', ''],
  ])('stores %p as %p', (given, stored) => {
    const drive = new SpecDrive();
    const command = { allowed_domains: given };
    const { answer, allowed_by } = drive.when(UpdateAllowedDomains, OWNER, command);
    expect(allowed_by).toEqual(['OWNER']);
    expect(answer!.success).toBe(true);
    expect(answer!.message).toContain(stored);
    expect(drive.state.organization.allowed_domains).toBe(stored);
  });

  it.each([
    'http://a.example',
    'a.example/path',
    'a.example:80',
    'a..example',
    '-a.example',
    'a-.example',
    '*',
    '*example.com',
    'a.*.example',
    'a.example,',
    'a b.example',
    'ä.example',
    `${'a'.repeat(64)}.example`,
    `${'a'.repeat(49)}.`.repeat(5) + 'b'.repeat(4),
  ])('refuses %p', (allowed_domains) => {
    const { refusal } = new SpecDrive().when(UpdateAllowedDomains, OWNER, { allowed_domains });
    expect(refusal).toBe('invalid-field');
  });

  it.each([
    [256, null],
    [257, 'invalid-field'],
  ])('of %i characters answers %p', (length, refusal) => {
    const start = `${'a'.repeat(63)},`.repeat(3);
    const allowed_domains = `${start}${'b'.repeat(length - start.length - 2)},c`;
    expect(allowed_domains).toHaveLength(length);
    const outcome = new SpecDrive().when(UpdateAllowedDomains, OWNER, { allowed_domains });
    expect(outcome.refusal).toBe(refusal);
  });

  it('is allowed only to the owner', () => {
    const drive = new SpecDrive().given(
      granted('SystemPermissionID_e', ALICE, 'TABLE_DRIVES', 'EDIT'),
    );
    const command = { allowed_domains: 'a.example' };
    expect(drive.when(UpdateAllowedDomains, ALICE, command).refusal).toBe('forbidden');
  });
});

describe('RedeemOrganization', () => {
  it('creates the owner’s first key for the spawn code, in all forms', () => {
    const drive = new SpecDrive();
    const { answer, allowed_by, events } = drive.when(RedeemOrganization, by_code, redeem());
    expect(allowed_by).toEqual(['CODE']);
    expect(events.map(({ type }) => type)).toEqual(['OrganizationActivated', 'ApiKeyCreated']);
    expect(answer).toEqual({
      drive_id: DRIVE,
      host_url: 'http://host.example',
      api_key: 'the-token',
      note: 'spawned for a spec',
      admin_login_password: `${DRIVE}:the-token@http://host.example`,
      auto_login_url: loginLink({
        frontend_url: 'http://front.example',
        org_name: 'Spec Org',
        org_id: DRIVE,
        org_host: 'http://host.example',
        profile_id: OWNER,
        profile_name: 'Owner',
        profile_api_key: 'the-token',
      }),
    });
    expect(drive.state.api_keys.get('ApiKeyID_1')).toMatchObject({
      name: 'Default Admin Key for Spawned Drive',
      user_id: OWNER,
      created_by: null,
      begins_at: drive.state.timestamp_ms - 1,
      expires_at: -1,
    });
  });

  describe('with a bundled disk', () => {
    const bundled_default_disk = bundledDisk({
      name: 'Gift disk',
      disk_type: 'LOCAL_SSD',
      auth_json: '{"secret":1}',
    });
    const bundled = event('DefaultDiskBundled', { bundled_default_disk });

    it('creates it for the owner, and stores its credentials only there', () => {
      const drive = new SpecDrive().given(bundled);
      const { events } = drive.when(RedeemOrganization, by_code, redeem());
      expect(events.map(({ type }) => type)).toEqual([
        'OrganizationActivated',
        'ApiKeyCreated',
        'DiskCreated',
      ]);
      expect(drive.state.disks.get('DiskID_1')).toMatchObject(bundled_default_disk);
      expect(drive.state.folders.get('FolderID_root')).toMatchObject({ created_by: OWNER });
      expect([...drive.state.directory_permissions.values()]).toMatchObject([
        { granted_to: EVERYONE, permission_types: ['VIEW', 'UPLOAD', 'EDIT'] },
      ]);
      expect(drive.state.organization.bundled_default_disk).toBeNull();
    });

    it('removes it together with the code when the ownership is transferred', () => {
      const transferred = event('OwnershipTransferred', {
        old_owner_id: OWNER,
        new_owner_id: ALICE,
        subject_key_id: 'subject-alice',
        everyone_invite_id: 'GroupInviteID_alice',
      });
      const drive = new SpecDrive().given(bundled, transferred);
      expect(drive.state.organization.bundled_default_disk).toBeNull();
    });
  });

  it('works once', () => {
    const drive = new SpecDrive();
    drive.when(RedeemOrganization, by_code, redeem());
    expect(drive.state.organization.spawn_redeem_code).toBe('');
    expect(drive.when(RedeemOrganization, by_code, redeem()).refusal).toBe('redeem-code-invalid');
  });

  it.each(['', 'digest-of-other', 'digest-of-spawn-and-more'])('refuses digest %p', (digest) => {
    const drive = new SpecDrive();
    expect(drive.when(RedeemOrganization, by_code, redeem(digest)).refusal).toBe(
      'redeem-code-invalid',
    );
    drive.when(RedeemOrganization, by_code, redeem());
    expect(drive.when(RedeemOrganization, by_code, redeem('')).refusal).toBe('redeem-code-invalid');
  });

  it('masks the key in every form in a repeated answer', () => {
    const drive = new SpecDrive();
    const { events } = drive.when(RedeemOrganization, by_code, redeem());
    expect(JSON.stringify(events)).not.toContain('the-token');
    const context = { ...drive.context(by_code), masked: true };
    const answer = RedeemOrganization.answer(context, redeem(), events);
    const token = new URL(answer.auto_login_url).searchParams.get('token')!;
    const shown = JSON.stringify(answer) + Buffer.from(token, 'base64url').toString();
    expect(shown).not.toContain('the-token');
    expect(answer.api_key).toBe('sk_...oken');
  });
});

describe('NotifyInbox', () => {
  it('stores topic and payload only in the event', () => {
    const drive = new SpecDrive();
    const command = notify({ drive_id: DRIVE, topic: 'mail', payload: { a: [1, null] } });
    const records = drive.state.tables.map((table) => table.size);
    const { answer, allowed_by, events } = drive.when(NotifyInbox, OWNER, command);
    expect(allowed_by).toEqual(['OWNER']);
    expect(events).toEqual([
      event('InboxNotified', {
        inbox_notif_id: 'InboxNotifID_1',
        topic: 'mail',
        payload: { a: [1, null] },
      }),
    ]);
    expect(answer).toEqual({
      inbox_notif_id: 'InboxNotifID_1',
      drive_id: DRIVE,
      timestamp_ms: drive.state.timestamp_ms,
      note: expect.any(String),
    });
    expect(drive.state.tables.map((table) => table.size)).toEqual(records);
  });

  it.each([0, false, '', null])('stores the payload %p unchanged', (payload) => {
    const { events } = new SpecDrive().when(NotifyInbox, OWNER, notify({ payload }));
    expect(events).toMatchObject([{ data: { payload, topic: null } }]);
  });

  it('needs CREATE on INBOX, which may be granted to PUBLIC', () => {
    const drive = new SpecDrive();
    expect(drive.when(NotifyInbox, STRANGER, notify()).refusal).toBe('forbidden');
    drive.given(granted('SystemPermissionID_box', 'PUBLIC', 'TABLE_INBOX', 'CREATE'));
    expect(drive.when(NotifyInbox, STRANGER, notify()).allowed_by).toEqual([
      'SystemPermissionID_box',
    ]);
  });

  it('refuses another drive’s id', () => {
    const command = notify({ drive_id: 'DriveID_other' });
    expect(new SpecDrive().when(NotifyInbox, OWNER, command).refusal).toBe('invalid-field');
  });
});

describe('short links', () => {
  it('are created by contacts, and can be followed by all callers', () => {
    const drive = new SpecDrive().given(alice_joined);
    const { answer, allowed_by } = drive.when(CreateShortlink, ALICE, link('s1'));
    expect(allowed_by).toEqual(['SELF']);
    expect(answer).toEqual({
      slug: 's1',
      original_url: 'https://a.example/x',
      shortlink_url: `${LINKS}s1`,
    });
    expect(resolveShortlink(drive.context({ kind: 'anonymous' }), 's1')).toEqual(answer);
    expect(drive.when(CreateShortlink, OWNER, link('s2')).allowed_by).toEqual(['OWNER']);
    expect(drive.when(CreateShortlink, STRANGER, link('s3')).refusal).toBe('forbidden');
  });

  it('lead to the not-found page if removed or unknown', () => {
    const drive = new SpecDrive().given(alice_joined);
    drive.when(CreateShortlink, ALICE, link('s1'));
    const { answer, allowed_by } = drive.when(RemoveShortlink, ALICE, { slug: 's1' });
    expect(allowed_by).toEqual(['SELF']);
    expect(answer).toMatchObject({ slug: 's1', original_url: 'http://front.example/not-found' });
    expect(resolveShortlink(drive.context(ALICE), 's1')).toMatchObject({
      refusal: 'shortlink-not-found',
    });
    expect(drive.when(RemoveShortlink, STRANGER, { slug: 's1' }).refusal).toBe(
      'shortlink-not-found',
    );
  });

  it('cannot be created or removed without a token', () => {
    const drive = new SpecDrive();
    const anybody = { kind: 'anonymous' } as const;
    expect(drive.when(CreateShortlink, anybody, link('s1')).refusal).toBe('token-missing');
    drive.when(CreateShortlink, OWNER, link('s1'));
    for (const slug of ['s1', 's2'])
      expect(drive.when(RemoveShortlink, anybody, { slug }).refusal).toBe('token-missing');
  });

  it('are removed by creator, owner or holders of EDIT on DRIVES', () => {
    const drive = new SpecDrive().given(alice_joined);
    for (const slug of ['s1', 's2']) drive.when(CreateShortlink, ALICE, link(slug));
    expect(drive.when(RemoveShortlink, STRANGER, { slug: 's1' }).refusal).toBe('forbidden');
    drive.given(granted('SystemPermissionID_e', STRANGER, 'TABLE_DRIVES', 'EDIT'));
    expect(drive.when(RemoveShortlink, STRANGER, { slug: 's1' }).allowed_by).toEqual([
      'SystemPermissionID_e',
    ]);
    expect(drive.when(RemoveShortlink, OWNER, { slug: 's2' }).allowed_by).toEqual(['OWNER']);
  });
});

describe('RecordReindex', () => {
  const command = { events_folded: 3, documents_written: 2 };

  it('updates the time of the last rebuild in the drive’s own record', () => {
    const drive = new SpecDrive();
    const { answer, allowed_by } = drive.when(RecordReindex, OWNER, command);
    expect(allowed_by).toEqual(['OWNER']);
    expect(answer).toEqual({
      ...command,
      revision: drive.state.revision,
      timestamp_ms: drive.state.timestamp_ms,
    });
    expect(drive.state.drives.get(DRIVE)!.last_indexed_ms).toBe(drive.state.timestamp_ms);
  });

  it('needs EDIT on DRIVES; VIEW is not enough', () => {
    const drive = new SpecDrive();
    drive.given(granted('SystemPermissionID_v', ALICE, DRIVE, 'VIEW'));
    expect(drive.when(RecordReindex, ALICE, command).refusal).toBe('forbidden');
    drive.given(granted('SystemPermissionID_e', ALICE, DRIVE, 'EDIT'));
    expect(drive.when(RecordReindex, ALICE, command).allowed_by).toEqual(['SystemPermissionID_e']);
  });

  it('is also allowed to the service itself', () => {
    const { allowed_by } = new SpecDrive().when(RecordReindex, { kind: 'system' }, command);
    expect(allowed_by).toEqual(['SYSTEM']);
  });
});
