import type { Client, Organization } from '../support/client.js';
import { act, BUCKET, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

describe('content of files over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let disk: TestDisk;
  let cloud: TestDisk;
  let bare: TestDisk;

  beforeAll(async () => {
    // Nobody answers at the endpoint of this bucket.
    service = await TestService.start({ VERIFY_BUCKET_UPLOADS: 'false' });
    org = await service.organization('Bob');
    bob = org.members[0]!;
    disk = await makeDisk(org);
    const auth_json = JSON.stringify(BUCKET);
    cloud = await makeDisk(org, { disk_type: 'AWS_BUCKET', auth_json });
    bare = await makeDisk(org, { disk_type: 'STORJ_WEB3' });
  });
  afterAll(() => service.stop());

  const asset = (client: Client, id: string) => client.get(`/directory/asset/${id}`);
  const open = (resource_id: string, granted_to = 'PUBLIC') =>
    org.admin.post('/permissions/directory/create', {
      resource_id,
      granted_to,
      permission_types: ['VIEW'],
    });
  const upload = (on: TestDisk, more: object = {}) => ({
    name: 'a.bin',
    parent_folder_uuid: on.root_folder,
    disk_id: on.id,
    file_size: 42,
    ...more,
  });

  it('a file on a bucket is answered with a form for one private object of at most its size', async () => {
    const { result } = await act(org.admin, 'CREATE_FILE', upload(cloud));
    const { file, upload: form } = result;
    const key = `${org.drive_id}/${cloud.id}/${file.id}/${file.version_id}.bin`;
    expect(form.url).toContain('https://s3.example.com/content');
    expect(form.fields).toMatchObject({
      ...{ key, acl: 'private', 'Content-Type': 'application/octet-stream' },
      'Content-Disposition': `attachment; filename="a.bin"; filename*=UTF-8''a.bin`,
    });
    const policy = JSON.parse(Buffer.from(form.fields.Policy, 'base64').toString());
    expect(policy.conditions).toContainEqual(['content-length-range', 0, 42]);
    expect(file.upload_status).toBe('QUEUED');
  });

  it('a disk without credentials refuses 400 what would need a form', async () => {
    const { error } = await act(org.admin, 'CREATE_FILE', upload(bare));
    expect([error.code, error.type]).toEqual([400, 'disk.without-credentials']);
  });

  it('with credentials that cannot sign, a file is created without a form, and its content is 501', async () => {
    const auth_json = JSON.stringify({ ...BUCKET, endpoint: 'not an address' });
    const broken = await makeDisk(org, { disk_type: 'AWS_BUCKET', auth_json });
    const { result } = await act(org.admin, 'CREATE_FILE', upload(broken));
    expect(result.upload).toEqual({ url: '', fields: {} });
    expect(result.notes).toContain('cannot sign');
    expect((await asset(org.admin, `${result.file.id}.bin`)).status).toBe(501);
  });

  it('an update answers a form only on request', async () => {
    const { id } = await makeFile(org.admin, cloud, 'again.bin');
    const plain = await act(org.admin, 'UPDATE_FILE', { id, upload_status: 'COMPLETED' });
    expect(plain.result.upload).toBeUndefined();
    const { result } = await act(org.admin, 'UPDATE_FILE', { id, request_presigned_url: true });
    expect(result.file.file_version).toBe(2);
    expect(result.upload.fields.key).toContain(`${id}/${result.file.version_id}.bin`);
  });

  it('leads to the object for an hour, and is not to be stored', async () => {
    const { id, version_id } = await makeFile(org.admin, cloud, 'seen.bin');
    const { status, headers } = await asset(org.admin, `${id}.bin`);
    const location = new URL(headers.get('location')!);
    expect([status, headers.get('cache-control')]).toEqual([302, 'no-store, max-age=0']);
    expect(location.pathname).toBe(`/content/${org.drive_id}/${cloud.id}/${id}/${version_id}.bin`);
    expect(location.searchParams.get('X-Amz-Expires')).toBe('3600');
  });

  it('a renamed or copied file leads to the object that was uploaded', async () => {
    const { id, version_id } = await makeFile(org.admin, cloud, 'old.bin');
    const uploaded = `/content/${org.drive_id}/${cloud.id}/${id}/${version_id}.bin`;
    await act(org.admin, 'UPDATE_FILE', { id, name: 'new.txt' });
    const copy = await act(org.admin, 'COPY_FILE', {
      id,
      destination_folder_id: cloud.root_folder,
    });
    for (const name of [`${id}.txt`, `${copy.result.id}.txt`]) {
      const { headers } = await asset(org.admin, name);
      expect(new URL(headers.get('location')!).pathname).toBe(uploaded);
    }
  });

  it('leads to the address that the client gave', async () => {
    const raw_url = 'https://files.example/x?y=1';
    const { id, upload_status } = await makeFile(org.admin, disk, 'x.bin', { raw_url });
    const { status, headers } = await asset(org.admin, id);
    expect([status, headers.get('location')]).toEqual([302, raw_url]);
    expect(upload_status).toBe('COMPLETED');
  });

  it.each([
    ['https://files.example/日本?é=ü', 'https://files.example/%E6%97%A5%E6%9C%AC?%C3%A9=%C3%BC'],
    ['https://münchen.example/a', 'https://xn--mnchen-3ya.example/a'],
    ['HTTPS://files.Example', 'HTTPS://files.Example'],
  ])('leads to %s in characters that a header may hold', async (raw_url, location) => {
    const file = await makeFile(org.admin, disk, 'elsewhere.bin', { raw_url });
    expect(file.raw_url).toBe(raw_url);
    const { status, headers } = await asset(org.admin, file.id);
    expect([status, headers.get('location')]).toEqual([302, location]);
  });

  it('keeps its own address from leading in a circle', async () => {
    const file = await makeFile(org.admin, disk, 'circle.bin');
    await act(org.admin, 'UPDATE_FILE', { id: file.id, raw_url: file.raw_url });
    expect((await asset(org.admin, `${file.id}.bin`)).err.type).toBe('content.none');
  });

  it('is for viewers: PUBLIC grants let anonymous callers in, and dead tokens are ignored', async () => {
    const raw_url = 'https://files.example/private';
    const { id } = await makeFile(org.admin, disk, 'private.bin', { raw_url });
    const nobody = org.as();
    expect((await asset(nobody, `${id}.bin`)).status).toBe(403);
    expect((await asset(bob, `${id}.bin`)).status).toBe(302);
    expect((await asset(new Signer().in(org), `${id}.bin`)).status).toBe(403);
    await open(id);
    expect((await asset(nobody, `${id}.bin`)).status).toBe(302);
    expect((await asset(org.as('no-token'), `${id}.bin`)).status).toBe(302);
  });

  it('answers 404 for unknown, trashed and expired files, 501 for disks that serve nothing', async () => {
    expect((await asset(org.admin, 'FileID_nobody.bin')).status).toBe(404);
    expect((await asset(org.admin, 'nonsense')).status).toBe(400);
    const trashed = await makeFile(org.admin, cloud, 'trashed.bin');
    await act(org.admin, 'DELETE_FILE', { id: trashed.id });
    expect((await asset(org.admin, `${trashed.id}.bin`)).status).toBe(404);
    const expired = await makeFile(org.admin, cloud, 'expired.bin', { expires_at: 1 });
    expect((await asset(org.admin, `${expired.id}.bin`)).status).toBe(404);
    const cache = await makeDisk(org, { disk_type: 'BROWSER_CACHE' });
    const { id } = await makeFile(org.admin, cache, 'unserved.bin');
    const { status, err } = await asset(org.admin, `${id}.bin`);
    expect([status, err.type]).toEqual([501, 'file.content-not-served']);
  });
});
