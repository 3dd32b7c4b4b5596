import type { Answer, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;

describe('a refusal that can be about several fields names the one', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  const post = (path: string, body: object): Promise<Answer> => org.admin.post(path, body);
  const errorOf = async (action: string, payload: object): Promise<[string, string, string]> => {
    const { error } = await act(org.admin, action, payload);
    const { pointer, reason } = error.details[0];
    return [error.type, pointer, reason];
  };
  const trash = (id: string): Promise<unknown> =>
    act(org.admin, id.startsWith('File') ? 'DELETE_FILE' : 'DELETE_FOLDER', { id });

  it.each(['COPY_FOLDER', 'MOVE_FOLDER'])('of %s: the item or its destination', async (action) => {
    const { id } = await makeFolder(org.admin, disk, `of ${action}`);
    const trashed = await makeFolder(org.admin, disk, `trashed of ${action}`);
    await trash(trashed.id);
    const unknown = 'FolderID_none';
    const root = disk.root_folder;
    expect([
      await errorOf(action, { id: unknown, destination_folder_id: root }),
      await errorOf(action, { id, destination_folder_id: unknown }),
      await errorOf(action, { id, destination_folder_id: trashed.id }),
      await errorOf(action, { id: trashed.id, destination_folder_id: root }),
      await errorOf(action, { id, destination_folder_path: `${disk.id}::.trash/` }),
    ]).toEqual([
      ['folder.not-found', '/id', 'names no folder'],
      ['folder.not-found', '/destination_folder_id', 'names no folder'],
      ['directory.in-trash', '/destination_folder_id', 'lies in the trash'],
      ['directory.in-trash', '/id', 'lies in the trash'],
      ['directory.in-trash', '/destination_folder_path', 'lies in the trash'],
    ]);
  });

  it('of a restore: the path, or the item whose previous folder is in the trash', async () => {
    const folder = await makeFolder(org.admin, disk, 'left');
    const { id } = await makeFile(org.admin, disk, 'left.txt', { parent_folder_uuid: folder.id });
    await trash(id);
    await trash(folder.id);
    const into = `${disk.id}::.trash/`;
    expect([
      await errorOf('RESTORE_TRASH', { id }),
      await errorOf('RESTORE_TRASH', { id, restore_to_folder_path: into }),
      await errorOf('DELETE_FILE', { id }),
    ]).toEqual([
      ['directory.in-trash', '/id', expect.stringContaining('restore that first')],
      ['directory.in-trash', '/restore_to_folder_path', 'lies in the trash'],
      ['directory.in-trash', '/id', 'lies in the trash already'],
    ]);
  });

  it('of a new file: its folder', async () => {
    const place = { parent_folder_uuid: 'FolderID_none', disk_id: disk.id };
    expect(await errorOf('CREATE_FILE', { name: 'a', file_size: 1, ...place })).toEqual([
      'folder.not-found',
      '/parent_folder_uuid',
      'names no folder',
    ]);
  });

  it('of a contact: the id that is taken, or the placeholder that cannot be one', async () => {
    const { data: waiting } = await post('/contacts/create', { is_placeholder: true, name: 'W' });
    const id = 'UserID_refused_fields';
    await post('/contacts/create', { id, name: 'taken' });
    const redeem = (new_user_id: string): Promise<Answer> =>
      post('/contacts/redeem', {
        ...{ current_user_id: waiting.id, new_user_id, redeem_code: waiting.redeem_code },
      });
    const granted = 'UserID_granted';
    await post('/permissions/system/create', {
      ...{ resource_id: 'TABLE_DISKS', granted_to: granted, permission_types: ['VIEW'] },
    });
    const refused = [
      await redeem(id),
      await redeem(granted),
      await post('/contacts/create', { id, name: 'again' }),
      await post('/contacts/create', { id: granted, is_placeholder: true }),
    ];
    expect(refused.map(({ status, err }) => [status, err.type, err.details[0].pointer])).toEqual([
      [409, 'contact.exists', '/new_user_id'],
      [409, 'user.in-use', '/new_user_id'],
      [409, 'contact.exists', '/id'],
      [409, 'user.in-use', '/is_placeholder'],
    ]);
  });

  it('of a redeemed permission: why its code does not count', async () => {
    const reasonOf = async (times: object): Promise<string> => {
      const made = await post('/permissions/system/create', {
        ...{ resource_id: 'TABLE_DISKS', permission_types: ['VIEW'], ...times },
      });
      const { id: permission_id, redeem_code } = made.data;
      const { err } = await post('/permissions/system/redeem', {
        ...{ permission_id, user_id: 'UserID_late', redeem_code: redeem_code ?? 'none' },
      });
      expect(err.type).toBe('redeem.not-redeemable');
      expect(err.details[0].pointer).toBe('/permission_id');
      return err.details[0].reason;
    };
    expect([
      await reasonOf({ expiry_date_ms: 1 }),
      await reasonOf({ begin_date_ms: Date.now() + DAY_MS }),
      await reasonOf({ granted_to: 'UserID_named' }),
    ]).toEqual(['has expired', 'is not valid yet', 'is of no placeholder']);
  });

  it('of a transaction: the body that asks for a read', async () => {
    const { data } = await post('/organization/shortlink', { original_url: 'https://a.example/' });
    const commands = [{ path: 'organization/shortlink', body: { slug: data.slug } }];
    const { status, err } = await post('/transaction', { commands });
    expect([status, err.details[0]]).toEqual([
      400,
      {
        pointer: '/commands/0/body',
        reason: 'asks for a read, which transactions do not accept',
      },
    ]);
  });
});
