import type { Client, Organization } from '../support/client.js';
import { type Form, postForm, put, putIn, type RawAnswer } from '../support/content.js';
import { act, makeClosedDisk, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const TEXT = Buffer.from('a content that is sent again');
const OTHER = Buffer.from('another');
const QUOTA = TEXT.length + 10;

describe('an upload that is repeated under its Idempotency-Key', () => {
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

  const revision = async (): Promise<string | null> =>
    (await admin.post('/groups/list', {})).headers.get('drive-revision');

  type Upload = (bytes?: Buffer) => Promise<RawAnswer>;

  const putTo = (id: string, key: string, by = admin): Upload => {
    return (bytes = TEXT) => put(by, id, bytes, { 'idempotency-key': key });
  };

  async function expectStored(upload: Upload): Promise<RawAnswer> {
    const first = await upload();
    expect([first.status, first.body.err]).toEqual([200, undefined]);
    return first;
  }

  /** The first answer again, and nothing else; other bytes are refused. */
  async function expectRepeated(upload: Upload, first: RawAnswer): Promise<void> {
    const before = await revision();
    const again = await upload();
    expect([again.status, again.body.err]).toEqual([200, undefined]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { id, version_id } = first.body.ok.data.file;
    expect(again.body.ok.data.file).toMatchObject({ id, version_id });
    const other = await upload(OTHER);
    expect([other.status, other.body.err.type]).toEqual([422, 'request.idempotency-key-reused']);
    expect(await revision()).toBe(before);
  }

  it('answers as at first where the first one has used up the quota', async () => {
    const small = await makeDisk(org, { quota_bytes: QUOTA });
    const { id } = await makeFile(admin, small, 'a.txt');
    const upload = putTo(id, 'quota');
    await expectRepeated(upload, await expectStored(upload));
    // The quota stays what it is.
    const more = await put(admin, id, TEXT, { 'idempotency-key': 'quota-2' });
    expect([more.status, more.body.err.type]).toEqual([413, 'content.too-large']);
  });

  it('answers as at first by name, where the quota is used up', async () => {
    const small = await makeDisk(org, { quota_bytes: QUOTA });
    const upload: Upload = (bytes = TEXT) =>
      putIn(admin, small.root_folder, 'b.txt', bytes, { 'idempotency-key': 'by-name' });
    await expectRepeated(upload, await expectStored(upload));
  });

  it('answers as at first by a form, which is valid once', async () => {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id, file_size: 100 };
    const { result } = await act(admin, 'CREATE_FILE', { name: 'c.txt', ...place });
    const form = result.upload as Form;
    const upload: Upload = (bytes = TEXT) =>
      postForm(admin, form, bytes, 'text/plain', { 'idempotency-key': 'form' });
    await expectRepeated(upload, await expectStored(upload));
    const unkeyed = await postForm(admin, form, TEXT, 'text/plain');
    expect([unkeyed.status, unkeyed.body.err.type]).toEqual([409, 'content.upload-used']);
  });

  it.each([
    ['in the trash', false],
    ['gone for good', true],
  ])('answers as at first when the file is %s', async (how, permanent) => {
    const { id } = await makeFile(admin, disk, `${how}.txt`);
    const upload = putTo(id, how.replaceAll(' ', '-'));
    const first = await expectStored(upload);
    const { error } = await act(admin, 'DELETE_FILE', { id, permanent });
    expect(error).toBeUndefined();
    await expectRepeated(upload, first);
  });

  it('answers as at first when the file has another name, and the upload no type', async () => {
    const { id } = await makeFile(admin, disk, 'd.txt');
    const upload = putTo(id, 'renamed');
    const first = await expectStored(upload);
    await act(admin, 'UPDATE_FILE', { id, name: 'd.pdf' });
    await expectRepeated(upload, first);
  });

  it('is refused to a user who may not change the file any more', async () => {
    const { id } = await makeFile(admin, await makeClosedDisk(org), 'e.txt');
    const grant = { resource_id: id, granted_to: bob.user_id, permission_types: ['VIEW', 'EDIT'] };
    const { data } = await admin.post('/permissions/directory/create', grant);
    const upload = putTo(id, 'revoked', bob);
    await expectStored(upload);
    await admin.post('/permissions/directory/delete', { permission_id: data.id });
    const again = await upload();
    expect([again.status, again.body.err.type]).toEqual([403, 'permission.denied']);
  });

  it('is of no use to another user with the same key', async () => {
    const small = await makeDisk(org, { quota_bytes: QUOTA });
    const { id } = await makeFile(admin, small, 'f.txt');
    const upload = putTo(id, 'shared');
    await expectStored(upload);
    const theirs = await putTo(id, 'shared', bob)();
    expect(theirs.status).not.toBe(200);
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
  });
});
