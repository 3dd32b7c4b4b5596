import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import { ROLES } from '../../libs/engine/drives/role.js';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { startServer } from '../../apps/api/server.js';
import { NothingToShare, startWorker } from '../../apps/worker/start.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { type KurrentServer, startKurrentServer } from '../servers/kurrentdb/server.js';
import { Client, type Organization } from '../support/client.js';
import { ops } from '../support/ops.js';
import { Receiver } from '../support/receiver.js';
import { TestService } from '../support/service.js';

const QUIET = { logger: new JsonLogger('silent') };
const PASSPHRASE = { KEYS_PASSPHRASE: 'a long enough passphrase' };

describe('events in KurrentDB, keys in the data folder', () => {
  let kurrent: KurrentServer;
  let receiver: Receiver;
  let folder: string;
  let service: TestService;
  let org: Organization;

  /** A file of settings for the command line. */
  const settings = (name: string, values: Record<string, string>): string => {
    const file = join(folder, `${name}.env`);
    const lines = Object.entries(values).map(([key, value]) => `${key}=${value}\n`);
    writeFileSync(file, lines.join(''));
    return file;
  };
  const on = ({ url }: KurrentServer, DATA_DIR: string): Record<string, string> => ({
    ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: url, SIDE_STORE: 'sqlite', DATA_DIR },
  });
  const started = (env: Record<string, string>) =>
    startServer(loadSettings({ PORT: '0', LOG_LEVEL: 'silent', ...env }), QUIET);
  /** The same caller at another address. */
  const at = (url: string, { base, token, user_id }: Client): Client =>
    new Client(base.replace(/^http:..[^/]+/, url), token, user_id);
  const nameOf = async (client: Client): Promise<string> =>
    (await client.get('/contacts/get/UserID_ann')).data.name;

  beforeAll(async () => {
    kurrent = await startKurrentServer();
    receiver = await Receiver.start();
    folder = mkdtempSync(join(tmpdir(), 'side-store-'));
    service = await TestService.start({
      ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: kurrent.url, SIDE_STORE: 'sqlite' },
    });
    org = await service.organization('Bob');
    const person = { id: 'UserID_ann', name: 'Ann Archer' };
    await org.admin.post('/contacts/create', person);
    await org.admin.post('/contacts/create', { id: 'UserID_gone', name: 'Gone' });
    await org.admin.post('/contacts/erase', { id: 'UserID_gone' });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await kurrent.close();
    rmSync(folder, { recursive: true });
  });

  it('has everything but the events in the folder', () => {
    const files = readdirSync(service.data_dir).filter((file) => !/-(wal|shm)$/.test(file));
    expect(files.sort()).toEqual(
      [
        ...['expiries.db', 'index.db', 'jobs.db', 'lock.db', 'nonces.db', 'side.db'],
        ...['snapshots.db', 'tiles.db'],
        ...['content', 'master.key', 'signing.key'],
      ].sort(),
    );
  });

  it('delivers to webhooks without a worker', async () => {
    const hook = { event: 'org.inbox.new_mail', alt_index: 'INBOX_NEW_MAIL' };
    const url = receiver.url('/hook');
    expect((await org.admin.post('/webhooks/create', { ...hook, url })).status).toBe(200);
    await org.admin.post('/organization/inbox', { topic: 'orders', payload: {} });
    await receiver.until((got) => got.some(({ path }) => path === '/hook'));
  });

  it('follows its stream, and does alone what workers do elsewhere', () => {
    const { drives, stores } = service.server;
    expect([drives.role, stores.shared]).toEqual([ROLES.single, null]);
  });

  it('opens what was sealed, and signs with the same key, after a restart', async () => {
    const key = { 'Idempotency-Key': 'before-the-restart-0001' };
    const make = () => org.admin.post('/groups/create', { name: 'Once' }, key);
    const made = await make();
    const before = await org.admin.get('/organization/digest');
    await service.restart();
    org = { ...org, admin: at(service.url, org.admin) };
    expect(await nameOf(org.admin)).toBe('Ann Archer');
    const gone = await org.admin.get('/contacts/get/UserID_gone');
    expect(JSON.stringify(gone.body)).not.toContain('"Gone"');
    const again = await make();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.data.id).toBe(made.data.id);
    const after = await org.admin.get('/organization/digest');
    expect(after.data.public_key).toBe(before.data.public_key);
    const { data } = await org.admin.post('/organization/verify', {});
    expect(data.valid).toBe(true);
  });

  it('refuses a second process on the folder, and a worker', async () => {
    const env = on(kurrent, service.data_dir);
    await expect(started(env)).rejects.toThrow('is in use by another process');
    const settled = loadSettings({ PORT: '0', ...env });
    await expect(startWorker(settled, QUIET.logger)).rejects.toThrow(NothingToShare);
    const here = settings('here', env);
    const { code, err } = await ops(['reindex', '--settings', here]);
    expect([code, err]).toEqual([3, expect.stringContaining('is in use by another process')]);
    expect(await nameOf(org.admin)).toBe('Ann Archer');
  });

  it('refuses a folder without the keys of the events, and creates none there', async () => {
    const other = join(folder, 'other');
    const refused = started(on(kurrent, other));
    await expect(refused).rejects.toThrow(
      `${join(other, 'side.db')} is missing or empty, but the event store holds events`,
    );
    expect(readdirSync(other)).toEqual(['lock.db']);
  });

  it('refuses a folder that holds events of its own', async () => {
    const embedded = await TestService.start({ EVENT_STORE: 'sqlite', SIDE_STORE: 'sqlite' });
    await embedded.server.close();
    await expect(started(on(kurrent, embedded.data_dir))).rejects.toThrow(
      'belongs to an installation with EVENT_STORE=sqlite',
    );
    await embedded.stop();
  });

  it('is accessible to ops beside the service: doctor, verify, orgs', async () => {
    const here = settings('here', on(kurrent, service.data_dir));
    const doctor = await ops(['doctor', '--settings', here]);
    expect(doctor).toMatchObject({ code: 0, err: '' });
    expect(doctor.out).toContain(`KurrentDB and the data folder ${service.data_dir}: opened`);
    expect(doctor.out).toContain('The factory names 1 organizations.');
    expect(doctor.out).not.toContain('WARN');
    const verified = await ops(['verify'], on(kurrent, service.data_dir));
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(org.drive_id)]);
    const { out } = await ops(['orgs', '--settings', here]);
    expect(out).toContain(org.drive_id);
  });

  it('moves to the embedded default and back, with equal hashes', async () => {
    await service.server.close();
    const here = settings('here', on(kurrent, service.data_dir));
    const files = settings('files', { DATA_DIR: join(folder, 'files') });
    const gone = await ops(['migrate', '--settings', here, '--to', files, '--json']);
    expect(gone).toMatchObject({ code: 0, err: '' });
    const other = await startKurrentServer();
    const back = settings('back', on(other, join(folder, 'back')));
    const returned = await ops(['migrate', '--settings', files, '--to', back, '--json']);
    expect(returned).toMatchObject({ code: 0, err: '' });
    const hashes = ({ out }: { out: string }): string[] =>
      JSON.parse(out).compared.map(({ state_hash }: any) => state_hash);
    expect(hashes(returned)).toEqual(hashes(gone));
    expect(hashes(gone)).toHaveLength(2);
    expect((await ops(['reindex', '--settings', back])).code).toBe(0);
    const server = await started(on(other, join(folder, 'back')));
    expect(await nameOf(at(server.url, org.admin))).toBe('Ann Archer');
    await server.close();
    await other.close();
    await service.restart();
    org = { ...org, admin: at(service.url, org.admin) };
  });

  it('detects a foreign event immediately; the organization moves elsewhere under its id', async () => {
    const stream = `drive-${org.drive_id}`;
    const client = KurrentDBClient.connectionString(kurrent.url);
    const { nextExpectedRevision } = await client.appendToStream(stream, [
      jsonEvent({ type: 'Migrated', data: { by: 'somebody else' } }),
    ]);
    await client.dispose();
    // Nobody asks for the organization meanwhile.
    const { damaged } = service.server.drives;
    await eventually(() => damaged.get(org.drive_id) !== undefined);
    const refused = await org.admin.post('/groups/create', { name: 'Late' });
    expect([refused.status, refused.err.type]).toEqual([503, 'drive.broken']);

    const last_good = String(nextExpectedRevision - 1n);
    const here = settings('here', on(kurrent, service.data_dir));
    const doctor = await ops(['doctor', '--settings', here]);
    expect([doctor.code, doctor.out]).toEqual([
      1,
      expect.stringContaining(`ops export --to ${last_good}`),
    ]);
    const [file, keys] = [join(folder, 'good.ndjson'), join(folder, 'good.keys')];
    const written = ['--out', file, '--keys', keys];
    const to = ['--drive', org.drive_id, '--to', last_good];
    const exported = await ops(['export', '--settings', here, ...to, ...written], PASSPHRASE);
    expect(exported).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(file, 'utf8')).not.toContain('Migrated');

    const elsewhere = await startKurrentServer();
    for (const env of [
      { DATA_DIR: join(folder, 'beside') },
      on(elsewhere, join(folder, 'elsewhere')),
    ]) {
      const there = settings('there', env);
      const imported = await ops(['import', file, '--settings', there, '--keys', keys], PASSPHRASE);
      expect(imported).toMatchObject({ code: 0, err: '' });
      expect((await ops(['verify', '--settings', there])).code).toBe(0);
      const server = await started(env);
      const admin = at(server.url, org.admin);
      expect(await nameOf(admin)).toBe('Ann Archer');
      const made = await admin.post('/groups/create', { name: 'Goes on' });
      expect([made.status, made.headers.get('drive-revision')]).toEqual([
        200,
        String(BigInt(last_good) + 1n),
      ]);
      await server.close();
    }
    await elsewhere.close();
  });
});
