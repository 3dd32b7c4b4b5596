import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { startServer } from '../../apps/api/server.js';
import { Client } from '../support/client.js';
import { download, put } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { fences, read, REPOSITORY, section } from './markdown.js';

const OPERATIONS = read('docs/operations.md');

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
    const run = ({ text }: { text: string }) =>
      promisify(execFile)('sh', ['-euc', text], {
        cwd: REPOSITORY,
        env: {
          ...process.env,
          ...{ DATA_DIR: service.data_dir, BACKUP_DIR: backup, RESTORED_DIR: restored_dir },
        },
      });
    await run(backing_up!);
    await org.admin.post('/groups/create', { name: 'After the backup' });
    expect((await run(restoring!)).stdout).toContain('all digests match, 1 contents');
    // Neither the copies nor what they were made of can be read by anybody else.
    for (const made_in of [restored_dir, service.data_dir])
      for (const name of await readdir(made_in))
        expect([name, await modeOf(join(made_in, name))]).toEqual([
          name,
          name === 'content' ? 0o700 : 0o600,
        ]);

    const settings = { PORT: '0', DATA_DIR: restored_dir, LOG_LEVEL: 'silent' };
    const restored = await startServer(loadSettings(settings), {
      logger: new JsonLogger('silent'),
    });
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
});
