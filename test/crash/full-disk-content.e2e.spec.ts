import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ContentFiles } from '../../libs/content-store/files/content-files.js';
import { ContentStoreFull } from '../../libs/content-store/port.js';
import type { Client } from '../support/client.js';
import { download, put, sha256Of } from '../support/content.js';
import { makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { describeWith } from '../support/needs.js';
import { removeDisk, smallDisk } from '../support/small-disk.js';

const MIB = 1024 * 1024;

describeWith('small_disk')('contents on a disk that is full', () => {
  let disk: string;
  let data_dir: string;
  let service: TestService;
  let admin: Client;
  let files: TestDisk;
  const unfinished = (): readonly string[] => readdirSync(join(data_dir, 'content', '.writing'));

  beforeAll(async () => {
    disk = smallDisk()!;
    data_dir = join(disk, 'data');
    service = await TestService.start({ DATA_DIR: data_dir, CONTENT_STORE: 'files' });
    const org = await service.organization();
    admin = org.admin;
    files = await makeDisk(org);
  });
  afterAll(async () => {
    try {
      await service.stop();
    } finally {
      removeDisk(disk);
    }
  });

  /** More bytes than the disk has. */
  async function* tooMany(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < 30; sent++) yield Buffer.alloc(MIB);
  }

  it('the store keeps nothing, says so, and takes contents once there is room', async () => {
    const folder = join(disk, 'store');
    const store = await ContentFiles.open(folder);
    const key = { drive_id: 'DriveID_1', content_id: 'a' };
    async function* few(): AsyncGenerator<Uint8Array> {
      yield randomBytes(10);
    }
    await expect(store.write(key, tooMany())).rejects.toThrow(ContentStoreFull);
    expect(readdirSync(join(folder, '.writing'))).toEqual([]);
    expect(await store.size(key)).toBeUndefined();
    const filler = join(disk, 'filler');
    const fill = () => {
      for (;;) writeFileSync(filler, Buffer.alloc(4096), { flag: 'a' });
    };
    expect(fill).toThrow('ENOSPC');
    await expect(store.write(key, tooMany())).rejects.toThrow(ContentStoreFull);
    await expect(store.write(key, few())).rejects.toThrow(ContentStoreFull);
    expect(await store.size(key)).toBeUndefined();
    rmSync(filler);
    expect(await store.write(key, few())).toBe(10);
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('an upload is 507, and everything else goes on working', async () => {
    const bytes = randomBytes(MIB);
    const [kept, large, later] = await Promise.all(
      ['kept.bin', 'large.bin', 'later.bin'].map((name) => makeFile(admin, files, name)),
    );
    expect((await put(admin, kept.id, bytes)).status).toBe(200);
    for (let times = 0; times < 3; times++) {
      const full = await put(admin, large.id, tooMany());
      expect([full.status, full.body.err.type]).toEqual([507, 'content.store-full']);
      expect(unfinished()).toEqual([]);
    }
    expect((await download(admin, large.id)).status).toBe(404);
    expect(sha256Of((await download(admin, kept.id)).bytes)).toBe(sha256Of(bytes));
    expect((await put(admin, later.id, bytes)).status).toBe(200);
    expect((await admin.post('/groups/create', { name: 'Later' })).status).toBe(200);
    const { data } = await admin.post('/organization/replay', { verify: true });
    expect(data.verified).toBe(true);
  });
});
