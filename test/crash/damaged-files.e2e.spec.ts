import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { StoreUnusable } from '../../libs/event-store/port.js';
import { SqliteEventStore } from '../../libs/event-store/sqlite/event-store.js';
import { Client } from '../support/client.js';
import { ops } from '../support/ops.js';
import { buildServer, ServiceProcess } from '../support/processes.js';
import { TestService } from '../support/service.js';

/** What may have happened to a file, and what the sentence about it says. */
const DAMAGES: Readonly<Record<string, readonly [says: RegExp, strike: (path: string) => void]>> = {
  garbage: [
    /is damaged or not a database/,
    (path) => writeFileSync(path, 'garbage! '.repeat(2_000)),
  ],
  'half of it': [
    /is damaged or not a database/,
    (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  ],
  'a piece of it': [/is damaged or not a database/, (path) => truncateSync(path, 100)],
  nothing: [/is missing or empty|is empty/, (path) => truncateSync(path, 0)],
  'a folder': [
    /is a folder where a database file should be/,
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
};
const CASES = ['events.db', 'side.db'].flatMap((file) =>
  Object.entries(DAMAGES).map(([name, [says, strike]]) => [file, name, says, strike] as const),
);

describe('a data folder with a file that cannot be used', () => {
  let folder: string;
  let whole: string;
  let data_dir: string;
  let drive: string;
  let token: string | undefined;

  beforeAll(async () => {
    await buildServer();
    folder = mkdtempSync(join(tmpdir(), 'damaged-'));
    whole = join(folder, 'whole');
    const service = await TestService.start({ DATA_DIR: whole });
    const org = await service.organization('Bob');
    for (let nth = 0; nth < 20; nth++) await org.admin.post('/groups/create', { name: `G${nth}` });
    drive = org.drive_id;
    token = org.admin.token;
    await service.stop();
  });
  beforeEach(() => {
    data_dir = join(folder, 'data');
    cpSync(whole, data_dir, { recursive: true });
    // The copy of a folder does not get its mode.
    chmodSync(join(data_dir, 'content'), 0o700);
  });
  // Also where a test failed before it ended the service; jest would wait for it.
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill('SIGKILL');
    rmSync(data_dir, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const running: ServiceProcess[] = [];
  const start = async (): Promise<ServiceProcess> => {
    const service = await ServiceProcess.start('api', { DATA_DIR: data_dir });
    running.push(service);
    return service;
  };

  /** Starts the service, which must end; answers the lines it wrote. */
  const refusedStart = async (): Promise<string[]> => {
    const service = await start();
    if (service.url) await service.kill('SIGKILL');
    expect(await service.ended).toEqual({ code: 1, signal: null });
    return service.output.trimEnd().split('\n');
  };

  it.each(CASES)(
    '%s holds %s: one sentence from the service and from ops',
    async (file, _, says, strike) => {
      strike(join(data_dir, file));
      const lines = await refusedStart();
      expect(lines).toEqual([expect.stringMatching(says)]);
      const run = await ops(['history', '--drive', drive, '--data-dir', data_dir]);
      expect([run.code, run.out]).toEqual([1, '']);
      expect(run.err.trimEnd().split('\n')).toEqual([expect.stringMatching(says)]);
      for (const sentence of [lines[0]!, run.err]) {
        expect(sentence).toContain(join(data_dir, file));
        expect(sentence).toMatch(/restore (?:it|the file) from a backup/);
      }
    },
  );

  it('may have lost what is in jobs.db', async () => {
    truncateSync(join(data_dir, 'jobs.db'), 0);
    const run = await ops(['history', '--drive', drive, '--data-dir', data_dir]);
    expect([run.code, run.err]).toEqual([0, '']);
    const service = await start();
    expect(service.url).toBeTruthy();
  });

  it('is not begun anew where events.db is gone', async () => {
    rmSync(join(data_dir, 'events.db'));
    expect(await refusedStart()).toEqual([expect.stringMatching(/events\.db is missing or empty/)]);
    expect(readdirSync(data_dir)).not.toContain('events.db');
  });

  it('gets no new master key in place of the lost one', async () => {
    rmSync(join(data_dir, 'master.key'));
    const before = readdirSync(data_dir);
    expect(await refusedStart()).toEqual([
      `${join(data_dir, 'master.key')} is missing, and ${join(data_dir, 'events.db')} can only be used with the key in it: ` +
        'restore that file, or set MASTER_KEY to the key of this folder',
    ]);
    expect(readdirSync(data_dir)).toEqual(before);
  });

  it('met later is logged with its name, which callers are not told', async () => {
    const lines: string[] = [];
    const logger = new JsonLogger('info', { write: (line) => void lines.push(line) });
    const service = await TestService.start({ DATA_DIR: data_dir }, { logger });
    try {
      const events = jest.spyOn(SqliteEventStore.prototype, 'readFoldable');
      const said = '/data/events.db is damaged or not a database';
      events.mockRejectedValue(new StoreUnusable(said));
      const client = new Client(`${service.url}/v1/drive/${drive}`, token);
      const { status, err, body } = await client.get('/organization/about');
      expect([status, err.type]).toEqual([503, 'drive.store-failed']);
      expect(JSON.stringify(body)).not.toContain('events.db');
      expect(lines.filter((line) => line.includes(said))).toHaveLength(1);
      events.mockRestore();
      expect((await client.get('/organization/about')).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('starts where only what is made anew is damaged', async () => {
    for (const file of ['snapshots.db', 'tiles.db', 'index.db', 'expiries.db', 'nonces.db'])
      DAMAGES['garbage']![1](join(data_dir, file));
    const service = await start();
    expect(service.url).not.toBe('');
    for (const file of readdirSync(data_dir))
      expect([file, statSync(join(data_dir, file)).mode & 0o077]).toEqual([file, 0]);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
