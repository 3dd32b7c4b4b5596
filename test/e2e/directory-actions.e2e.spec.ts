import type { Client, Organization } from '../support/client.js';
import {
  act,
  makeClosedDisk,
  makeDisk,
  makeFile,
  makeFolder,
  type TestDisk,
} from '../support/directory.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

const EVERYTHING = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];

describe('directory/action over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let disk: TestDisk;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  const actions = (list: readonly object[], client = org.admin, query = '', headers = {}) =>
    client.post(`/directory/action${query}`, { actions: list }, headers);
  const folder = (name: string, more: object = {}) => ({
    action: 'CREATE_FOLDER',
    payload: { name, parent_folder_uuid: disk.root_folder, disk_id: disk.id, ...more },
  });

  it('creates a file and answers the whole record', async () => {
    const { result } = await act(org.admin, 'CREATE_FILE', {
      name: 'whole.txt',
      parent_folder_uuid: disk.root_folder,
      disk_id: disk.id,
      file_size: 7,
    });
    expect(result).toEqual({
      file: expect.anything(),
      upload: {
        url: expect.stringMatching(/\/directory\/content$/),
        fields: { policy: expect.any(String), signature: expect.any(String) },
        method: 'POST',
        expires_at: expect.any(Number),
      },
      notes: 'Created.',
    });
    expect(result.file).toEqual({
      id: expect.stringMatching(/^FileID_/),
      name: 'whole.txt',
      parent_folder_uuid: disk.root_folder,
      version_id: expect.stringMatching(/^FileVersionID_/),
      file_version: 1,
      prior_version: null,
      next_version: null,
      ...{ media_type: null, sha256: null, content_available: false },
      extension: 'txt',
      full_directory_path: `${disk.id}::/whole.txt`,
      clipped_directory_path: `${disk.id}::whole.txt`,
      labels: [],
      created_by: org.admin.user_id,
      last_updated_by: org.admin.user_id,
      created_at: expect.any(Number),
      last_updated_date_ms: result.file.created_at,
      disk_id: disk.id,
      disk_type: 'LOCAL_SSD',
      file_size: 7,
      raw_url: `${service.url}/v1/drive/${org.drive_id}/directory/asset/${result.file.id}.txt`,
      upload_status: 'QUEUED',
      deleted: false,
      drive_id: org.drive_id,
      expires_at: -1,
      restore_trash_prior_folder_uuid: null,
      has_sovereign_permissions: false,
      shortcut_to: null,
      notes: null,
      external_id: null,
      external_payload: null,
      permission_previews: EVERYTHING,
    });
  });

  it('shows nobody without VIEW the name of a file that they overwrite by its id', async () => {
    const closed = await makeClosedDisk(org);
    const { id } = await makeFile(org.admin, closed, 'hidden-name.xyz');
    const grant = { resource_id: id, granted_to: bob.user_id, permission_types: ['EDIT'] };
    expect((await org.admin.post('/permissions/directory/create', grant)).status).toBe(200);
    const { result } = await act(bob, 'CREATE_FILE', {
      ...{ id, name: 'other', extension: 'txt', file_size: 1 },
      ...{ parent_folder_uuid: closed.root_folder, disk_id: closed.id },
    });
    expect(result.file).toMatchObject({ id, file_version: 2, name: '', extension: '' });
    expect(JSON.stringify(result)).not.toMatch(/hidden-name|xyz/);
  });

  it('creates a folder and answers the whole record', async () => {
    const { result } = await act(org.admin, 'CREATE_FOLDER', folder('Whole').payload);
    expect(result).toEqual({ folder: expect.anything(), notes: 'Created.' });
    expect(result.folder).toEqual({
      id: expect.stringMatching(/^FolderID_/),
      name: 'Whole',
      parent_folder_uuid: disk.root_folder,
      subfolder_uuids: [],
      file_uuids: [],
      subfolder_count: 0,
      file_count: 0,
      full_directory_path: `${disk.id}::/Whole/`,
      clipped_directory_path: `${disk.id}::Whole/`,
      labels: [],
      created_by: org.admin.user_id,
      last_updated_by: org.admin.user_id,
      created_at: expect.any(Number),
      last_updated_date_ms: expect.any(Number),
      disk_id: disk.id,
      disk_type: 'LOCAL_SSD',
      deleted: false,
      drive_id: org.drive_id,
      expires_at: -1,
      restore_trash_prior_folder_uuid: null,
      has_sovereign_permissions: false,
      shortcut_to: null,
      notes: null,
      external_id: null,
      external_payload: null,
      permission_previews: EVERYTHING,
    });
  });

  describe('the list of outcomes', () => {
    it('is a bare list in order that echoes the actions, and continues after a failure', async () => {
      const { status, body } = await actions([
        folder('First'),
        { action: 'GET_FILE', payload: { id: 'FileID_nobody' } },
        folder('Third'),
      ]);
      expect([status, body.length]).toEqual([200, 3]);
      expect(body.map(({ success }: any) => success)).toEqual([true, false, true]);
      for (const { id } of body) expect(id).toMatch(/^DirectoryActionOutcomeID_/);
      expect(body[0].request).toEqual(folder('First'));
      expect(body[0].response.result.folder.name).toBe('First');
      expect(body[1].response).toEqual({
        error: {
          code: 404,
          message: 'There is no such file.',
          type: 'file.not-found',
          details: [],
        },
      });
    });

    it('is the data of an envelope on request', async () => {
      const { data, body } = await actions([folder('Enveloped')], org.admin, '?envelope=ok');
      expect(Object.keys(body)).toEqual(['ok']);
      expect(data[0].success).toBe(true);
    });

    it('lets later actions see what earlier ones did, in one append', async () => {
      const id = 'FolderID_of-the-client';
      const before = (await org.admin.get('/organization/whoami')).headers.get('drive-revision');
      const { body, headers } = await actions([
        folder('Parent', { id }),
        {
          action: 'CREATE_FOLDER',
          payload: { ...folder('Child').payload, parent_folder_uuid: id },
        },
        { action: 'GET_FOLDER', payload: { id } },
      ]);
      const { result } = body[2].response;
      expect(result.folder.subfolder_uuids).toEqual([body[1].response.result.folder.id]);
      expect(result.breadcrumbs.map((crumb: any) => crumb.resource_name)).toEqual([
        'Disk',
        'Parent',
      ]);
      expect(Number(headers.get('drive-revision'))).toBe(Number(before) + 2);
    });

    it.each([
      ['an unknown action', { action: 'EAT_FILE', payload: {} }, '/action'],
      ['no id', { action: 'GET_FILE', payload: {} }, '/id'],
      ['the wrong kind of id', { action: 'GET_FILE', payload: { id: 'FolderID_1' } }, '/id'],
      [
        'a bad policy',
        { action: 'MOVE_FILE', payload: { id: 'FileID_1', file_conflict_resolution: 'FLIP' } },
        '/file_conflict_resolution',
      ],
      [
        'a negative expiry',
        { action: 'UPDATE_FILE', payload: { id: 'FileID_1', expires_at: -2 } },
        '/expires_at',
      ],
    ])('says 400 in the outcome for %s', async (_, action, pointer) => {
      const { status, body } = await actions([action, folder('After')]);
      expect(status).toBe(200);
      const { code, details } = body[0].response.error;
      expect([code, details[0].pointer]).toEqual([400, pointer]);
      expect(body[1].success).toBe(true);
    });

    it('takes 1 to 100 actions, and 400 else', async () => {
      const reads = (count: number) =>
        Array.from({ length: count }, () => ({
          action: 'GET_FOLDER',
          payload: { id: disk.root_folder },
        }));
      expect((await actions(reads(100))).body).toHaveLength(100);
      for (const list of [[], reads(101)]) expect((await actions(list)).status).toBe(400);
      for (const body of [
        {},
        { actions: 'none' },
        { actions: [7] },
        { actions: [{ payload: {} }] },
      ])
        expect((await org.admin.post('/directory/action', body)).status).toBe(400);
      expect((await org.as().post('/directory/action', { actions: reads(1) })).status).toBe(401);
    });

    it('takes the id from the target of older clients', async () => {
      const { body } = await actions([
        { action: 'GET_FOLDER', target: { resource_id: disk.root_folder } },
        {
          action: 'GET_FOLDER',
          target: { resource_id: disk.root_folder },
          payload: { id: null },
        },
        {
          action: 'CREATE_FOLDER',
          target: { resource_id: disk.root_folder },
          payload: { name: 'Targeted', disk_id: disk.id },
        },
      ]);
      expect(body.map(({ success }: any) => success)).toEqual([true, true, true]);
    });

    it('changes nothing in a dry run', async () => {
      const { body } = await actions([folder('Dry run'), folder('Dry run')], org.admin, '', {
        'Dry-Run': 'true',
      });
      expect(body[1].response.result.folder.name).toBe('Dry run (2)');
      expect(body[0].response.result.folder.id).toMatch(/^FolderID_preview-/);
      const { body: list } = await org.admin.post('/directory/list', {
        folder_id: disk.root_folder,
        filters: 'Dry run',
      });
      expect(list.total_folders).toBe(0);
    });

    it('shows in an envelope what a dry run would have stored; a bare list cannot show it', async () => {
      const dry = { 'Dry-Run': 'true' };
      const batch = [folder('Tried'), folder('Tried')];
      const { body } = await actions(batch, org.admin, '?envelope=ok', dry);
      expect(body.ok.data).toHaveLength(2);
      const { revision, events } = body.ok.dry_run;
      expect(events.map(({ type }: any) => type)).toEqual(['FolderCreated', 'FolderCreated']);
      const bare = await actions(batch, org.admin, '', dry);
      expect(bare.body).toHaveLength(2);
      expect(bare.headers.get('drive-revision')).toBe(String(revision));
      const real = await actions(batch, org.admin, '?envelope=ok');
      expect(real.body.ok.dry_run).toBeUndefined();
    });

    it('answers a repeated batch what it answered first, and does nothing again', async () => {
      const file = await makeFile(org.admin, disk, 'once.txt');
      const batch = [
        folder('Keyed'),
        { action: 'GET_FILE', payload: { id: 'FileID_nobody' } },
        { action: 'DELETE_FILE', payload: { id: file.id } },
        { action: 'COPY_FILE', payload: { id: file.id, destination_folder_id: disk.root_folder } },
        folder('Keyed'),
      ];
      const send = () => actions(batch, org.admin, '', { 'Idempotency-Key': 'a-batch' });
      const responses = (body: { response: unknown }[]) => body.map(({ response }) => response);
      const first = await send();
      expect(first.body.map(({ success }: any) => success)).toEqual([
        true,
        false,
        true,
        false,
        true,
      ]);
      expect(first.body[4].response.result.folder.name).toBe('Keyed (2)');
      const again = await send();
      expect(responses(again.body)).toEqual(responses(first.body));
      expect(again.headers.get('drive-revision')).toBe(first.headers.get('drive-revision'));
    });

    it('answers 413 to a batch under a key that is more than one append, and does nothing', async () => {
      const notes = 'x'.repeat(8192);
      const batch = Array.from({ length: 70 }, (_, nth) => folder(`Big ${nth}`, { notes }));
      const before = (await org.admin.get('/organization/whoami')).headers.get('drive-revision');
      const key = { 'Idempotency-Key': 'a-big-batch' };
      const tried = await actions(batch, org.admin, '', { ...key, 'Dry-Run': 'true' });
      expect([tried.status, tried.err?.type]).toEqual([413, 'request.events-too-large']);
      const { status, err, headers } = await actions(batch, org.admin, '', key);
      expect([status, err.type]).toEqual([413, 'request.events-too-large']);
      expect(headers.get('drive-revision')).toBe(before);
      const unkeyed = await actions(batch);
      expect(unkeyed.body.every(({ success }: any) => success)).toBe(true);
    });

    it('answers reads as of a past point, and only reads', async () => {
      const made = await makeFolder(org.admin, disk, 'Once');
      const revision = (await org.admin.get('/organization/whoami')).headers.get('drive-revision');
      await act(org.admin, 'UPDATE_FOLDER', { id: made.id, name: 'Now' });
      const read = { action: 'GET_FOLDER', payload: { id: made.id } };
      const { body } = await actions([read], org.admin, `?as_of=r${revision}`);
      expect(body[0].response.result.folder.name).toBe('Once');
      for (const other of [
        folder('x'),
        { action: 'CREATE_FOLDER', payload: {} },
        { action: 'NO_SUCH_ACTION', payload: {} },
      ]) {
        const refused = await actions([read, other], org.admin, `?as_of=r${revision}`);
        expect([refused.status, refused.body.err.details[0].pointer]).toEqual([
          400,
          '/actions/1/action',
        ]);
      }
      const unreadable = { action: 'GET_FOLDER', payload: {} };
      const mixed = await actions([read, unreadable], org.admin, `?as_of=r${revision}`);
      expect(mixed.body.map(({ success }: any) => success)).toEqual([true, false]);
    });
  });

  describe('names', () => {
    it.each(['a/b', 'a::b', 'a\u0007b', '.', '..', '.trash', '', 'x'.repeat(257)])(
      'refuses 400 %p',
      async (name) => {
        const { error } = await act(org.admin, 'CREATE_FOLDER', folder(name).payload);
        expect([error.code, error.details[0].pointer]).toEqual([400, '/name']);
      },
    );

    it('takes 256 characters, and stores a single colon as a semicolon', async () => {
      expect((await makeFolder(org.admin, disk, 'y'.repeat(256))).name).toHaveLength(256);
      expect((await makeFolder(org.admin, disk, 'a:b')).name).toBe('a;b');
    });

    it('numbers the longest names without splitting a character', async () => {
      const long = `a.${'😀'.repeat(127)}`;
      await makeFile(org.admin, disk, long);
      const { name } = await makeFile(org.admin, disk, long);
      expect(name).toBe(`a (2).${'😀'.repeat(125)}`);
    });
  });

  describe('limits', () => {
    it.each([
      ['notes', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes %s of exactly %i characters and no more', async (field, limit) => {
      const made = await makeFolder(org.admin, disk, 'Limits', { [field]: 'x'.repeat(limit) });
      expect(made[field]).toHaveLength(limit);
      const beyond = folder('Limits', { [field]: 'x'.repeat(limit + 1) });
      const { error } = await act(org.admin, 'CREATE_FOLDER', beyond.payload);
      expect([error.code, error.details[0].pointer]).toEqual([400, `/${field}`]);
    });

    it.each([
      'ftp://x.example/',
      'https://user:secret@x.example/',
      'nowhere',
      `https://x.example/${'x'.repeat(4096)}`,
    ])('refuses 400 the raw_url %.40s', async (raw_url) => {
      const payload = { ...folder('x').payload, file_size: 1, raw_url };
      const { error } = await act(org.admin, 'CREATE_FILE', payload);
      expect([error.code, error.details[0].pointer]).toEqual([400, '/raw_url']);
    });
  });

  it('says 403, 404, 409 and 400 truthfully', async () => {
    const made = await makeFolder(org.admin, disk, 'Truth');
    await makeFolder(org.admin, disk, 'Other');
    const stranger = new Signer().in(org);
    const codes = async (action: string, payload: object, client = org.admin) =>
      (await act(client, action, payload)).error?.code;
    expect(await codes('GET_FOLDER', { id: made.id }, stranger)).toBe(403);
    expect(await codes('DELETE_FOLDER', { id: made.id }, bob)).toBe(403);
    expect(await codes('UPDATE_FOLDER', { id: 'FolderID_nobody', name: 'x' })).toBe(404);
    expect(await codes('UPDATE_FOLDER', { id: made.id, name: 'Other' })).toBe(409);
    expect(await codes('UPDATE_FOLDER', { id: made.id })).toBe(400);
    expect(await codes('DELETE_FOLDER', { id: disk.root_folder })).toBe(400);
    expect(await codes('MOVE_FOLDER', { id: made.id, destination_folder_id: made.id })).toBe(400);
    expect(await codes('MOVE_FOLDER', { id: made.id })).toBe(400);
    expect(await codes('RESTORE_TRASH', { id: made.id })).toBe(404);
    expect(await codes('CREATE_FOLDER', folder('x', { id: made.id }).payload)).toBe(400);
  });

  it('trashes, restores, copies, moves and deletes a tree', async () => {
    const top = await makeFolder(org.admin, disk, 'Tree');
    const file = await makeFile(org.admin, disk, 'leaf.txt', { parent_folder_uuid: top.id });
    const trashed = await act(org.admin, 'DELETE_FOLDER', { id: top.id });
    expect(trashed.result).toEqual({
      folder_id: top.id,
      path_to_trash: `${disk.id}::.trash/Tree/`,
      deleted_files: [file.id],
      deleted_folders: [],
    });
    const { result: gone } = await act(org.admin, 'GET_FILE', { id: file.id });
    expect(gone.file).toMatchObject({
      deleted: true,
      full_directory_path: `${disk.id}::.trash/Tree/leaf.txt`,
    });
    const { result: back } = await act(org.admin, 'RESTORE_TRASH', { id: top.id });
    expect(back).toEqual({ restored_files: [file.id], restored_folders: [top.id] });
    const into = { id: top.id, destination_folder_id: top.id };
    const bomb = await act(org.admin, 'COPY_FOLDER', into);
    expect(bomb.error).toMatchObject({ code: 400, type: 'directory.into-itself' });
    const to = { id: top.id, destination_folder_id: disk.root_folder };
    const copy = await act(org.admin, 'COPY_FOLDER', to);
    expect(copy.result).toMatchObject({ name: 'Tree (2)', parent_folder_uuid: disk.root_folder });
    const below = { id: copy.result.id, destination_folder_id: top.id };
    expect((await act(org.admin, 'MOVE_FOLDER', below)).result.name).toBe('Tree (2)');
    expect(copy.result.file_uuids).toHaveLength(1);
    const moved = await act(org.admin, 'MOVE_FILE', {
      id: file.id,
      destination_folder_path: `${disk.id}::/Tree/Tree (2)`,
    });
    expect(moved.result).toMatchObject({ id: file.id, name: 'leaf (2).txt' });
    const deleted = await act(org.admin, 'DELETE_FOLDER', { id: top.id, permanent: true });
    expect(deleted.result).toMatchObject({ path_to_trash: '', deleted_folders: [copy.result.id] });
    expect((await act(org.admin, 'GET_FILE', { id: file.id })).error.code).toBe(404);
  });
});

describe('bounds of files and folders over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;

  beforeAll(async () => {
    service = await TestService.start({
      DIRECTORY_ITEMS_PER_ACTION: '3',
      ORGANIZATION_RECORDS_MAX: '1000',
      TRANSACTION_ANSWER_BYTES: '150000',
    });
    org = await service.organization();
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  it('answers 413 with both numbers to more items than one action takes', async () => {
    const top = await makeFolder(org.admin, disk, 'Top');
    for (const name of ['a', 'b', 'c'])
      await makeFile(org.admin, disk, name, { parent_folder_uuid: top.id });
    const to = { id: top.id, destination_folder_id: disk.root_folder };
    const { error } = await act(org.admin, 'COPY_FOLDER', to);
    expect(error).toMatchObject({ code: 413, type: 'directory.too-many-items' });
    expect(error.message).toMatch(/at least 4 files and folders.* at most 3/);
    const { status, err } = await org.admin.post('/disks/delete', { id: disk.id });
    expect([status, err.type]).toEqual([413, 'directory.too-many-items']);
  });

  it('answers 413 to actions whose results do not fit into the response, and does not run them', async () => {
    const { id } = await makeFolder(org.admin, disk, 'Noted', { notes: 'n'.repeat(8_000) });
    const read = { action: 'GET_FOLDER', payload: { id } };
    const rename = { action: 'UPDATE_FOLDER', payload: { id, name: 'Renamed' } };
    const many = Array.from({ length: 20 }, () => read);
    const { status, body } = await org.admin.post('/directory/action', {
      actions: [...many, rename],
    });
    expect(status).toBe(200);
    const errors = body.map(({ response }: any) => response.error?.type ?? null);
    const at = errors.indexOf('transaction.answer-too-large');
    expect(at).toBeGreaterThan(10);
    expect(errors.slice(at)).toEqual(errors.slice(at).map(() => errors[at]));
    expect(body[at].response.error).toMatchObject({
      code: 413,
      message: expect.stringContaining('150000 bytes'),
    });
    expect((await act(org.admin, 'GET_FOLDER', { id })).result.folder.name).toBe('Noted');
  });

  it('answers 413 with the number to a command that leaves more records than there may be', async () => {
    const room = 1000 - (await service.server.drives.open(org.drive_id)).state.record_count;
    const made = (name: string) => ({
      action: 'CREATE_FOLDER',
      payload: { name, parent_folder_uuid: disk.root_folder, disk_id: disk.id },
    });
    for (let left = room; left > 0; left -= 100) {
      const actions = Array.from({ length: Math.min(100, left) }, () => made('many'));
      const { body } = await org.admin.post('/directory/action', { actions });
      expect(body.every(({ success }: any) => success)).toBe(true);
    }
    const { status, err } = await org.admin.post('/groups/create', { name: 'One more' });
    expect([status, err.type]).toEqual([413, 'organization.too-many-records']);
    expect(err.message).toContain('at most 1000');
    const { error } = await act(org.admin, 'CREATE_FOLDER', made('too').payload);
    expect(error.type).toBe('organization.too-many-records');
    const link = { original_url: 'https://example.com/full' };
    expect((await org.admin.post('/organization/shortlink', link)).status).toBe(413);
    const note = { id: disk.id, name: 'Still renamed' };
    expect((await org.admin.post('/disks/update', note)).status).toBe(200);
  });
});
