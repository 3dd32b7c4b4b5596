import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import type { Organization } from '../support/client.js';
import { ops } from '../support/ops.js';
import { Planted } from '../support/planted.js';
import { TestService } from '../support/service.js';
import { Relay } from '../servers/kurrentdb/relay.js';
import { type KurrentTarget, kurrentTarget } from '../servers/kurrentdb/target.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';

/** Names of commands, in MongoDB's messages. */
const COMMANDS = /\b(?:find|insert|update|delete|findAndModify|createIndexes|create|drop)\0/g;

describeWithMongo('moving to servers and back', () => {
  const secrets = new Planted();
  let folder: string;
  let service: TestService;
  let org: Organization;
  let kurrent: KurrentTarget;
  let mongo: MongoServer;
  let servers: string;
  let source: string;

  const settings = (name: string, values: Record<string, string>): string => {
    const file = join(folder, name);
    const lines = Object.entries(values).map(([key, value]) => `${key}=${value}\n`);
    writeFileSync(file, lines.join(''));
    return file;
  };

  beforeAll(async () => {
    [kurrent, mongo] = [await kurrentTarget(), await startMongo()];
    folder = mkdtempSync(join(tmpdir(), 'ops-servers-'));
    service = await TestService.start();
    org = await service.organization('Bob');
    for (let at = 0; at < 30; at++) await org.admin.post('/groups/create', { name: `G ${at}` });
    await org.admin.post('/contacts/create', { id: 'UserID_ann', name: 'Ann Archer' });
    await org.admin.post('/contacts/create', { id: 'UserID_gone', name: 'Gone' });
    await org.admin.post('/contacts/erase', { id: 'UserID_gone' });
    source = service.data_dir;
    await service.server.close();
    servers = settings('servers', {
      EVENT_STORE: 'kurrentdb',
      KURRENTDB_URL: kurrent.url,
      MONGODB_URL: mongo.url,
      MONGODB_DATABASE: mongo.freshDatabase(),
      MASTER_KEY: secrets.known('master key', randomBytes(32).toString('hex')),
    });
  });
  afterAll(async () => {
    await service.server.close();
    await kurrent.close();
    await mongo.stop();
    rmSync(folder, { recursive: true });
    rmSync(source, { recursive: true });
  });

  it('gives equal hashes everywhere, and everything reads as before', async () => {
    const there = await ops([
      'migrate',
      '--data-dir',
      source,
      '--to',
      servers,
      '--check-every',
      '10',
      '--json',
    ]);
    expect(there).toMatchObject({ code: 0, err: '' });
    expect(secrets.foundIn(Buffer.from(there.out))).toEqual([]);
    const { compared } = JSON.parse(there.out);
    expect(compared).toHaveLength(2);
    const doctor = await ops(['doctor', '--settings', servers]);
    expect(doctor).toMatchObject({ code: 0, err: '' });
    expect(doctor.out).toContain('The factory names 1 organizations.');
    expect(doctor.out).not.toContain('WARN');
    expect((await ops(['verify', '--settings', servers])).code).toBe(0);

    const asked = ['replay', '--drive', org.drive_id, '--record', 'UserID_ann', '--json'];
    const [here, moved] = [
      await ops([...asked, '--data-dir', source]),
      await ops([...asked, '--settings', servers]),
    ].map(({ out }) => JSON.parse(out));
    expect(moved.state_hash).toBe(here.state_hash);
    expect(moved.state).toEqual(here.state);
    expect(moved.state.contacts.items[0].name).toBe('Ann Archer');

    const back = settings('back', { DATA_DIR: join(folder, 'data-back') });
    const returned = await ops(['migrate', '--settings', servers, '--to', back, '--json']);
    expect(returned).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(returned.out).compared.map(({ state_hash }: any) => state_hash)).toEqual(
      compared.map(({ state_hash }: any) => state_hash),
    );
    const again = await ops([...asked, '--settings', back]);
    expect(JSON.parse(again.out).state).toEqual(here.state);
  });

  it.each([['doctor'], ['verify', '--content'], ['orgs'], ['content', 'usage']])(
    'writes nothing to MongoDB by %s',
    async (...command) => {
      const { port } = new URL(mongo.url);
      const sent = new Set<string>();
      const relay = new Relay(Number(port), (bytes, from) => {
        if (from === 'client')
          for (const [name] of bytes.toString('latin1').matchAll(COMMANDS)) sent.add(name);
      });
      const url = mongo.url.replace(`:${port}`, `:${await relay.listen(0)}`);
      const file = join(folder, 'read');
      const model = 'READ_MODEL=mongodb';
      writeFileSync(file, `${readFileSync(servers, 'utf8')}${model}\nMONGODB_URL=${url}\n`);
      const { code, err } = await ops([...command, '--settings', file]);
      await relay.close();
      expect({ code, err, sent }).toEqual({ code: 0, err: '', sent: new Set(['find\0']) });
    },
  );

  it('is warned of metadata by which a stream would lose events', async () => {
    const client = KurrentDBClient.connectionString(kurrent.url);
    await client.setStreamMetadata(`drive-${org.drive_id}`, { maxAge: 3600, maxCount: 500 });
    const { code, out } = await ops(['doctor', '--settings', servers]);
    expect(code).toBe(1);
    expect(out).toContain(
      `BAD  The metadata of drive-${org.drive_id} lets the event store drop all events older than 3600 seconds ` +
        '($maxAge), all but the last 500 ($maxCount): take that off',
    );
    await client.setStreamMetadata(`drive-${org.drive_id}`, {});
    await client.dispose();
  });

  it('saves an organization from an event of others, up to the last good revision', async () => {
    const client = KurrentDBClient.connectionString(kurrent.url);
    const stream = `drive-${org.drive_id}`;
    const data = { by: 'somebody else' };
    const { nextExpectedRevision } = await client.appendToStream(stream, [
      jsonEvent({ type: 'Migrated', data }),
    ]);
    await client.dispose();
    const last_good = String(nextExpectedRevision - 1n);
    const doctor = await ops(['doctor', '--settings', servers]);
    expect(doctor).toMatchObject({
      code: 1,
      out: expect.stringContaining(`BAD  Stream ${stream}`),
    });
    expect(doctor.out).toContain(`ops export --to ${last_good}`);
    expect(doctor.out).toContain('deliveries are pending.');
    const listed = await ops(['orgs', '--settings', servers]);
    expect(listed).toMatchObject({
      code: 0,
      out: expect.stringContaining('(cannot be read: broken)'),
    });
    expect((await ops(['verify', '--settings', servers])).code).toBe(1);

    const [file, keys] = [join(folder, 'good.ndjson'), join(folder, 'good.keys')];
    const env = { KEYS_PASSPHRASE: 'a long enough passphrase' };
    const out = ['--out', file, '--keys', keys];
    const whole = await ops(
      ['export', '--settings', servers, '--drive', org.drive_id, ...out],
      env,
    );
    expect(whole).toMatchObject({ code: 1, err: expect.stringContaining(stream) });
    const to = ['--drive', org.drive_id, '--to', last_good];
    const good = await ops(['export', '--settings', servers, ...to, ...out], env);
    expect(good.code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('Migrated');
  });

  it('shows the lag of documents', async () => {
    const env = { READ_MODEL: 'mongodb', MONGODB_URL: mongo.url };
    const database = { MONGODB_DATABASE: mongo.freshDatabase() };
    const lagging = settings('lagging', { DATA_DIR: source, ...env, ...database });
    const { code, out } = await ops(['doctor', '--settings', lagging]);
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(
        `${org.drive_id}: the documents lag by \\d+ events, the first of them \\d+ s old.`,
      ),
    );
  });

  it('names what is missing, and shows no connection string', async () => {
    const half = settings('half', { EVENT_STORE: 'kurrentdb', KURRENTDB_URL: kurrent.url });
    expect(await ops(['doctor', '--settings', half])).toMatchObject({
      code: 3,
      err: [
        'MASTER_KEY must be set, since EVENT_STORE is "kurrentdb".\n',
        'MONGODB_URL must be set, since EVENT_STORE is "kurrentdb".\n',
      ].join(''),
    });
    const password = secrets.text('password');
    const wrong = settings('wrong', {
      EVENT_STORE: 'kurrentdb',
      KURRENTDB_URL: `esdb://user:${password}@127.0.0.1:1?tls=false`,
      MONGODB_URL: mongo.url,
      MASTER_KEY: randomBytes(32).toString('hex'),
    });
    const { code, err } = await ops(['doctor', '--settings', wrong]);
    expect(code).toBe(3);
    expect(err).toBe('the event store at 127.0.0.1:1 refuses the connection.\n');
    expect(secrets.foundIn(Buffer.from(err))).toEqual([]);
  });

  it('leaves reindexing to the service where documents are in MongoDB', async () => {
    const file = settings('documents', { DATA_DIR: source, READ_MODEL: 'mongodb' });
    const run = await ops(['reindex', '--settings', file]);
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('--url') });
  });
});
