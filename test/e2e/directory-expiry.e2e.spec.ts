import { Sweeps } from '../../libs/application/sweeps.js';
import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;

describe('the end of files and folders over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let disk: TestDisk;
  let now = Date.now();

  beforeAll(async () => {
    service = await TestService.start({ TRASH_DAYS: '7' }, { clock: () => now });
    org = await service.organization('Bob');
    bob = org.members[0]!;
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  const sweep = () => service.server.app.get(Sweeps).expired_items.sweep();

  it('leads through the trash, which keeps them for TRASH_DAYS', async () => {
    const folder = await makeFolder(org.admin, disk, 'Soon over', { expires_at: now + 1000 });
    const file = await makeFile(org.admin, disk, 'in it', { parent_folder_uuid: folder.id });
    now += 1000;
    expect((await act(org.admin, 'GET_FOLDER', { id: folder.id })).error.code).toBe(404);
    await sweep();
    const { result } = await act(org.admin, 'GET_FILE', { id: file.id });
    expect(result.file).toMatchObject({
      ...{ deleted: true, expires_at: -1 },
      full_directory_path: `${disk.id}::.trash/Soon over/in it`,
    });
    now += 7 * DAY_MS - 1;
    await sweep();
    expect((await act(org.admin, 'GET_FILE', { id: file.id })).error).toBeUndefined();
    now += 1;
    await sweep();
    expect((await act(org.admin, 'GET_FILE', { id: file.id })).error.code).toBe(404);
    expect((await service.server.drives.open(org.drive_id)).state.files.has(file.id)).toBe(false);
  });

  it('comes as early as a lower TRASH_DAYS says, also for what lies in the trash already', async () => {
    const file = await makeFile(org.admin, disk, 'trashed');
    await act(org.admin, 'DELETE_FILE', { id: file.id });
    const isThere = async () =>
      (await service.server.drives.open(org.drive_id)).state.files.has(file.id);
    await sweep();
    await service.restart({ TRASH_DAYS: '2' });
    now += 2 * DAY_MS - 1;
    await sweep();
    expect(await isThere()).toBe(true);
    now += 1;
    await sweep();
    expect(await isThere()).toBe(false);
    await service.restart();
    Object.assign(org.admin, { base: `${service.url}/v1/drive/${org.drive_id}` });
    Object.assign(bob, { base: org.admin.base });
  });

  it('refuses an expiry to callers who may change but not delete', async () => {
    // Everybody may VIEW, UPLOAD and EDIT on a new disk.
    const folder = await makeFolder(org.admin, disk, 'Kept');
    const inside = await makeFolder(org.admin, disk, 'Closed', {
      ...{ parent_folder_uuid: folder.id, has_sovereign_permissions: true },
    });
    const file = await makeFile(org.admin, disk, 'kept.txt');
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id, file_size: 1 };
    const ending = await makeFolder(org.admin, disk, 'Ending', { expires_at: now + 9_000 });
    const attempts: readonly (readonly [string, object])[] = [
      ['UPDATE_FOLDER', { id: folder.id, expires_at: now - 1 }],
      ['UPDATE_FOLDER', { id: folder.id, expires_at: now + 1 }],
      ['UPDATE_FILE', { id: file.id, expires_at: 1 }],
      ['CREATE_FILE', { ...place, id: file.id, name: 'kept.txt', expires_at: now + 1 }],
      [
        'CREATE_FILE',
        { ...place, name: 'kept.txt', expires_at: 1, file_conflict_resolution: 'REPLACE' },
      ],
      ['MOVE_FILE', { id: file.id, destination_folder_id: ending.id }],
      ['MOVE_FOLDER', { id: folder.id, destination_folder_id: ending.id }],
    ];
    for (const [action, payload] of attempts) {
      const { error } = await act(bob, action, payload);
      expect([action, payload, error?.code]).toEqual([action, payload, 403]);
    }
    const { result } = await act(bob, 'UPDATE_FILE', { id: file.id, expires_at: 0, notes: 'n' });
    expect(result.file).toMatchObject({ expires_at: -1, notes: 'n' });
    now += 86_400_000;
    await service.server.app.get(Sweeps).expired_items.sweep();
    const drive = await service.server.drives.open(org.drive_id);
    for (const { id } of [folder, inside])
      expect(drive.state.folders.get(id)!.parent_folder_uuid).not.toBe(disk.trash_folder);
    expect(drive.state.files.get(file.id)!.parent_folder_uuid).toBe(disk.root_folder);
  });
});
