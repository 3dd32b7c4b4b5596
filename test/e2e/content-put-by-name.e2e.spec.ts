import { randomBytes } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import { digestOf, download, putIn, raw, type RawAnswer, sha256Of } from '../support/content.js';
import { act, BUCKET, makeClosedDisk, makeDisk, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const TEXT = Buffer.from('the first content');

describe('a PUT by name', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;
  let bob: Client;
  let disk: TestDisk;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    admin = org.admin;
    bob = org.members[0]!;
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  const putFile = (name: string, body = TEXT, headers: Record<string, string> = {}) =>
    putIn(admin, disk.root_folder, name, body, headers);
  const refusalOf = ({ status, body }: RawAnswer) => [status, body.err?.type];
  const files = async (folder_id = disk.root_folder): Promise<any[]> =>
    (await admin.post('/directory/list', { folder_id })).data.files;
  const names = async (folder_id?: string): Promise<string[]> =>
    (await files(folder_id)).map(({ name }) => name);
  const grant = async (resource_id: string, permission_types: string[]) =>
    admin.post('/permissions/directory/create', {
      ...{ resource_id, granted_to: bob.user_id, permission_types, inheritable: true },
    });
  const head = async (): Promise<number> =>
    Number((await raw(admin, '/organization/whoami')).headers.get('drive-revision'));

  it('creates the file with its content, in one append', async () => {
    const before = await head();
    const answer = await putFile('a%20report.txt', TEXT, { 'repr-digest': digestOf(TEXT) });
    expect(answer.status).toBe(200);
    const { file } = answer.body.ok.data;
    expect(file).toMatchObject({
      ...{ name: 'a report.txt', file_version: 1, upload_status: 'COMPLETED' },
      ...{ file_size: TEXT.length, sha256: sha256Of(TEXT), content_available: true },
      media_type: 'text/plain; charset=utf-8',
    });
    expect((await download(admin, file.id)).bytes).toEqual(TEXT);
    const { data } = await admin.post('/organization/history', { from_revision: before + 1 });
    const told = data.items.map((event: any) => [event.type, event.command]);
    expect(told.toReversed()).toEqual([
      ['FileCreated', 'PutFile'],
      ['FileContentStored', 'PutFile'],
    ]);
    const [stored, created] = data.items;
    expect(stored.metadata?.correlation_id).toBe(created.metadata?.correlation_id);
    const then = await download(admin, file.id, `?as_of=r${before}`);
    expect(then.status).toBe(404);
  });

  it('stores a new version of the file that has the name', async () => {
    const first = (await putFile('b.bin')).body.ok.data.file;
    const bytes = randomBytes(70_000);
    const second = (await putFile('b.bin', bytes)).body.ok.data.file;
    expect(second).toMatchObject({
      ...{ id: first.id, file_version: 2, prior_version: first.version_id },
      sha256: sha256Of(bytes),
    });
    expect((await download(admin, first.id)).bytes.equals(bytes)).toBe(true);
    const former = await download(admin, first.id, `?version_id=${first.version_id}`);
    expect(former.bytes).toEqual(TEXT);
  });

  it('fills the file of that name which has no content yet', async () => {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const payload = { name: 'queued.bin', ...place, file_size: 3 };
    const { result } = await act(admin, 'CREATE_FILE', payload);
    const { file } = (await putFile('queued.bin')).body.ok.data;
    expect(file).toMatchObject({ id: result.file.id, version_id: result.file.version_id });
  });

  it('is one version under one Idempotency-Key, and nothing in a dry run', async () => {
    const headers = { 'idempotency-key': 'put-1' };
    const first = await putFile('c.bin', TEXT, headers);
    const again = await putFile('c.bin', TEXT, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.ok.data.file).toEqual(first.body.ok.data.file);
    expect(refusalOf(await putFile('c.bin', randomBytes(3), headers))).toEqual([
      422,
      'request.idempotency-key-reused',
    ]);
    const before = await head();
    const dry = await putFile('dry.bin', TEXT, { 'dry-run': 'true' });
    expect(dry.body.ok.dry_run.events.map(({ type }: any) => type)).toEqual([
      'FileCreated',
      'FileContentStored',
    ]);
    expect(await head()).toBe(before);
  });

  it('of a file that has not changed since is a new version, with If-Match', async () => {
    const first = await putFile('m.bin');
    const at = first.headers.get('drive-revision')!;
    const next = await putFile('m.bin', randomBytes(9), { 'if-match': `"${at}"` });
    expect([next.status, next.body.ok?.data.file.file_version]).toEqual([200, 2]);
    const late = await putFile('m.bin', randomBytes(9), { 'if-match': `"${at}"` });
    expect(refusalOf(late)).toEqual([412, 'request.precondition-failed']);
    const none = await putFile('m2.bin', TEXT, { 'if-match': '*' });
    expect(refusalOf(none)).toEqual([412, 'request.precondition-failed']);
  });

  it.each([
    ['a part of a content', { 'content-range': 'bytes 6-10/11' }],
    ['what must not exist yet', { 'if-none-match': '*' }],
  ])('of %s replaces nothing', async (_, headers) => {
    const { file } = (await putFile('whole.txt', TEXT)).body.ok.data;
    expect(refusalOf(await putFile('whole.txt', Buffer.from('part'), headers))).toEqual([
      ...[400, 'request.invalid-header'],
    ]);
    expect((await download(admin, file.id)).bytes).toEqual(TEXT);
  });

  it('of which anything is wrong keeps neither file nor content', async () => {
    const small = await makeDisk(org, { quota_bytes: 1_000 });
    const before = await head();
    const wrong = await putFile('d.bin', TEXT, { 'repr-digest': digestOf('other') });
    expect(refusalOf(wrong)).toEqual([400, 'content.mismatch']);
    const large = await putIn(admin, small.root_folder, 'd.bin', randomBytes(1_001));
    expect(refusalOf(large)).toEqual([413, 'content.too-large']);
    async function* unannounced() {
      yield randomBytes(600);
      yield randomBytes(600);
    }
    const chunked = await putIn(admin, small.root_folder, 'd.bin', unannounced());
    expect(refusalOf(chunked)).toEqual([413, 'content.too-large']);
    expect(refusalOf(await putIn(admin, disk.trash_folder, 'd.bin', TEXT))).toEqual([
      400,
      'directory.in-trash',
    ]);
    expect(refusalOf(await putIn(admin, 'FolderID_nobody', 'd.bin', TEXT))).toEqual([
      404,
      'folder.not-found',
    ]);
    const auth_json = JSON.stringify(BUCKET);
    const bucket = await makeDisk(org, { disk_type: 'AWS_BUCKET', auth_json });
    expect(refusalOf(await putIn(admin, bucket.root_folder, 'd.bin', TEXT))).toEqual([
      400,
      'content.elsewhere',
    ]);
    expect(await names()).not.toContain('d.bin');
    expect(await names(small.root_folder)).toEqual([]);
    const { data } = await admin.post('/organization/history', { from_revision: before + 1 });
    expect(data.items.filter(({ type }: any) => type.startsWith('File'))).toEqual([]);
  });

  it.each(['a%2Fb', '.trash', 'a::b', 'a%00b', 'x'.repeat(300), '%ff', ''])(
    'to the name %j is 4xx, and names the field',
    async (name) => {
      const before = await names();
      const answer = await putFile(name);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(JSON.stringify(answer.body.err)).toMatch(/name|path|URL|route/i);
      expect(await names()).toEqual(before);
    },
  );

  it('of another organization’s folder finds nothing', async () => {
    const other = await service.organization();
    const answer = await putIn(other.admin, disk.root_folder, 'e.bin', TEXT);
    expect(refusalOf(answer)).toEqual([404, 'folder.not-found']);
  });

  it('creates with UPLOAD on the folder, and replaces with EDIT on the file', async () => {
    const closed = await makeClosedDisk(org);
    const bobs = (name: string) => putIn(bob, closed.root_folder, name, randomBytes(10));
    const { file: standing } = (await putIn(admin, closed.root_folder, 'there.bin', TEXT)).body.ok
      .data;
    // Without any permission, a name that exists is refused like one that does not.
    const [existing, missing] = [await bobs('there.bin'), await bobs('missing.bin')];
    expect(refusalOf(existing)).toEqual([403, 'permission.denied']);
    const { request_id: _, ...told } = existing.body.err;
    expect(missing.body.err).toMatchObject(told);

    const edit = (await grant(standing.id, ['EDIT'])).data;
    expect((await bobs('there.bin')).status).toBe(200);
    expect(refusalOf(await bobs('missing.bin'))).toEqual([403, 'permission.denied']);
    await admin.post('/permissions/directory/delete', { permission_id: edit.id });
    expect(refusalOf(await bobs('there.bin'))).toEqual([403, 'permission.denied']);

    await grant(closed.root_folder, ['UPLOAD']);
    const created = await bobs('new.bin');
    expect(created.status).toBe(200);
    expect(refusalOf(await bobs('new.bin'))).toEqual([403, 'permission.denied']);
    expect(refusalOf(await bobs('there.bin'))).toEqual([403, 'permission.denied']);
    expect((await names(closed.root_folder)).toSorted()).toEqual(['new.bin', 'there.bin']);
  });
});
