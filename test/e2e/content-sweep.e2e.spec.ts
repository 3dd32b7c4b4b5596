import { randomBytes } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Sweeps } from '../../libs/application/sweeps.js';
import { ContentFiles } from '../../libs/content-store/files/content-files.js';
import type { Client, Organization } from '../support/client.js';
import { download, put, raw, sha256Of } from '../support/content.js';
import { act, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { ops } from '../support/ops.js';
import { onSmallContents } from '../support/small-contents.js';
import { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;

describe('sweeping of content', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;
  let now = Date.now();

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => now });
    org = await service.organization();
    admin = org.admin;
  });
  afterAll(() => service.stop());

  const sweep = () => service.server.app.get(Sweeps, { strict: false }).content.sweep();
  const versions = async (file_id: string): Promise<any[]> =>
    (await admin.post('/directory/versions', { file_id })).data.items;
  const available = async (file_id: string): Promise<boolean[]> =>
    (await versions(file_id)).map((version) => version.content_available);
  const history = async (type: string): Promise<any[]> =>
    (await admin.post('/organization/history', { types: [type] })).data.items;
  const fileWith = async (disk: TestDisk, name: string, count: number) => {
    const { id } = await makeFile(admin, disk, name);
    for (let nth = 0; nth < count; nth++) await put(admin, id, `${name} ${nth}`);
    return id as string;
  };

  /** Contents of the organization, in a folder that no service uses. */
  const idsOf = async (folder: string): Promise<string[]> => {
    const store = ContentFiles.reading(folder);
    const found = await store.list(org.drive_id, '', 1000);
    await store.close();
    return found.map(({ content_id }) => content_id);
  };

  it('ends the retention of versions beyond the number that a disk keeps', async () => {
    const disk = await makeDisk(org, { keep_versions: 2 });
    const id = await fileWith(disk, 'many', 4);
    expect(await available(id)).toEqual([true, true, true, true]);
    await sweep();
    expect(await available(id)).toEqual([true, true, false, false]);
    const [, , former] = await versions(id);
    // The hash stays.
    expect(former.sha256).toBe(sha256Of('many 1'));
    const gone = await download(admin, id, `?version_id=${former.version_id}`);
    expect([gone.status, gone.body.err.type]).toEqual([410, 'content.gone']);
    expect(gone.body.err.details[0].reason).toContain(former.sha256);
    const [event] = await history('VersionsReleased');
    expect(event.actor.via).toBe('SYSTEM');
    const { error } = await act(admin, 'UPDATE_FILE', {
      id,
      restore_version_id: former.version_id,
    });
    expect([error.code, error.type]).toEqual([410, 'content.gone']);
  });

  it('ends it after the days that a disk keeps, which may be changed', async () => {
    const disk = await makeDisk(org);
    const id = await fileWith(disk, 'old', 2);
    now += 40 * DAY_MS;
    await sweep();
    expect(await available(id)).toEqual([true, true]);
    await admin.post('/disks/update', { id: disk.id, name: 'Disk', keep_versions_days: 30 });
    await sweep();
    expect(await available(id)).toEqual([true, false]);
  });

  it('deletes what nothing names after the retention time; a past moment has it until then', async () => {
    const disk = await makeDisk(org);
    const id = await fileWith(disk, 'deleted', 1);
    const copy = (await act(admin, 'COPY_FILE', { id, destination_folder_id: disk.root_folder }))
      .result.id as string;
    const { revision } = (await admin.post('/organization/replay')).data;
    await act(admin, 'DELETE_FILE', { id, permanent: true });
    now += 31 * DAY_MS;
    await sweep();
    // The copy still names it.
    expect((await download(admin, copy)).bytes.toString()).toBe('deleted 0');
    await act(admin, 'DELETE_FILE', { id: copy, permanent: true });
    now += 29 * DAY_MS;
    await sweep();
    const past = await download(admin, id, `?as_of=r${revision}`);
    expect(past.bytes.toString()).toBe('deleted 0');
    const used = (await admin.get(`/disks/get/${disk.id}`)).data.used_bytes;
    const { data: usage } = await admin.get('/directory/usage');
    expect(usage).toMatchObject({
      ...{ unused_contents: expect.any(Number), quota_bytes: null },
      unused_bytes: expect.any(Number),
    });
    expect(usage.unused_bytes).toBeGreaterThanOrEqual('deleted 0'.length);
    expect(usage.used_bytes).toBeGreaterThan(usage.unused_bytes);
    expect(used).toBe('deleted 0'.length);
    now += 2 * DAY_MS;
    await sweep();
    const gone = await download(admin, id, `?as_of=r${revision}`);
    expect([gone.status, gone.body.err.type]).toEqual([410, 'content.gone']);
    expect(gone.body.err.details[0].reason).toContain(sha256Of('deleted 0'));
    const head = await raw(admin, `/directory/asset/${id}?as_of=r${revision}`, { method: 'HEAD' });
    expect(head.status).toBe(410);
    expect((await admin.get(`/disks/get/${disk.id}`)).data.used_bytes).toBe(0);
  });

  it('deletes what interrupted uploads have left after a day, and nothing else', async () => {
    if (service.server.stores.on_server) return;
    const { contents } = service.server.stores;
    const content = join(service.data_dir, 'content');
    const keyOf = (content_id: string) => ({ drive_id: org.drive_id, content_id });
    const [large, small] = ['ContentID_left-over-1', 'ContentID_left-over-2'] as const;
    await contents.write(keyOf(large), [randomBytes(100_000)]);
    await contents.write(keyOf(small), [randomBytes(100)]);
    const age = (ms: number): void => {
      const then = now - ms;
      const names = readdirSync(content, { recursive: true }).map(String);
      const path = join(
        content,
        names.find((name) => name.endsWith(large))!,
      );
      utimesSync(path, then / 1000, then / 1000);
      const sql = 'UPDATE contents SET stored_ms = ? WHERE content_id = ?';
      onSmallContents(content, sql, Math.floor(then), small);
    };
    const stored = async (): Promise<string[]> =>
      (await contents.list(org.drive_id, '', 1000)).map(({ content_id }) => content_id);
    const before = await stored();
    expect(before).toEqual(expect.arrayContaining([large, small]));
    age(DAY_MS - 60_000);
    await sweep();
    expect(await stored()).toEqual(before);
    age(DAY_MS + 60_000);
    await sweep();
    // In one round they may be those of an upload in progress, and a clock wrong.
    expect(await stored()).toEqual(before);
    await sweep();
    expect(await stored()).toEqual(before.filter((id) => id !== large && id !== small));
  });

  it('is shown and done by ops', async () => {
    if (service.server.stores.on_server) return;
    const disk = await makeDisk(org, { keep_versions: 1 });
    const id = await fileWith(disk, 'by ops', 2);
    const at = ['--data-dir', service.data_dir, '--json'];
    const run = async (...args: string[]) => {
      const { code, out, err } = await ops(['content', ...args, ...at]);
      return { code, err, data: out && (JSON.parse(out) as any[]) };
    };
    const usage = await run('usage');
    expect(usage.data).toMatchObject([{ drive_id: org.drive_id, contents: expect.any(Number) }]);
    expect((await run('check')).code).toBe(0);
    const planned = await run('sweep');
    expect(planned.data).toMatchObject([{ drive_id: org.drive_id, versions: 1 }]);
    expect(await available(id)).toEqual([true, true]);
    await service.server.close();
    expect((await run('sweep', '--apply')).data).toMatchObject([{ versions: 1 }]);
    expect((await run('sweep')).data).toMatchObject([{ versions: 0 }]);
    const content = join(service.data_dir, 'content');
    const kept = (await idsOf(content))[0]!;
    onSmallContents(content, `UPDATE contents SET bytes = x'010203' WHERE content_id = ?`, kept);
    const checked = await run('check');
    expect([checked.code, checked.data]).toMatchObject([1, [{ missing: [kept] }]]);
    await service.restart({ PORT: new URL(admin.base).port });
    expect(await available(id)).toEqual([true, false]);
  });

  it('of others goes on where an organization cannot be read, which ops names', async () => {
    if (service.server.stores.on_server) return;
    const other = await service.organization();
    await service.server.close();
    const db = new DatabaseSync(join(service.data_dir, 'events.db'));
    const stream = '(SELECT id FROM streams WHERE name = ?)';
    db.prepare(`DELETE FROM events WHERE revision = 1 AND stream_id = ${stream}`).run(
      `drive-${org.drive_id}`,
    );
    db.close();
    for (const name of ['usage', 'check', 'sweep']) {
      const { code, out } = await ops(['content', name, '--data-dir', service.data_dir, '--json']);
      expect([name, code]).toEqual([name, 1]);
      expect(JSON.parse(out)).toEqual([
        { drive_id: org.drive_id, skipped: expect.stringContaining('events are invalid') },
        expect.objectContaining({ drive_id: other.drive_id, contents: 0 }),
      ]);
    }
    const text = await ops(['content', 'check', '--data-dir', service.data_dir]);
    expect(text.out).toContain(`BAD  ${org.drive_id}: The stored events are invalid`);
  });
});
