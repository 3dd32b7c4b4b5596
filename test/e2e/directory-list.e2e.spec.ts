import { Sweeps } from '../../libs/application/sweeps.js';
import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

describe('directory/list and search over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let disk: TestDisk;
  let now = Date.now();

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => now });
    org = await service.organization('Bob');
    bob = org.members[0]!;
  });
  beforeEach(async () => {
    disk = await makeDisk(org, { name: 'Listed' });
  });
  afterAll(() => service.stop());

  const list = (body: object, client = org.admin) => client.post('/directory/list', body);
  const names = (items: { name: string }[]) => items.map(({ name }) => name);
  const grant = (resource_id: string, granted_to: string, more: object = {}) =>
    org.admin.post('/permissions/directory/create', {
      resource_id,
      granted_to,
      permission_types: ['VIEW'],
      ...more,
    });

  it('answers its fields at the top and under ok.data', async () => {
    await makeFolder(org.admin, disk, 'b');
    await makeFile(org.admin, disk, 'a');
    const { status, body } = await list({ folder_id: disk.root_folder });
    const { ok, ...top } = body;
    expect([status, ok.data]).toEqual([200, top]);
    expect(top).toEqual({
      folders: [expect.objectContaining({ name: 'b' })],
      files: [expect.objectContaining({ name: 'a' })],
      total_folders: 1,
      total_files: 1,
      ...{ cursor: null, cursor_down: null, cursor_up: null },
      breadcrumbs: [
        {
          resource_id: disk.root_folder,
          resource_name: 'Listed',
          visibility_preview: ['PRIVATE_MODIFY'],
        },
      ],
      permission_previews: ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'],
    });
  });

  it('pages through folders, then files, by name, both ways, with totals', async () => {
    for (const name of ['c', 'B', 'a']) await makeFolder(org.admin, disk, name);
    for (const name of ['z', 'Y', 'x']) await makeFile(org.admin, disk, name);
    const walk = async (direction: string): Promise<string[]> => {
      const met: string[] = [];
      let cursor: string | null = null;
      do {
        const { body }: { body: any } = await list({
          folder_id: disk.root_folder,
          page_size: 2,
          direction,
          ...(cursor && { cursor }),
        });
        expect([body.total_folders, body.total_files]).toEqual([3, 3]);
        expect(body.folders.length + body.files.length).toBeLessThanOrEqual(2);
        met.push(...names(body.folders), ...names(body.files));
        cursor = body.cursor;
      } while (cursor);
      return met;
    };
    expect(await walk('ASC')).toEqual(['a', 'B', 'c', 'x', 'Y', 'z']);
    expect(await walk('DESC')).toEqual(['c', 'B', 'a', 'z', 'Y', 'x']);
  });

  it('neither repeats nor skips while items are created and deleted, and refuses cursors of other lists', async () => {
    for (const name of ['a', 'c', 'e']) await makeFile(org.admin, disk, name);
    const first = (await list({ folder_id: disk.root_folder, page_size: 2 })).body;
    await makeFile(org.admin, disk, 'b');
    await makeFile(org.admin, disk, 'd');
    const { cursor } = first;
    const next = (await list({ folder_id: disk.root_folder, cursor })).body;
    expect(names(next.files)).toEqual(['d', 'e']);
    const other = await list({ folder_id: disk.trash_folder, cursor });
    expect([other.status, other.err.details[0].pointer]).toEqual([400, '/cursor']);
  });

  it.each(['ASC', 'DESC'])('is paged %s in both ways', async (direction) => {
    await makeFolder(org.admin, disk, 'x');
    for (const name of ['a', 'b', 'c', 'd']) await makeFile(org.admin, disk, name);
    const ask = async (cursors: object) => {
      const place = { folder_id: disk.root_folder, page_size: 2, direction };
      const { body } = await list({ ...place, ...cursors });
      const { cursor, cursor_down, cursor_up } = body;
      expect(cursor).toBe(cursor_down);
      return { shown: names([...body.folders, ...body.files]), cursor_down, cursor_up };
    };
    const first = await ask({});
    const second = await ask({ cursor_down: first.cursor_down });
    const third = await ask({ cursor_down: second.cursor_down });
    expect([first.cursor_up, third.cursor_down]).toEqual([null, null]);
    expect(await ask({ cursor_up: third.cursor_up })).toEqual(second);
    expect(await ask({ cursor_up: second.cursor_up })).toEqual(first);
  });

  it('an empty page beyond an end of the list leads back to it', async () => {
    for (const name of ['a', 'b', 'c']) await makeFile(org.admin, disk, name);
    const place = { folder_id: disk.root_folder, page_size: 1 };
    const second = (await list({ ...place, cursor: (await list(place)).body.cursor })).body;
    const [b] = second.files;
    await act(org.admin, 'DELETE_FILE', { id: (await list(place)).body.files[0].id });
    const above = (await list({ ...place, cursor_up: second.cursor_up })).body;
    expect([names(above.files), above.cursor_up]).toEqual([[], null]);
    expect((await list({ ...place, cursor: above.cursor })).body.files).toEqual([b]);

    const { cursor } = (await list({ ...place, cursor: above.cursor })).body;
    const { id } = (await list({ ...place, cursor })).body.files[0];
    await act(org.admin, 'DELETE_FILE', { id });
    const below = (await list({ ...place, cursor })).body;
    expect([names(below.files), below.cursor]).toEqual([[], null]);
    expect((await list({ ...place, cursor_up: below.cursor_up })).body.files).toEqual([b]);
  });

  it('cursors fit 256 characters whatever the names', async () => {
    for (const name of ['"'.repeat(256), `${'"'.repeat(255)}x`, 'ü'.repeat(256)])
      await makeFile(org.admin, disk, name);
    for (const page_size of [1, 2]) {
      const { cursor } = (await list({ folder_id: disk.root_folder, page_size })).body;
      expect(cursor.length).toBeLessThanOrEqual(256);
      expect((await list({ folder_id: disk.root_folder, cursor })).body.files).toHaveLength(
        3 - page_size,
      );
    }
  });

  it.each(['ΛΟΓΑΡΙΑΣΜΟΣ', 'λογαριασμος', 'λογαριασμοσ', 'ΛΟΓΑΡΙΑΣ'])(
    'finds a name with a final sigma by %s',
    async (text) => {
      await makeFile(org.admin, disk, 'ΛΟΓΑΡΙΑΣΜΟΣ.pdf');
      const { body } = await list({ folder_id: disk.root_folder, filters: text });
      expect(names(body.files)).toEqual(['ΛΟΓΑΡΙΑΣΜΟΣ.pdf']);
      for (const query of [text, `/${text}`]) {
        const { data } = await org.admin.post('/organization/search', { query });
        expect(data.items.map(({ title }: any) => title)).toContain('ΛΟΓΑΡΙΑΣΜΟΣ.pdf');
      }
    },
  );

  it('finds a folder by path, with or without the last slash, and filters by name', async () => {
    const top = await makeFolder(org.admin, disk, 'Top');
    await makeFile(org.admin, disk, 'Report 1', { parent_folder_uuid: top.id });
    await makeFile(org.admin, disk, 'other', { parent_folder_uuid: top.id });
    for (const path of [`${disk.id}::/Top/`, `${disk.id}::/Top`]) {
      const { body } = await list({ path, filters: 'rEpORT ' });
      expect([names(body.files), body.total_files]).toEqual([['Report 1'], 1]);
    }
    const long = `${'a'.repeat(100)} Report 2`;
    const { id } = await makeFile(org.admin, disk, long, { parent_folder_uuid: top.id });
    await grant(id, bob.user_id);
    const filters = 'report 2';
    for (const place of [{ folder_id: top.id }, { disk_id: disk.id }])
      expect(names((await list({ ...place, filters }, bob)).body.files)).toEqual([long]);
    expect((await list({ disk_id: disk.id, filters: 'report 3' }, bob)).body.files).toEqual([]);
    for (const path of [`${disk.id}::/`, `${disk.id}::`])
      expect((await list({ path })).body.total_folders).toBe(1);
    expect((await list({ path: `${disk.id}::.trash` })).body.breadcrumbs[0].resource_id).toBe(
      disk.trash_folder,
    );
    expect((await list({ path: `${disk.id}::/Nowhere/` })).status).toBe(404);
    expect((await list({ path: 'nonsense' })).status).toBe(400);
    expect((await list({})).status).toBe(400);
    expect((await list({ folder_id: 'FolderID_nobody' })).status).toBe(404);
    expect((await list({ disk_id: 'DiskID_nobody' })).status).toBe(404);
  });

  it('leaves out what callers may not view, and refuses 403 without VIEW on the folder', async () => {
    await makeFolder(org.admin, disk, 'Open');
    const closed = await makeFolder(org.admin, disk, 'Closed', { has_sovereign_permissions: true });
    const { body } = await list({ folder_id: disk.root_folder }, bob);
    expect([names(body.folders), body.total_folders]).toEqual([['Open'], 1]);
    expect((await list({ folder_id: closed.id }, bob)).status).toBe(403);
    expect((await list({ folder_id: disk.root_folder }, new Signer().in(org))).status).toBe(403);
  });

  it('lists what was shared on a disk, by name, without its top folders', async () => {
    const closed = await makeFolder(org.admin, disk, 'Closed', { has_sovereign_permissions: true });
    const inside = await makeFile(org.admin, disk, 'inside', { parent_folder_uuid: closed.id });
    await grant(inside.id, bob.user_id);
    const visitor = new Signer();
    await grant(closed.id, 'PUBLIC', { inheritable: true });
    const { body } = await list({ disk_id: disk.id }, bob);
    expect([names(body.folders), names(body.files)]).toEqual([['Closed'], ['inside']]);
    expect(body.permission_previews).toEqual([]);
    expect(body.breadcrumbs).toEqual([
      expect.objectContaining({ resource_id: disk.root_folder, resource_name: 'Listed' }),
      { resource_id: 'shared-with-me', resource_name: 'Shared with me', visibility_preview: [] },
    ]);
    const seen = (await list({ disk_id: disk.id }, visitor.in(org))).body;
    expect([names(seen.folders), seen.total_files]).toEqual([['Closed'], 0]);
    const bare = { resource_id: disk.root_folder, resource_name: '', visibility_preview: [] };
    expect(seen.breadcrumbs[0]).toEqual(bare);
  });

  it('discloses no name in a folder to callers who may not view it', async () => {
    await makeFolder(org.admin, disk, 'There');
    const stranger = new Signer().in(org);
    for (const path of [`${disk.id}::/There/`, `${disk.id}::/Missing/`])
      expect((await list({ path }, stranger)).status).toBe(403);
    expect((await list({ path: `${disk.id}::/Missing/` }, bob)).status).toBe(404);
  });

  it('begins breadcrumbs where the caller may view, and names the users with access to a folder', async () => {
    const top = await makeFolder(org.admin, disk, 'Top', { has_sovereign_permissions: true });
    const below = await makeFolder(org.admin, disk, 'Below', { parent_folder_uuid: top.id });
    await grant(below.id, 'PUBLIC');
    await grant(below.id, bob.user_id, { permission_types: ['VIEW', 'EDIT'] });
    const crumbs = async (client: Client) =>
      (await list({ folder_id: below.id }, client)).body.breadcrumbs;
    expect(names((await crumbs(org.admin)).map((c: any) => ({ name: c.resource_name })))).toEqual([
      'Top',
      'Below',
    ]);
    expect(await crumbs(bob)).toEqual([
      {
        resource_id: below.id,
        resource_name: 'Below',
        visibility_preview: ['PUBLIC_VIEW', 'PRIVATE_MODIFY'],
      },
    ]);
  });

  it('answers as of a past point', async () => {
    const { id } = await makeFile(org.admin, disk, 'before');
    const revision = (await org.admin.get('/organization/whoami')).headers.get('drive-revision');
    await act(org.admin, 'UPDATE_FILE', { id, name: 'after' });
    const then = await org.admin.post(`/directory/list?as_of=r${revision}`, {
      folder_id: disk.root_folder,
    });
    expect(names(then.body.files)).toEqual(['before']);
  });

  it('treats what has expired as absent, sweeps it into the trash', async () => {
    const folder = await makeFolder(org.admin, disk, 'Soon', { expires_at: now + 1000 });
    const label = (await org.admin.post('/labels/create', { value: 'fleeting' })).data;
    const file = await makeFile(org.admin, disk, 'deep', {
      parent_folder_uuid: folder.id,
      labels: [label.value],
    });
    const carriers = async () => (await org.admin.get(`/labels/get/${label.id}`)).data.resources;
    expect((await list({ folder_id: disk.root_folder })).body.total_folders).toBe(1);
    expect(await carriers()).toEqual([file.id]);
    now += 1000;
    expect(await carriers()).toEqual([]);
    expect((await list({ folder_id: disk.root_folder })).body.total_folders).toBe(0);
    expect((await act(org.admin, 'GET_FILE', { id: file.id })).error.code).toBe(404);
    const drive = await service.server.drives.open(org.drive_id);
    expect(drive.state.files.has(file.id)).toBe(true);
    await service.server.app.get(Sweeps).expired_items.sweep();
    const { result } = await act(org.admin, 'GET_FOLDER', { id: folder.id });
    expect(result.folder).toMatchObject({
      ...{ deleted: true, expires_at: -1, full_directory_path: `${disk.id}::.trash/Soon/` },
      restore_trash_prior_folder_uuid: disk.root_folder,
    });
    const { revision } = drive.head;
    await service.server.app.get(Sweeps).expired_items.sweep();
    expect(drive.head.revision).toBe(revision);
  });

  describe('search', () => {
    const search = async (query: string, client: Client, more: object = {}): Promise<string[]> => {
      const body = { query, categories: ['FILES', 'FOLDERS'], sort_by: 'ALPHABETICAL', ...more };
      const { data } = await client.post('/organization/search', body);
      expect(data.total).toBe(data.items.length);
      return data.items.map(({ title }: { title: string }) => title);
    };

    it('finds by name, id and the names of folders above', async () => {
      const top = await makeFolder(org.admin, disk, 'Quarterly');
      const inner = await makeFolder(org.admin, disk, 'Inner', { parent_folder_uuid: top.id });
      const leaf = await makeFile(org.admin, disk, 'leaf.txt', { parent_folder_uuid: inner.id });
      expect(await search('quarterLY', org.admin)).toEqual(['Inner', 'leaf.txt', 'Quarterly']);
      expect(await search('ly/inner/le', org.admin)).toEqual(['leaf.txt']);
      expect(await search(leaf.id, org.admin)).toEqual(['leaf.txt']);
      const { data } = await org.admin.post('/organization/search', { query: 'leaf.txt' });
      expect(data.items[0]).toMatchObject({
        category: 'FILES',
        resource_id: leaf.id,
        preview: `${disk.id}::../leaf.txt`,
        score: 1,
        metadata: `/LOCAL_SSD/${disk.id}/${leaf.id}`,
      });
      const folders = { query: inner.id, categories: ['FOLDERS'], sort_by: 'SCORE' };
      const hits = (await org.admin.post('/organization/search', folders)).data.items;
      expect(hits[0].metadata).toBe(`/LOCAL_SSD/${disk.id}/${inner.id}`);
    });

    it('searches full paths only for callers who are shown them', async () => {
      const closed = await makeFolder(org.admin, disk, '~Zebra', {
        has_sovereign_permissions: true,
      });
      const shared = await makeFile(org.admin, disk, 'shared ~', { parent_folder_uuid: closed.id });
      const visitor = new Signer();
      await grant(shared.id, visitor.user_id);
      const stranger = visitor.in(org);
      expect(await search('~zebra', org.admin)).toEqual(['shared ~', '~Zebra']);
      expect(await search('~zebra', bob)).toEqual([]);
      expect(await search('~zebra', stranger)).toEqual([]);
      expect(await search('shared ~', stranger)).toEqual(['shared ~']);
      expect(await search('::../shared ~', stranger)).toEqual(['shared ~']);
      expect(await search('~zebra/shared ~', stranger)).toEqual([]);
    });

    it('finds by notes, external ids, payloads and labels as METADATA', async () => {
      await org.admin.post('/labels/create', { value: 'marsupial' });
      await makeFile(org.admin, disk, 'one', { notes: 'a Marsupial' });
      await makeFile(org.admin, disk, 'two', { labels: ['MARSUPIAL', 'nobody'] });
      await makeFolder(org.admin, disk, 'three', { external_id: 'marsupial-3' });
      await makeFile(org.admin, disk, 'marsupial.txt');
      const only = { categories: ['METADATA'] };
      expect(await search('marsupial', org.admin, only)).toEqual(['one', 'three', 'two']);
      expect(await search('marsupial', org.admin)).toEqual(['marsupial.txt']);
      const all = await search('marsupial', org.admin, { categories: [] });
      expect(all).toEqual(['marsupial.txt', 'one', 'three', 'two']);
    });

    it('leaves out top folders, what is trashed and what has expired', async () => {
      const folder = await makeFolder(org.admin, disk, 'Ocelot folder');
      await makeFile(org.admin, disk, 'ocelot in trash', { parent_folder_uuid: folder.id });
      await makeFile(org.admin, disk, 'ocelot expired', { expires_at: 1 });
      await makeFile(org.admin, disk, 'ocelot alive');
      await act(org.admin, 'DELETE_FOLDER', { id: folder.id });
      expect(await search('ocelot ', org.admin)).toEqual(['ocelot alive']);
      expect(await search('ocelot ', bob)).toEqual(['ocelot alive']);
      expect(await search(disk.id, org.admin)).toEqual(['ocelot alive']);
    });
  });
});
