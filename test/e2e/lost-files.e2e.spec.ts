import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { startServer } from '../../apps/api/server.js';
import type { Client, Organization } from '../support/client.js';
import { download, put } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { smallContents } from '../support/small-contents.js';

describe('a data folder that has lost a file', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;
  let path: string;
  let aside: string;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
    admin = org.admin;
    path = join(service.data_dir, 'content', 'small.db');
    aside = join(service.data_dir, 'aside.db');
  });
  afterAll(() => service.stop());

  it('is refused without the database of small contents once a file has content', async () => {
    if (service.server.stores.on_server) return;
    const disk = await makeDisk(org);
    const restarted = () => service.restart({ PORT: new URL(admin.base).port });
    await service.server.close();
    renameSync(path, aside);
    // No file has content yet, so nothing is lost.
    await restarted();
    const { id } = await makeFile(admin, disk, 'small.txt');
    await put(admin, id, 'kept');
    await service.server.close();
    renameSync(path, aside);
    const lost = `${path} is missing or empty, but the contents of small files are in it: restore it from a backup`;
    await expect(restarted()).rejects.toThrow(lost);
    writeFileSync(path, '');
    await expect(restarted()).rejects.toThrow(lost);
    renameSync(aside, path);
    await restarted();
    expect((await download(admin, id)).bytes.toString()).toBe('kept');
  });

  it('of an older version starts: all its contents are files', async () => {
    if (service.server.stores.on_server) return;
    const restarted = () => service.restart({ PORT: new URL(admin.base).port });
    const content = join(service.data_dir, 'content');
    const { id } = await makeFile(admin, await makeDisk(org), 'older.txt');
    await put(admin, id, 'older');
    await service.server.close();
    for (const { drive_id, content_id, bytes } of smallContents(content)) {
      // As the version before `small.db` stored them.
      const branch = join(content, drive_id, content_id.slice(0, 15));
      mkdirSync(branch, { recursive: true });
      writeFileSync(join(branch, content_id), bytes);
    }
    rmSync(path);
    await restarted();
    expect((await download(admin, id)).bytes.toString()).toBe('older');
    const later = await makeFile(admin, await makeDisk(org), 'later.txt');
    await put(admin, later.id, 'later');
    expect((await download(admin, later.id)).bytes.toString()).toBe('later');
  });

  it('has its lost signing key replaced, which the log says', async () => {
    if (service.server.stores.on_server) return;
    await service.server.close();
    rmSync(join(service.data_dir, 'signing.key'));
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(...chunk.toString().split('\n'));
        done();
      },
    });
    const env = { PORT: '0', DATA_DIR: service.data_dir };
    for (let start = 0; start < 2; start++) {
      const logger = new JsonLogger('warn', sink);
      const server = await startServer(loadSettings(env), { logger });
      await server.close();
    }
    const told = lines.filter((line) => line.includes('signing.key is missing'));
    expect(told).toHaveLength(1);
  });
});
