import { jest } from '@jest/globals';
import { signUpload } from '../../libs/application/directory/signing.js';
import { describeWithS3 } from '../servers/s3/describe.js';
import { type BucketCredentials, type S3Server, startS3 } from '../servers/s3/server.js';
import type { Organization } from '../support/client.js';
import { act, makeDisk, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { type Form, postForm, withFields } from './forms.js';

const BYTES = new Blob(['%PDF-1.7 as if']);
const PAST_MS = 25 * 3_600_000;

describeWithS3('content in a bucket', () => {
  let s3: S3Server;
  let credentials: BucketCredentials;
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;

  beforeAll(async () => {
    s3 = await startS3();
    credentials = await s3.freshBucket();
    service = await TestService.start();
    org = await service.organization();
    const auth_json = JSON.stringify(credentials);
    disk = await makeDisk(org, { disk_type: 'AWS_BUCKET', auth_json });
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.stop();
  });
  afterEach(() => void jest.useRealTimers());

  async function create(name: string, file_size = BYTES.size): Promise<{ file: any; form: Form }> {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const { result } = await act(org.admin, 'CREATE_FILE', { name, file_size, ...place });
    return { file: result.file, form: result.upload };
  }

  /** Where the service redirects to for a file's content. */
  async function linkOf({ id, extension }: any): Promise<string> {
    const { status, headers } = await org.admin.get(`/directory/asset/${id}.${extension}`);
    expect(status).toBe(302);
    return headers.get('location')!;
  }

  it('is uploaded with the form and downloaded under the name and type of its file', async () => {
    const { file, form } = await create('Zoë.pdf');
    expect((await postForm(form, BYTES)).status).toBe(204);
    const answer = await fetch(await linkOf(file));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(await BYTES.text());
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="Zo_.pdf"; filename*=UTF-8''Zo%C3%AB.pdf`,
    );
  });

  it('is private', async () => {
    const { file, form } = await create('private.pdf');
    await postForm(form, BYTES);
    const { origin, pathname } = new URL(await linkOf(file));
    expect((await fetch(origin + pathname)).status).toBe(403);
  });

  it('is refused by the bucket beyond the size of its file', async () => {
    const { file, form } = await create('large.pdf', BYTES.size - 1);
    const answer = await postForm(form, BYTES);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('EntityTooLarge');
    expect((await fetch(await linkOf(file))).status).toBe(404);
  });

  it('of an earlier version stays when a new one is uploaded', async () => {
    const { file, form } = await create('versions.pdf');
    await postForm(form, BYTES);
    const first = await linkOf(file);
    const { id } = file;
    await act(org.admin, 'UPDATE_FILE', { id, upload_status: 'COMPLETED' });
    const { result } = await act(org.admin, 'UPDATE_FILE', { id, request_presigned_url: true });
    expect(result.upload.fields.key).not.toBe(form.fields.key);
    expect((await postForm(result.upload, new Blob(['second']))).status).toBe(204);
    const second = await linkOf(result.file);
    expect(await (await fetch(second)).text()).toBe('second');
    expect(await (await fetch(first)).text()).toBe(await BYTES.text());
  });

  it.each([
    ['key', (key: string) => `${key}.exe`],
    ['Content-Type', () => 'text/html'],
    ['Content-Disposition', () => 'inline'],
    ['acl', () => 'public-read'],
    ['Policy', withLargerLimit],
    ['X-Amz-Signature', (signature: string) => signature.replace(/./g, '0')],
  ])('is refused with a changed %s', async (name, change) => {
    const { file, form } = await create('changed.pdf');
    const changed = withFields(form, { [name]: change(form.fields[name]!) });
    const answer = await postForm(changed, BYTES);
    expect(answer.status).toBe(403);
    expect((await fetch(await linkOf(file))).status).toBe(404);
  });

  it('is refused with a field that the service did not sign', async () => {
    const { form } = await create('more.pdf');
    const more = withFields(form, { 'x-amz-meta-note': 'mine' });
    expect((await postForm(more, BYTES)).status).toBe(403);
  });

  it('is refused with an expired form', async () => {
    jest.useFakeTimers({ advanceTimers: true, now: Date.now() - PAST_MS });
    const form = await signUpload(JSON.stringify(credentials), {
      ...{ object_key: 'DriveID_a/DiskID_b/FileID_c/late.pdf', file_name: 'late.pdf' },
      max_bytes: BYTES.size,
    });
    jest.useRealTimers();
    const answer = await postForm(form, BYTES);
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringMatching(/policy expired/i),
    ]);
  });
});

function withLargerLimit(policy: string): string {
  const { conditions, ...rest } = JSON.parse(Buffer.from(policy, 'base64').toString());
  const larger = conditions.map((one: unknown) =>
    Array.isArray(one) && one[0] === 'content-length-range' ? [one[0], 0, 1_000_000] : one,
  );
  return Buffer.from(JSON.stringify({ ...rest, conditions: larger })).toString('base64');
}
