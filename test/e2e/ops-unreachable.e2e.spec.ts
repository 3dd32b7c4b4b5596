import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ops, type OpsRun } from '../support/ops.js';
import { TestService } from '../support/service.js';
import { Relay } from '../servers/kurrentdb/relay.js';
import { type KurrentServer, startKurrentServer } from '../servers/kurrentdb/server.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';

const NOTE_BYTES = 8_000;
const CONTACTS = 40;

describeWithMongo('a command whose server goes away', () => {
  let kurrent: KurrentServer;
  let mongo: MongoServer;
  let folder: string;
  let drive_id: string;
  let settings: Readonly<Record<string, string>>;

  beforeAll(async () => {
    [kurrent, mongo] = [await startKurrentServer(), await startMongo()];
    folder = mkdtempSync(join(tmpdir(), 'ops-unreachable-'));
    const key = randomBytes(32).toString('hex');
    settings = {
      ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: kurrent.url, MONGODB_URL: mongo.url },
      ...{ MONGODB_DATABASE: mongo.freshDatabase(), MASTER_KEY: key, SIGNING_KEY: key },
    };
    const service = await TestService.start(settings);
    const org = await service.organization('Bob');
    ({ drive_id } = org);
    const public_note = 'x'.repeat(NOTE_BYTES);
    for (let at = 0; at < CONTACTS; at++)
      await org.admin.post('/contacts/create', { is_placeholder: true, name: 'C', public_note });
    await service.server.close();
  });
  afterAll(async () => {
    await kurrent.close();
    await mongo.stop();
    rmSync(folder, { recursive: true });
  });

  const commands = (): Record<string, string[]> => ({
    verify: ['verify'],
    doctor: ['doctor'],
    replay: ['replay', '--drive', drive_id],
    orgs: ['orgs'],
    export: ['export', '--out', join(folder, 'exported')],
    usage: ['content', 'usage'],
  });
  /** Runs a command with a relay in front of the server of a setting, which ends with the first bytes to be cut at. */
  const cut = async (
    name: 'KURRENTDB_URL' | 'MONGODB_URL',
    command: string,
    isCut: (bytes: Buffer, from: 'client' | 'server') => boolean,
  ): Promise<OpsRun> => {
    const url = new URL(settings[name]!);
    let closed: Promise<void> | undefined;
    const relay = new Relay(Number(url.port), (bytes, from) => {
      if (isCut(bytes, from)) closed ??= relay.close();
    });
    url.port = String(await relay.listen(0));
    const file = join(folder, 'settings');
    const lines = Object.entries({ ...settings, [name]: url.href });
    writeFileSync(file, lines.map((line) => `${line.join('=')}\n`).join(''));
    const run = await ops([...commands()[command]!, '--settings', file]);
    if (!closed) throw new Error('the connection was not cut');
    await closed;
    return run;
  };

  it.each(['verify', 'doctor', 'replay', 'orgs', 'export', 'usage'])(
    '%s ends with 3 if KurrentDB cannot be reached',
    async (command) => {
      let left = (NOTE_BYTES * CONTACTS) / 2;
      const run = await cut('KURRENTDB_URL', command, (bytes, from) => {
        if (from === 'server') left -= bytes.length;
        return left < 0;
      });
      expect(run).toMatchObject({ code: 3, out: '' });
      expect(run.err).toMatch(/event store|KurrentDB/);
    },
  );

  it.each(['verify', 'doctor', 'orgs'])(
    '%s ends with 3 if MongoDB cannot be reached',
    async (command) => {
      const run = await cut(
        'MONGODB_URL',
        command,
        (bytes, from) => from === 'client' && bytes.includes('find') && bytes.includes('side_keys'),
      );
      expect(run).toMatchObject({ code: 3, out: '' });
      expect(run.err).toContain('MongoDB');
    },
  );
});
