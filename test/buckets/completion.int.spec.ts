import { createHash } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { describeWithS3 } from '../servers/s3/describe.js';
import { type BucketCredentials, type S3Server, startS3 } from '../servers/s3/server.js';
import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { type Form, postForm } from './forms.js';

const TEXT = '%PDF-1.7 as if';
const BYTES = new Blob([TEXT]);
const SHA256 = createHash('sha256').update(TEXT).digest('hex');

describeWithS3('completing an upload to a bucket', () => {
  let s3: S3Server;
  let credentials: BucketCredentials;
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let disk: TestDisk;

  beforeAll(async () => {
    s3 = await startS3();
    credentials = await s3.freshBucket();
    service = await TestService.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
    disk = await onBucket({});
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.stop();
  });

  function onBucket(other: Partial<BucketCredentials>, owner = org): Promise<TestDisk> {
    const auth_json = JSON.stringify({ ...credentials, ...other });
    return makeDisk(owner, { disk_type: 'AWS_BUCKET', auth_json });
  }

  async function create(name: string, more: object = {}): Promise<{ file: any; form: Form }> {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id, file_size: 1_000 };
    const { result } = await act(org.admin, 'CREATE_FILE', { name, ...place, ...more });
    return { file: result.file, form: result.upload };
  }

  const complete = (id: string, client = org.admin) =>
    act(client, 'UPDATE_FILE', { id, upload_status: 'COMPLETED' });

  it('records size and type of the object', async () => {
    const { file, form } = await create('a.pdf');
    await postForm(form, BYTES);
    const { result } = await complete(file.id);
    expect(result.file).toMatchObject({
      ...{ upload_status: 'COMPLETED', content_available: true },
      ...{ file_size: BYTES.size, media_type: 'application/pdf', sha256: null },
    });
  });

  it('records the SHA-256 that the client announced and the bucket checked', async () => {
    const { file, form } = await create('sealed.pdf', { upload_sha256: SHA256 });
    expect((await postForm(form, BYTES)).status).toBe(204);
    const { result } = await complete(file.id);
    expect(result.file.sha256).toBe(SHA256);
  });

  it('is refused for content that is not what was announced', async () => {
    const { file, form } = await create('other.pdf', { upload_sha256: SHA256 });
    const answer = await postForm(form, new Blob([TEXT.toUpperCase()]));
    expect(answer.status).toBe(400);
    expect((await complete(file.id)).error).toMatchObject({
      ...{ code: 400, type: 'file.object-missing' },
      details: [{ pointer: '/upload_status', reason: expect.stringContaining('no object') }],
    });
  });

  it('is refused before the upload, and leaves the file as it was', async () => {
    const { file } = await create('early.pdf');
    expect((await complete(file.id)).error.type).toBe('file.object-missing');
    const { result } = await act(org.admin, 'GET_FILE', { id: file.id });
    expect(result.file).toMatchObject({ upload_status: 'QUEUED', content_available: false });
  });

  it('asks the bucket only for callers who may edit the file', async () => {
    let asked = 0;
    const bucket = await listening((socket) => {
      asked += 1;
      socket.destroy();
    });
    const watched = await onBucket({ endpoint: urlOf(bucket) });
    const more = { has_sovereign_permissions: true };
    const { id } = await makeFile(org.admin, watched, 'own.pdf', more);
    expect((await complete(id, bob)).error.code).toBe(403);
    expect(asked).toBe(0);
    expect((await complete(id)).error.type).toBe('disk.bucket-unavailable');
    expect(asked).toBe(1);
    bucket.close();
  });

  it('records a larger version, and keeps size and digest of the one before', async () => {
    const { file, form } = await create('versions.pdf', { upload_sha256: SHA256 });
    await postForm(form, BYTES);
    await complete(file.id);
    const larger = 'x'.repeat(500);
    const { result } = await act(org.admin, 'UPDATE_FILE', {
      ...{ id: file.id, request_presigned_url: true, upload_size: 500 },
    });
    expect((await postForm(result.upload, new Blob([larger]))).status).toBe(204);
    const { result: second } = await complete(file.id);
    expect(second.file).toMatchObject({ file_size: 500, sha256: null, file_version: 2 });
    const listed = await org.admin.post('/directory/versions', { file_id: file.id });
    const { items } = listed.data as any;
    expect(items.map(({ size, sha256 }: any) => [size, sha256])).toEqual([
      [500, null],
      [BYTES.size, SHA256],
    ]);
  });

  it('serves and restores a former version', async () => {
    const { file, form } = await create('former.pdf', { upload_sha256: SHA256 });
    await postForm(form, BYTES);
    await complete(file.id);
    const { result } = await act(org.admin, 'UPDATE_FILE', {
      ...{ id: file.id, request_presigned_url: true },
    });
    await postForm(result.upload, new Blob(['second']));
    await complete(file.id);
    const asset = `/directory/asset/${file.id}.pdf`;
    const contentAt = async (path: string): Promise<string> => {
      const { headers } = await org.admin.get(path);
      return (await fetch(headers.get('location')!)).text();
    };
    expect(await contentAt(asset)).toBe('second');
    expect(await contentAt(`${asset}?version_id=${file.version_id}`)).toBe(TEXT);
    const restored = await act(org.admin, 'UPDATE_FILE', {
      ...{ id: file.id, restore_version_id: file.version_id },
    });
    expect(restored.result.file).toMatchObject({
      ...{ file_version: 3, file_size: BYTES.size, sha256: SHA256 },
      media_type: 'application/pdf',
    });
    expect(await contentAt(asset)).toBe(TEXT);
  });

  it('keeps the object of a version when a URL elsewhere starts another', async () => {
    const { file, form } = await create('moved.pdf', { upload_sha256: SHA256 });
    await postForm(form, BYTES);
    await complete(file.id);
    const raw_url = 'https://example.com/moved.pdf';
    const moved = await act(org.admin, 'UPDATE_FILE', { id: file.id, raw_url, name: 'moved.doc' });
    expect(moved.result.file).toMatchObject({ file_version: 2, raw_url, sha256: null });
    const former = `/directory/asset/${file.id}.pdf?version_id=${file.version_id}`;
    const { headers } = await org.admin.get(former);
    expect(await (await fetch(headers.get('location')!)).text()).toBe(TEXT);
  });

  it('completes several files in one request', async () => {
    const made = await Promise.all(['p.pdf', 'q.pdf', 'r.pdf'].map((name) => create(name)));
    await Promise.all(made.slice(0, 2).map(({ form }) => postForm(form, BYTES)));
    const actions = made.map(({ file }) => ({
      action: 'UPDATE_FILE',
      payload: { id: file.id, upload_status: 'COMPLETED' },
    }));
    const { body } = await org.admin.post('/directory/action', { actions });
    expect(body.map(({ success }: any) => success)).toEqual([true, true, false]);
  });

  it('answers a repeated request even if the object is gone', async () => {
    const { file, form } = await create('repeat.pdf');
    await postForm(form, BYTES);
    const actions = [
      { action: 'UPDATE_FILE', payload: { id: file.id, upload_status: 'COMPLETED' } },
    ];
    const options = { 'Idempotency-Key': 'complete-once' };
    const first = await org.admin.post('/directory/action', { actions }, options);
    await org.admin.post('/disks/update', {
      id: disk.id,
      auth_json: JSON.stringify({ ...credentials, bucket: 'gone' }),
    });
    const again = await org.admin.post('/directory/action', { actions }, options);
    await org.admin.post('/disks/update', { id: disk.id, auth_json: JSON.stringify(credentials) });
    expect(again.body).toEqual(first.body);
    expect(again.body[0].success).toBe(true);
  });

  it.each<[string, Partial<BucketCredentials>, string]>([
    ['wrong secret', { secret_key: 'wrong' }, 'file.object-missing'],
    ['unknown access key', { access_key: 'nobody' }, 'file.object-missing'],
    ['missing bucket', { bucket: 'missing-bucket' }, 'file.object-missing'],
    ['unusable endpoint', { endpoint: 'not an address' }, 'disk.bucket-refused'],
    ['closed port', { endpoint: 'http://127.0.0.1:1' }, 'disk.bucket-unavailable'],
  ])('is refused with a %s, and quotes no credentials', async (_, other, type) => {
    const wrong = await onBucket(other);
    const { id } = await makeFile(org.admin, wrong, 'wrong.pdf');
    const { error } = await complete(id);
    expect(error.type).toBe(type);
    const { access_key, secret_key, endpoint } = { ...credentials, ...other };
    for (const secret of [access_key, secret_key, endpoint])
      expect(JSON.stringify(error)).not.toContain(secret);
  });

  it('is refused in production at an address that is not public', async () => {
    const strict = await TestService.start({ PRODUCTION: 'true', FACTORY_KEYS: '' });
    try {
      const other = await strict.organization();
      const on = await onBucket({}, other);
      const { id } = await makeFile(other.admin, on, 'a.pdf');
      const { error } = await act(other.admin, 'UPDATE_FILE', { id, upload_status: 'COMPLETED' });
      expect([error.code, error.type, error.details[0].reason]).toEqual([
        ...[400, 'disk.bucket-refused', 'the address is not public'],
      ]);
    } finally {
      await strict.stop();
    }
  });

  it('is refused 503 if the bucket does not answer in time', async () => {
    const silent = await listening(() => {});
    const impatient = await TestService.start({ BUCKET_TIMEOUT_MS: '100' });
    try {
      const other = await impatient.organization();
      const on = await onBucket({ endpoint: urlOf(silent) }, other);
      const { id } = await makeFile(other.admin, on, 'a.pdf');
      const { error } = await act(other.admin, 'UPDATE_FILE', { id, upload_status: 'COMPLETED' });
      expect([error.code, error.type, error.details[0].reason]).toEqual([
        ...[503, 'disk.bucket-unavailable', 'no response in time'],
      ]);
    } finally {
      await impatient.stop();
      silent.close();
    }
  });
});

async function listening(connected: (socket: Socket) => void): Promise<Server> {
  const server = createServer(connected);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
