import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Organization } from '../support/client.js';
import { download, put } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';

describe('a data folder that has lost the database of small contents', () => {
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
  }, 30_000);
  afterAll(() => service.stop());

  it('is refused as soon as a file has content, and accepted again with the database', async () => {
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
});
