import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { startServer } from '../../apps/api/server.js';
import { Client, type Organization } from '../support/client.js';
import { download, put } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { fences, read, REPOSITORY, section } from './markdown.js';

const OPERATIONS = read('docs/operations.md');

/** Runs the commands of a block. */
const run = ({ text }: { readonly text: string }, env: Readonly<Record<string, string>>) =>
  promisify(execFile)('sh', ['-euc', text], { cwd: REPOSITORY, env: { ...process.env, ...env } });

const serve = (data_dir: string) =>
  startServer(loadSettings({ PORT: '0', DATA_DIR: data_dir, LOG_LEVEL: 'silent' }), {
    logger: new JsonLogger('silent'),
  });

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('docs/operations.md', () => {
  let service: TestService;
  let backup: string;

  beforeAll(async () => {
    service = await TestService.start();
    backup = await mkdtemp(join(tmpdir(), 'drive-backup-'));
  });

  afterAll(async () => {
    await service.stop();
    await rm(backup, { recursive: true });
  });

  it('quotes the message of a bad setting', () => {
    const [, quoted] = fences(section(OPERATIONS, '## Start'))[0]!.text.trim().split('\n');
    expect(() => loadSettings({ PORT: 'http' })).toThrow(quoted);
  });

  it('has a backup of the running service from which the same organization comes back', async () => {
    const org = await service.organization('Bob');
    const bytes = randomBytes(100_000);
    const file = await makeFile(org.admin, await makeDisk(org), 'a.bin');
    expect((await put(org.admin, file.id, bytes)).status).toBe(200);
    const before = (await org.admin.post('/organization/replay', { verify: true })).data;
    const [backing_up, restoring] = fences(section(OPERATIONS, '## Backup and restore'));
    const restored_dir = join(backup, 'restored');
    const env = { DATA_DIR: service.data_dir, BACKUP_DIR: backup, RESTORED_DIR: restored_dir };
    await run(backing_up!, env);
    await org.admin.post('/groups/create', { name: 'After the backup' });
    expect((await run(restoring!, env)).stdout).toContain('all digests match, 1 contents');
    // Neither the copies nor what they were made of can be read by anybody else.
    for (const made_in of [restored_dir, service.data_dir])
      for (const name of await readdir(made_in))
        expect([name, await modeOf(join(made_in, name))]).toEqual([
          name,
          name === 'content' ? 0o700 : 0o600,
        ]);

    const restored = await serve(restored_dir);
    try {
      const admin = new Client(`${restored.url}/v1/drive/${org.drive_id}`, org.admin.token);
      const { data } = await admin.post('/organization/replay', { verify: true });
      expect(data).toMatchObject({
        revision: before.revision,
        state_hash: before.state_hash,
        chain_hash: before.chain_hash,
        log_root: before.log_root,
        verified: true,
      });
      const members = (await admin.post('/contacts/list')).data.items;
      const content = await download(admin, file.id);
      expect([content.status, content.bytes.equals(bytes)]).toEqual([200, true]);
      expect(members.map((member: any) => member.name).toSorted()).toEqual(['Admin', 'Bob']);
    } finally {
      await restored.close();
    }
  });

  it('moves an installation to another master key', async () => {
    const moved_dir = join(backup, 'moved');
    const own = await TestService.start();
    let org: Organization;
    let file_id: string;
    const bytes = randomBytes(100_000);
    try {
      org = await own.organization('Bob');
      ({ id: file_id } = await makeFile(org.admin, await makeDisk(org), 'a.bin'));
      expect((await put(org.admin, file_id, bytes)).status).toBe(200);
      await own.server.close();
      const [moving] = fences(section(OPERATIONS, '### Another master key'));
      const env = { DATA_DIR: own.data_dir, NEW_DIR: moved_dir };
      // The settings file is made in the current folder.
      const text = moving!.text.replaceAll('moved.settings', join(backup, 'moved.settings'));
      expect((await run({ text }, env)).stdout).toContain('1 contents, 100000 bytes: all fit');
      const keyIn = (folder: string) => readFile(join(folder, 'master.key'), 'utf8');
      expect(await keyIn(moved_dir)).not.toBe(await keyIn(own.data_dir));
    } finally {
      await own.stop();
    }
    const moved = await serve(moved_dir);
    try {
      const admin = new Client(`${moved.url}/v1/drive/${org.drive_id}`, org.admin.token);
      const members = (await admin.post('/contacts/list')).data.items;
      expect(members.map((member: any) => member.name).toSorted()).toEqual(['Admin', 'Bob']);
      const content = await download(admin, file_id);
      expect([content.status, content.bytes.equals(bytes)]).toEqual([200, true]);
    } finally {
      await moved.close();
    }
  });
});
