import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { startServer } from '../../apps/api/server.js';
import { factoryCommands } from '../../libs/domain/factory/commands.js';
import { Random } from '../../apps/demo/random.js';
import { Known, Worker } from '../scenario/worker.js';
import { Client, type Organization } from '../support/client.js';
import { ops, type OpsRun } from '../support/ops.js';
import { Planted } from '../support/planted.js';
import { Receiver } from '../support/receiver.js';
import { TestService } from '../support/service.js';

const SEED = 20_251_122;
const STEPS = 900;
const PASSPHRASE = 'a long enough passphrase';
/** The same wherever it is moved to: its address stands in links. */
const INSTALLATION = {
  FACTORY_ADMIN_KEYS: 'factory-admin-key-0123456789-0123456789',
  PUBLIC_URL: 'https://drive.example',
};
const LISTS = [
  '/groups/list',
  '/contacts/list',
  '/disks/list',
  '/webhooks/list',
  '/labels/list',
  '/drives/list',
] as const;

describe('moving an installation', () => {
  const secrets = new Planted();
  let folder: string;
  let service: TestService;
  let receiver: Receiver;
  let org: Organization;
  let other: Organization;
  let giftcard_id: string;
  let erased: string;
  let exported: OpsRun;
  let made = 0;

  const path = (name: string): string => join(folder, name);
  /** An empty data folder. */
  const fresh = (): string => path(`data-${++made}`);
  const env = { KEYS_PASSPHRASE: PASSPHRASE };
  const exporting = (out: string, ...more: string[]) =>
    ops(['export', '--data-dir', service.data_dir, '--out', path(out), '--json', ...more], env);
  const importing = (from: string, to: string, ...more: string[]) =>
    ops(['import', path(from), '--data-dir', to, '--json', ...more], env);
  const lines = (name: string): string[] => readFileSync(path(name), 'utf8').trimEnd().split('\n');
  const written = (name: string, text: string | readonly string[]): string => {
    writeFileSync(path(name), typeof text === 'string' ? text : `${text.join('\n')}\n`);
    return name;
  };

  /** Serves a data folder while something is asked of it. */
  const serving = async <T>(data_dir: string, ask: (url: string) => Promise<T>): Promise<T> => {
    const settings = loadSettings({
      ...{ PORT: '0', DATA_DIR: data_dir, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' },
      ...INSTALLATION,
    });
    const server = await startServer(settings, { logger: new JsonLogger('silent') });
    try {
      const answer = await ask(server.url);
      await server.webhooks.idle();
      return answer;
    } finally {
      await server.close();
    }
  };
  const as = (client: Client, url: string): Client =>
    new Client(client.base.replace(/^http:..[^/]+/, url), client.token, client.user_id);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ops-transfer-'));
    service = await TestService.start(INSTALLATION);
    receiver = await Receiver.start();
    org = await service.organization('Bob', 'Eve');
    other = await service.organization();
    const ok = async (where: string, body: object, client = org.admin): Promise<any> => {
      const { status, data, err } = await client.post(where, body);
      expect([where, status, err]).toEqual([where, 200, undefined]);
      return data;
    };
    const credentials = {
      ...{ endpoint: 'https://s3.example', bucket: 'b', region: 'r' },
      ...{ access_key: secrets.text('access key'), secret_key: secrets.text('secret key') },
    };
    const disk = { name: 'Cloud', disk_type: 'AWS_BUCKET' };
    await ok('/disks/create', { ...disk, auth_json: JSON.stringify(credentials) });
    const { secret } = await ok('/webhooks/create', {
      ...{ event: 'org.inbox.new_mail', alt_index: 'INBOX_NEW_MAIL', url: receiver.url('/hook') },
      signature: secrets.text('webhook signature'),
    });
    secrets.known('webhook secret', secret);
    const person = { name: secrets.text('name'), email: `${secrets.text('email')}@example.com` };
    await ok('/contacts/create', { id: 'UserID_ann', ...person });
    erased = secrets.text('erased name');
    await ok('/contacts/create', { id: 'UserID_gone', name: erased });
    await ok('/contacts/erase', { id: 'UserID_gone' });
    const cards = '/v1/factory/giftcards/spawnorg';
    const card = { note: 'for later', bundled_default_disk: { ...disk, auth_json: credentials } };
    giftcard_id = (await ok(`${cards}/create`, card, service.client())).id;
    const known = new Known();
    const people = [org.admin, ...org.members];
    const users = people.map(({ user_id }) => user_id);
    const workers = people.map(
      (client, at) => new Worker(client, known, users, new Random(SEED + at)),
    );
    for (let step = 0; step < STEPS; step++) await workers[step % workers.length]!.step();
    await ok('/organization/inbox', { topic: 'orders', payload: {} });
    await service.server.webhooks.idle();
    exported = await exporting('all.ndjson', '--keys', path('all.keys'));
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true });
  });

  it('exports all of it beside the running service, for its owner alone', () => {
    expect(exported).toMatchObject({ code: 0, err: '' });
    const { streams, events } = JSON.parse(exported.out);
    expect(streams.map(({ drive_id }: any) => drive_id)).toEqual([
      org.drive_id,
      other.drive_id,
      'factory',
    ]);
    expect(lines('all.ndjson')).toHaveLength(events + 2 * 3);
    for (const name of ['all.ndjson', 'all.keys'])
      expect(statSync(path(name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('shows no secret, no personal text and no key in what it writes', () => {
    for (const name of ['all.ndjson', 'all.keys'])
      expect([name, secrets.foundIn(readFileSync(path(name)))]).toEqual([name, []]);
    expect(secrets.foundIn(Buffer.from(exported.out + exported.err))).toEqual([]);
    const keys = readFileSync(path('all.keys'), 'utf8');
    expect(keys).not.toContain(PASSPHRASE);
    expect(keys).not.toMatch(/subject/i);
  });

  it('is checked by verify, without a server', async () => {
    const { body } = await org.admin.get('/organization/digest');
    const digest = path(written('digest.json', JSON.stringify(body)));
    const { code, out } = await ops(['verify', path('all.ndjson'), digest]);
    expect(code).toBe(0);
    expect(out).toContain('contains what it names');
    const cut = path(written('cut.ndjson', lines('all.ndjson').slice(0, 50)));
    const found = await ops(['verify', cut]);
    expect(found.code).toBe(1);
    expect(found.out).toContain('revision 49: the file is truncated here');
  });

  describe('imported into an empty folder', () => {
    let target: string;
    let run: OpsRun;

    beforeAll(async () => {
      target = fresh();
      run = await importing('all.ndjson', target, '--keys', path('all.keys'));
    });

    it('says what was written, and no secret', () => {
      expect(run).toMatchObject({ code: 0, err: '' });
      const { streams } = JSON.parse(run.out);
      expect(streams.every((stream: any) => stream.written === stream.events)).toBe(true);
      expect(secrets.foundIn(Buffer.from(run.out))).toEqual([]);
    });

    it('has the same hashes at every hundredth revision, and the same lists', async () => {
      const { data: now } = await org.admin.post('/organization/replay', { hash: false });
      const points = [now.revision];
      for (let at = 0; at < now.revision; at += 100) points.push(at);
      expect(points.length).toBeGreaterThan(2);
      const said = async (admin: Client): Promise<unknown> => {
        const post = async (where: string, body: object = {}): Promise<any> => {
          const { status, data } = await admin.post(where, body);
          expect([where, status]).toEqual([where, 200]);
          return data;
        };
        const hashes = [];
        for (const revision of points) {
          const replayed = await post('/organization/replay', { revision, verify: true });
          const { state_hash, chain_hash, log_root, counts } = replayed;
          hashes.push({ revision, state_hash, chain_hash, log_root, counts });
        }
        const chain = [];
        let cursor_down: string | undefined;
        do {
          const page = await post('/organization/history', {
            ...{ page_size: 500, direction: 'ASC' },
            ...(cursor_down && { cursor_down }),
          });
          for (const { revision, hash } of page.items) chain.push([revision, hash]);
          cursor_down = page.cursor_down;
        } while (cursor_down);
        const lists = [];
        for (const list of LISTS) lists.push(await post(list, { page_size: 1000 }));
        const about = await post('/organization/replay', { include: ['ALL'], page_size: 1000 });
        return { hashes, chain, lists: withoutPresence(lists), state: about.state };
      };
      const here = await said(org.admin);
      const there = await serving(target, (url) => said(as(org.admin, url)));
      expect(there).toEqual(here);
    });

    it('opens sealed fields, accepts commands, and has its gift cards', async () => {
      await serving(target, async (url) => {
        const admin = as(org.admin, url);
        const { data: ann } = await admin.get('/contacts/get/UserID_ann');
        expect(ann.name).toMatch(/^planted/);
        const past = await admin.post('/organization/history', { resource_id: 'UserID_gone' });
        expect(JSON.stringify(past.body)).toContain('[erased]');
        expect(JSON.stringify(past.body)).not.toContain(erased);
        expect((await admin.post('/groups/create', { name: 'Made there' })).status).toBe(200);
        const redeemed = await new Client(url).post('/v1/factory/giftcards/spawnorg/redeem', {
          ...{ giftcard_id, owner_user_id: org.admin.user_id },
        });
        expect(redeemed.status).toBe(200);
        expect((await as(other.admin, url).post('/groups/list')).status).toBe(200);
      });
    });

    it('sends webhooks no earlier events', async () => {
      const before = receiver.got.length;
      await serving(target, async (url) => {
        await as(org.admin, url).post('/organization/inbox', { topic: 'there', payload: {} });
      });
      expect(receiver.got.slice(before).map(({ body }) => body.payload.after.topic)).toEqual([
        'there',
      ]);
    });

    it('takes the same file again and does nothing', async () => {
      const again = await importing('all.ndjson', target, '--keys', path('all.keys'));
      expect(again.code).toBe(0);
      const { streams } = JSON.parse(again.out);
      expect(streams.map((stream: any) => stream.written)).toEqual([0, 0, 0]);
    });

    it('is well, as doctor and verify see it', async () => {
      const { code, out } = await ops(['doctor', '--data-dir', target, '--json']);
      expect(code).toBe(0);
      const states = JSON.parse(out).findings.map(({ state }: any) => state);
      expect(new Set(states)).toEqual(new Set(['ok']));
      expect((await ops(['verify', '--data-dir', target])).code).toBe(0);
      expect((await ops(['verify', '--settings', settings(target)])).code).toBe(0);
    });
  });

  /** A settings file that names a data folder. */
  const settings = (data_dir: string): string =>
    path(
      written(
        `settings-${++made}`,
        `# where it lies\nEVENT_STORE=sqlite\nDATA_DIR="${data_dir}"\n`,
      ),
    );

  it('brings one organization beside others; without keys it can only be read', async () => {
    const target = await TestService.start();
    const here = await target.organization();
    await exporting('one.ndjson', '--drive', org.drive_id, '--keys', path('one.keys'));
    const busy = await importing('one.ndjson', target.data_dir);
    expect(busy).toMatchObject({
      code: 3,
      err: expect.stringMatching(/in use by another process; stop/),
    });
    await target.server.close();
    const run = await importing('one.ndjson', target.data_dir);
    const [stream] = JSON.parse(run.out).streams;
    expect(stream.missing_keys).toBeGreaterThan(3);
    await serving(target.data_dir, async (url) => {
      const admin = as(org.admin, url);
      const { data } = await admin.post('/contacts/list', { page_size: 1000 });
      const ann = data.items.find(({ id }: any) => id === 'UserID_ann');
      expect(ann.name).toBe('[sealed]');
      const refused = await admin.post('/groups/create', { name: 'New' });
      expect([refused.status, refused.err.type]).toEqual([503, 'drive.sealed']);
      expect((await as(here.admin, url).post('/groups/create', { name: 'New' })).status).toBe(200);
    });
    const doctor = await ops(['doctor', '--data-dir', target.data_dir]);
    expect(doctor).toMatchObject({
      code: 0,
      out: expect.stringContaining('imported without them'),
    });
    const later = await importing('one.ndjson', target.data_dir, '--keys', path('one.keys'));
    expect(JSON.parse(later.out).streams).toMatchObject([{ written: 0, missing_keys: 0 }]);
    await serving(target.data_dir, async (url) => {
      expect((await as(org.admin, url).post('/groups/create', { name: 'New' })).status).toBe(200);
    });
    rmSync(target.data_dir, { recursive: true });
  });

  it('answers 503 for an organization under import, also after it was broken off', async () => {
    const drive_id = 'DriveID_under-import';
    const { drives } = service.server;
    await drives.commands.run(
      'factory',
      factoryCommands.BeginImport,
      { drive_id },
      {
        ...{
          credential: { kind: 'factory' },
          correlation_id: 'spec',
          reason: null,
          idempotency: null,
        },
      },
    );
    const client = new Client(`${service.url}/v1/drive/${drive_id}`, org.admin.token);
    const answer = await client.post('/groups/list');
    expect([answer.status, answer.err.type]).toEqual([503, 'drive.importing']);
    expect(answer.headers.get('retry-after')).toBe('1');
    const refused = await exporting('half.ndjson', '--drive', drive_id);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('being imported') });
    expect((await exporting('rest.ndjson')).code).toBe(0);
    const doctor = await ops(['doctor', '--data-dir', service.data_dir]);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain(`BAD  ${drive_id} is not served: its import has not ended.`);
  });

  it('continues after a signal between two appends', async () => {
    const target = fresh();
    const stopped = AbortSignal.abort(
      new (await import('../../apps/ops/failure.js')).Failure('Stopped.', 130),
    );
    const run = await ops(['import', path('all.ndjson'), '--data-dir', target], env, () => stopped);
    expect(run).toMatchObject({ code: 130, err: 'Stopped.\n' });
    expect((await importing('all.ndjson', target)).code).toBe(0);
  });

  it('refuses what was changed, naming organization and revision, and writes nothing', async () => {
    const all = lines('all.ndjson');
    const changed = all.with(31, all[31]!.replace(/"timestamp_ms":(\d)/, '"timestamp_ms":9$1'));
    const target = fresh();
    const run = await importing(written('changed.ndjson', changed), target);
    expect(run.code).toBe(1);
    const why = `${org.drive_id}: revision 30: its hash does not match`;
    expect(run.err).toBe(`${path('changed.ndjson')} is refused: ${why}.\n`);
    // No new folder is left behind.
    expect(existsSync(target)).toBe(false);
  });

  it('refuses a folder where the same organization has diverged', async () => {
    const copy = fresh();
    await service.server.close();
    cpSync(service.data_dir, copy, { recursive: true });
    await service.restart();
    await serving(copy, async (url) => {
      await as(org.admin, url).post('/groups/create', { name: 'There' });
    });
    await as(org.admin, service.url).post('/groups/create', { name: 'Here' });
    await exporting('newer.ndjson', '--drive', org.drive_id);
    const run = await importing('newer.ndjson', copy);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(/a diverging history exists here: revision \d+ has another hash\.\n$/);
  });

  it('writes keys for a recipient, and opens them with the private key alone', async () => {
    const pair = generateKeyPairSync('x25519');
    const pem = {
      public: { type: 'spki', format: 'pem' },
      private: { type: 'pkcs8', format: 'pem' },
    } as const;
    const recipient = path(written('recipient.pem', String(pair.publicKey.export(pem.public))));
    const own = path(written('own.pem', String(pair.privateKey.export(pem.private))));
    const keys = ['--keys', path('for.keys')];
    await exporting('for.ndjson', '--drive', org.drive_id, ...keys, '--recipient', recipient);
    const wrong = await importing('for.ndjson', fresh(), ...keys);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('give the private key') });
    const right = await importing('for.ndjson', fresh(), ...keys, '--private-key', own);
    expect(JSON.parse(right.out).streams).toMatchObject([{ missing_keys: 0 }]);
    const mixed = await importing('all.ndjson', fresh(), ...keys, '--private-key', own);
    expect(mixed).toMatchObject({ code: 1, err: expect.stringContaining('another export') });
  });

  it('migrates in one command, wraps keys again, and compares the two', async () => {
    const [from, target] = [fresh(), fresh()];
    await service.server.close();
    cpSync(service.data_dir, from, { recursive: true });
    await service.restart();
    const to = settings(target);
    const migrate = () =>
      ops(['migrate', '--data-dir', from, '--to', to, '--check-every', '100', '--json']);
    const run = await migrate();
    expect(run).toMatchObject({ code: 0, err: '' });
    const { compared } = JSON.parse(run.out);
    for (const one of compared) expect(one).toMatchObject({ differs_at: null });
    expect(compared[0].points).toBeGreaterThan(3);
    expect(readFileSync(join(target, 'master.key'))).not.toEqual(
      readFileSync(join(from, 'master.key')),
    );
    const said = await ops(['migrate', '--data-dir', from, '--to', to]);
    expect(said.out).toContain(`To data folder ${target}:`);
    const junk = path(written('junk.settings', ['hello', `DATA_DR=${target}`]));
    expect(await ops(['migrate', '--data-dir', from, '--to', junk])).toEqual({
      ...{ code: 2, out: '' },
      err: `${junk} does not name the target: it needs DATA_DIR, or EVENT_STORE=kurrentdb and KURRENTDB_URL.\n`,
    });
    const again = await migrate();
    const { streams } = JSON.parse(again.out);
    expect(streams.every(({ written: count }: any) => count === 0)).toBe(true);
    await serving(target, async (url) => {
      const { data } = await as(org.admin, url).get('/contacts/get/UserID_ann');
      expect(data.name).toMatch(/^planted/);
    });
    const held = await ops(['migrate', '--data-dir', service.data_dir, '--to', settings(fresh())]);
    expect(held).toMatchObject({
      code: 3,
      err: expect.stringContaining('in use by another process'),
    });
  });

  it('reindexes stores, and a running server', async () => {
    const target = fresh();
    await importing('all.ndjson', target, '--keys', path('all.keys'));
    const run = await ops(['reindex', '--data-dir', target, '--json']);
    expect(JSON.parse(run.out).drives).toMatchObject([
      { drive_id: org.drive_id },
      { drive_id: other.drive_id },
    ]);
    const args = ['reindex', '--url', service.url, '--drive', org.drive_id, '--json'];
    const asked = await ops(args, { DRIVE_TOKEN: org.admin.token! });
    expect(asked.code).toBe(0);
    expect(JSON.parse(asked.out).drives[0].events_folded).toBeGreaterThan(100);
    expect(await ops(args)).toMatchObject({ code: 2, err: expect.stringContaining('DRIVE_TOKEN') });
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(target, `index.db${suffix}`), { force: true });
    const both = ['--drive', org.drive_id, '--drive', 'DriveID_x'];
    const unknown = await ops(['reindex', '--data-dir', target, ...both]);
    const index = new DatabaseSync(join(target, 'index.db'));
    // None was rebuilt.
    expect(index.prepare('SELECT drive_id FROM drives').all()).toEqual([]);
    index.close();
    expect(unknown).toMatchObject({ code: 1, err: 'There is no organization DriveID_x.\n' });
  });

  it.each<[string, string[], number, RegExp]>([
    ['no file', ['import'], 2, /missing required argument/],
    ['a file that is not there', ['import', '/nowhere.ndjson', '--data-dir', '/tmp'], 2, /ENOENT/],
    ['a folder in place of a file', ['import', '/tmp', '--data-dir', '/tmp'], 3, /^EISDIR.*\.\n$/],
    ['a file that is there', ['export', '--out', '/dev/null'], 2, /exists already/],
    [
      'a settings file that is not there',
      ['doctor', '--settings', '/nowhere'],
      2,
      /cannot be read/,
    ],
    ['a folder without a master key', ['doctor', '--data-dir', '/nowhere'], 3, /does not exist/],
    ['one file for two', ['export', '--out', '/x', '--keys', '/./x'], 2, /must be two files/],
    [
      'content of an unknown organization',
      ['content', 'usage', '--drive', 'DriveID_none'],
      1,
      /^There is no organization DriveID_none\.\n$/,
    ],
    ['keys without a passphrase', ['export', '--out', '/x', '--keys', '/y'], 2, /KEYS_PASSPHRASE/],
    [
      'too few events between comparisons',
      ['migrate', '--to', '/x', '--check-every', '0'],
      2,
      /above 0/,
    ],
  ])('ends with a sentence for %s', async (_, args, code, says) => {
    const run = await ops(args, { DATA_DIR: service.data_dir });
    expect(run.code).toBe(code);
    expect(run.err).toMatch(says);
  });

  it('exports no revision beyond the last', async () => {
    const to = ['export', '--out', path('beyond'), '--drive', org.drive_id, '--to', '99999'];
    const { code, err } = await ops(to, { DATA_DIR: service.data_dir });
    expect([code, err]).toEqual([1, expect.stringContaining('has no revision 99999')]);
    expect(existsSync(path('beyond'))).toBe(false);
  });

  it('takes no weak passphrase, and no store that keeps nothing', async () => {
    const weak = { KEYS_PASSPHRASE: 'short', DATA_DIR: service.data_dir };
    const keys = ['export', '--out', path('weak'), '--keys', path('weak.keys')];
    expect(await ops(keys, weak)).toMatchObject({ code: 2, err: expect.stringContaining('12') });
    const memory = await ops(['doctor'], { EVENT_STORE: 'memory' });
    expect(memory).toMatchObject({ code: 3, err: expect.stringContaining('EVENT_STORE') });
  });
});

/** Presence is no history and does not move. */
function withoutPresence(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => (name === 'last_online_ms' ? 0 : inner)),
  );
}
