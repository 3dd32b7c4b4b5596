/** `ops kurrentdb grant`: the rights of the service, and no more. */
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import { EngineSpec, PEER } from '../../libs/engine/testing/engine.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import { type OpsRun, ops } from '../support/ops.js';
import {
  ADMIN_PASSWORD,
  DRIVE_PASSWORD,
  type ServerWithUsers,
  startWithUsers,
} from '../servers/kurrentdb/with-users.js';

let users: ServerWithUsers;
let admin: KurrentDBClient;
let drive: KurrentDBClient;

beforeEach(async () => {
  users = await startWithUsers();
  admin = KurrentDBClient.connectionString(users.url('admin', ADMIN_PASSWORD));
  drive = KurrentDBClient.connectionString(users.url());
});
afterEach(async () => {
  await drive.dispose();
  await admin.dispose();
  await users.close();
});

/** Runs the command with an administrator's file, and looks for passwords in what it prints. */
async function grant(
  args: readonly string[] = [],
  { user = 'drive', line = `admin:${ADMIN_PASSWORD}` } = {},
): Promise<OpsRun> {
  const file = users.file('admin', `${line}\n`);
  const named = ['kurrentdb', 'grant', '--user', user, '--admin-file', file];
  const run = await ops([...named, ...args], { KURRENTDB_URL: users.url() });
  for (const password of [ADMIN_PASSWORD, DRIVE_PASSWORD])
    expect(run.out + run.err).not.toContain(password);
  return run;
}

const open = () => openKurrentEventStore({ url: users.url(), deadline_ms: 10_000 });

async function lastOf(stream: string): Promise<unknown> {
  const read = admin.readStream(stream, {
    direction: 'backwards',
    fromRevision: 'end',
    maxCount: 1,
  });
  try {
    for await (const { event } of read) return event!.data;
  } catch {
    // There is none.
  }
  return null;
}

const STREAMS = {
  $r: ['$admins', 'drive'],
  $w: ['$admins', 'drive'],
  $mr: ['$admins', 'drive'],
  $d: ['$admins'],
  $mw: ['$admins'],
};

it('lets the service start, and neither delete a stream nor change metadata', async () => {
  await expect(open()).rejects.toThrow(
    /the user drive .*\$all.*: ops kurrentdb grant --user drive$/,
  );

  const tried = await grant(['--dry-run']);
  expect(tried).toMatchObject({ code: 0, err: '' });
  expect(tried.out).toContain(
    `$settings  update-default-acl  ${JSON.stringify({ $userStreamAcl: STREAMS })}`,
  );
  expect(tried.out).toContain('Nothing was written.');
  expect([await lastOf('$settings'), await lastOf('$$$all')]).toEqual([null, null]);

  expect(await grant()).toMatchObject({ code: 0, err: '' });
  expect(await lastOf('$settings')).toEqual({ $userStreamAcl: STREAMS });
  expect(await lastOf('$$$all')).toEqual({ $acl: { $r: ['$admins', 'drive'] } });
  expect((await grant()).out).toContain('already has these permissions');

  const store = await open();
  const spec = new EngineSpec({ events: store, role: PEER });
  await spec.drives.start();
  await spec.spawn('DriveID_a');
  await spec.group('A', undefined, { drive_id: 'DriveID_a' });
  const denied = { type: 'access-denied' };
  await expect(drive.deleteStream('drive-DriveID_a')).rejects.toMatchObject(denied);
  await expect(drive.tombstoneStream('drive-DriveID_a')).rejects.toMatchObject(denied);
  const metadata = drive.setStreamMetadata('drive-DriveID_a', { maxCount: 1 });
  await expect(metadata).rejects.toMatchObject(denied);
  await spec.drives.close();
  await store.close();
});

it('keeps what others have set, and says what it changes', async () => {
  const data = {
    $userStreamAcl: { $r: '$all', $w: ['reports'], $mr: '$all', $d: '$all', $mw: ['reports'] },
    $systemStreamAcl: { $r: ['$admins', 'reports'], $w: '$admins' },
  };
  await admin.appendToStream('$settings', jsonEvent({ type: 'update-default-acl', data }));
  const { out } = await grant(['--json']);
  expect(JSON.parse(out).changes).toEqual([
    { of: 'user streams', right: 'write', before: ['reports'], after: ['reports', 'drive'] },
    { of: 'user streams', right: 'delete', before: ['$all'], after: ['$admins'] },
    { of: '$all', right: 'read', before: null, after: ['$admins', 'reports', 'drive'] },
  ]);
  expect(await lastOf('$settings')).toEqual({
    ...data,
    $userStreamAcl: { ...data.$userStreamAcl, $w: ['reports', 'drive'], $d: ['$admins'] },
  });
});

it.each<[string, { user?: string; line?: string }, number, RegExp]>([
  ['a user that is not there', { user: 'nobody' }, 1, /^There is no user nobody; /],
  ['an administrator', { user: 'admin' }, 1, /^The user admin is in \$admins, which may delete/],
  ['a group', { user: '$admins' }, 2, /is not a login/],
  [
    'credentials of no administrator',
    { line: `drive:${DRIVE_PASSWORD}` },
    1,
    /^The user drive is not an administrator of the event store at localhost:\d+\.\n$/,
  ],
  [
    'a wrong password',
    { line: 'admin:wrong' },
    1,
    /does not accept the user admin with this password\.\n$/,
  ],
  ['a file with a password alone', { line: ADMIN_PASSWORD }, 2, /must hold login:password/],
])('refuses %s', async (_, options, code, err) => {
  const run = await grant([], options);
  expect([run.code, run.out]).toEqual([code, '']);
  expect(run.err).toMatch(err);
  expect(await lastOf('$settings')).toBeNull();
});
