import { randomBytes } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import {
  digestOf,
  download,
  type Form,
  postForm,
  put,
  raw,
  type RawBody,
  sha256Of,
} from '../support/content.js';
import { act, makeClosedDisk, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const TEXT = Buffer.from('the first content');

describe('uploads of content', () => {
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

  const file = (name: string, more: object = {}) => makeFile(admin, disk, name, more);
  const get = async (id: string) => (await act(admin, 'GET_FILE', { id })).result.file;
  const create = async (client: Client, name: string, file_size: number, more: object = {}) => {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const payload = { name, ...place, file_size, ...more };
    return (await act(client, 'CREATE_FILE', payload)).result;
  };

  it('a PUT fills the version that the file was created with', async () => {
    const { id, version_id } = await file('a.txt');
    const answer = await put(admin, id, TEXT);
    expect(answer.status).toBe(200);
    expect(answer.body.ok.data.file).toMatchObject({
      ...{ id, version_id, file_version: 1, upload_status: 'COMPLETED' },
      ...{ file_size: TEXT.length, sha256: sha256Of(TEXT), content_available: true },
      media_type: 'text/plain; charset=utf-8',
    });
    const { status, bytes, headers } = await download(admin, id);
    expect([status, bytes]).toEqual([200, TEXT]);
    expect(headers.get('etag')).toBe(`"${sha256Of(TEXT)}"`);
    expect(headers.get('repr-digest')).toBe(digestOf(TEXT));
  });

  it('a further PUT is a new version; both can be downloaded', async () => {
    const { id, version_id: first } = await file('b.bin');
    const [one, two] = [randomBytes(200_000), randomBytes(70_000)];
    await put(admin, id, one);
    const answer = await put(admin, id, two, { 'content-type': 'image/png' });
    const { version_id, file_version, prior_version, media_type } = answer.body.ok.data.file;
    expect([file_version, prior_version, media_type]).toEqual([2, first, 'image/png']);
    expect((await download(admin, id)).bytes.equals(two)).toBe(true);
    expect((await download(admin, id, `?version_id=${first}`)).bytes.equals(one)).toBe(true);
    expect((await download(admin, id, `?version_id=${version_id}`)).bytes.equals(two)).toBe(true);
    const { data } = await admin.post('/directory/versions', { file_id: id });
    expect(data.total).toBe(2);
    expect(data.items).toMatchObject([
      { version_id, sha256: sha256Of(two), size: two.length, is_current: true },
      { version_id: first, sha256: sha256Of(one), is_current: false, content_available: true },
    ]);
  });

  it('an empty content and one without a length are stored as they are', async () => {
    const { id } = await file('empty.bin');
    const none = await raw(admin, `/directory/content/${id}`, { method: 'PUT' });
    expect(none.body.ok.data.file).toMatchObject({ file_size: 0, upload_status: 'COMPLETED' });
    expect((await download(admin, id)).bytes).toHaveLength(0);
    const parts = [randomBytes(100_000), randomBytes(1), randomBytes(65_536)];
    async function* chunks() {
      yield* parts;
    }
    expect((await put(admin, id, chunks())).status).toBe(200);
    expect((await download(admin, id)).bytes.equals(Buffer.concat(parts))).toBe(true);
  });

  it('JSON is content like any other', async () => {
    const { id } = await file('c.json');
    const text = '{"not": "parsed"';
    expect((await put(admin, id, text, { 'content-type': 'application/json' })).status).toBe(200);
    expect((await download(admin, id)).bytes.toString()).toBe(text);
  });

  it('a wrong digest is 400 and keeps nothing; a right one is accepted', async () => {
    const { id } = await file('d.bin');
    const wrong = await put(admin, id, TEXT, { 'repr-digest': digestOf('other') });
    expect([wrong.status, wrong.body.err.type]).toEqual([400, 'content.mismatch']);
    expect(await get(id)).toMatchObject({ upload_status: 'QUEUED', sha256: null });
    const broken = await put(admin, id, TEXT, { 'repr-digest': 'sha-256=:abc:' });
    expect([broken.status, broken.body.err.type]).toEqual([400, 'request.invalid-header']);
    expect((await put(admin, id, TEXT, { 'repr-digest': digestOf(TEXT) })).status).toBe(200);
  });

  it('a form uploads without a token, once', async () => {
    const { file: made, upload } = await create(admin, 'e.bin', 100);
    expect(upload).toMatchObject({ method: 'POST', expires_at: expect.any(Number) });
    const bytes = randomBytes(99);
    const answer = await postForm(admin, upload, bytes, 'application/pdf');
    expect(answer.status).toBe(200);
    expect(answer.body.ok.data.file).toMatchObject({
      ...{ id: made.id, version_id: made.version_id, file_size: 99, sha256: sha256Of(bytes) },
      media_type: 'application/pdf',
    });
    const again = await postForm(admin, upload, bytes);
    expect([again.status, again.body.err.type]).toEqual([409, 'content.upload-used']);
  });

  it('a form for a complete file creates a new version when it is used', async () => {
    const { id, version_id } = await file('f.bin');
    await put(admin, id, TEXT);
    const payload = { id, request_presigned_url: true };
    const { result } = await act(admin, 'UPDATE_FILE', payload);
    expect(result.file).toMatchObject({ version_id, file_version: 1 });
    expect((await download(admin, id)).bytes.equals(TEXT)).toBe(true);
    const bytes = randomBytes(500);
    const answer = await postForm(admin, result.upload, bytes);
    expect(answer.body.ok.data.file).toMatchObject({ file_version: 2, prior_version: version_id });
    expect((await download(admin, id)).bytes.equals(bytes)).toBe(true);
    const again = await postForm(admin, result.upload, bytes);
    expect([again.status, again.body.err.type]).toEqual([409, 'content.upload-used']);
  });

  it('a form takes no more bytes than announced, and no other signature or drive', async () => {
    const { file: made, upload } = await create(admin, 'g.bin', 10);
    const long = await postForm(admin, upload, randomBytes(11));
    expect([long.status, long.body.err.type]).toEqual([400, 'content.mismatch']);
    const { policy, signature } = upload.fields;
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(policy, 'base64url').toString()), max_bytes: 99 }),
    ).toString('base64url');
    for (const fields of [{ policy: forged, signature }, { policy, signature: 'x' }, {}]) {
      const answer = await postForm(admin, { url: upload.url, fields: fields as never }, TEXT);
      expect([answer.status, answer.body.err.type]).toEqual([403, 'content.upload-expired']);
    }
    const other = await service.organization();
    const elsewhere = { ...upload, url: upload.url.replace(org.drive_id, other.drive_id) };
    expect((await postForm(admin, elsewhere, TEXT)).status).toBe(403);
    expect(await get(made.id)).toMatchObject({ upload_status: 'QUEUED', sha256: null });
  });

  it('a form takes only the content whose digest and size were announced', async () => {
    const { id } = await file('announced.bin');
    const announced = { id, request_presigned_url: true, upload_sha256: sha256Of(TEXT) };
    const { result } = await act(admin, 'UPDATE_FILE', { ...announced, upload_size: 100 });
    const other = await postForm(admin, result.upload, Buffer.from('another content!!'));
    expect([other.status, other.body.err.type]).toEqual([400, 'content.mismatch']);
    expect((await postForm(admin, result.upload, TEXT)).status).toBe(200);
    const again = { id, request_presigned_url: true, upload_size: 3 };
    const { result: next } = await act(admin, 'UPDATE_FILE', again);
    expect(next.file.file_size).toBe(TEXT.length);
    const long = await postForm(admin, next.upload, TEXT);
    expect([long.status, long.body.err.type]).toEqual([400, 'content.mismatch']);
    const without = await act(admin, 'UPDATE_FILE', { id, upload_sha256: sha256Of(TEXT) });
    expect(without.error.details[0].pointer).toBe('/upload_sha256');
  });

  it('a caller who may only upload fills the own file by form, and nothing else', async () => {
    const closed = await makeClosedDisk(org);
    const { data: granted } = await admin.post('/permissions/directory/create', {
      resource_id: closed.root_folder,
      granted_to: bob.user_id,
      permission_types: ['UPLOAD'],
      inheritable: true,
    });
    const place = { parent_folder_uuid: closed.root_folder, disk_id: closed.id };
    const own = async (name: string) =>
      (await act(bob, 'CREATE_FILE', { name, ...place, file_size: 50 })).result;
    const first = await own('first.bin');
    const denied = await put(bob, first.file.id, TEXT);
    expect([denied.status, denied.body.err.type]).toEqual([403, 'permission.denied']);
    const stored = await postForm(bob, first.upload, TEXT);
    expect(stored.status).toBe(200);
    // Without VIEW the answer shows no more than ids.
    expect(stored.body.ok.data.file).toMatchObject({
      ...{ id: first.file.id, name: '', sha256: null, media_type: null },
      ...{ file_size: 0, content_available: false },
    });
    const second = await own('second.bin');
    // Revoked between the form and its use.
    await admin.post('/permissions/directory/delete', { permission_id: granted.id });
    const late = await postForm(bob, second.upload, TEXT);
    expect([late.status, late.body.err.type]).toEqual([403, 'permission.denied']);
    expect(await get(second.file.id)).toMatchObject({ upload_status: 'QUEUED', sha256: null });
  });

  it('a form without file, with a field too many or in the wrong type is 400', async () => {
    const { upload } = await create(admin, 'h.bin', 100);
    const cases: RawBody[] = [new FormData(), 'text', new URLSearchParams(upload.fields)];
    const many = new FormData();
    for (let nth = 0; nth < 40; nth++) many.append(`field-${nth}`, 'x');
    many.append('file', new Blob([TEXT]));
    const long = new FormData();
    long.append('policy', 'x'.repeat(10_000));
    long.append('file', new Blob([TEXT]));
    for (const body of [...cases, many, long]) {
      const answer = await raw(admin, upload.url, { method: 'POST', body, with_token: false });
      expect([answer.status, answer.body?.err.type]).toEqual([400, 'content.malformed-form']);
    }
  });

  it('a repeated PUT under one Idempotency-Key is one version', async () => {
    const { id } = await file('i.bin');
    const headers = { 'idempotency-key': 'upload-1' };
    const first = await put(admin, id, TEXT, headers);
    const again = await put(admin, id, TEXT, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.ok.data.file.version_id).toBe(first.body.ok.data.file.version_id);
    const other = await put(admin, id, randomBytes(3), headers);
    expect([other.status, other.body.err.type]).toEqual([422, 'request.idempotency-key-reused']);
    expect((await download(admin, id)).bytes.equals(TEXT)).toBe(true);
  });

  it('two users may use one Idempotency-Key for their forms', async () => {
    const key = { 'idempotency-key': 'posted-1' };
    const { upload } = await create(admin, 'k1.bin', 100);
    const { upload: bobs } = await create(bob, 'k2.bin', 100);
    const post = (form: Form, bytes: Buffer) => postForm(admin, form, bytes, 'text/plain', key);
    expect((await post(upload, TEXT)).status).toBe(200);
    expect((await post(bobs, Buffer.from('another'))).status).toBe(200);
    const { upload: next } = await create(admin, 'k3.bin', 100);
    const other = await post(next, TEXT);
    expect([other.status, other.body.err.type]).toEqual([422, 'request.idempotency-key-reused']);
  });

  it('a dry run stores nothing', async () => {
    const { id } = await file('j.bin');
    const answer = await put(admin, id, TEXT, { 'dry-run': 'true' });
    expect(answer.body.ok.dry_run).toBeDefined();
    expect(await get(id)).toMatchObject({ upload_status: 'QUEUED', sha256: null });
  });

  it('a former version becomes the current one again without moving bytes', async () => {
    const { id, version_id } = await file('k.bin');
    await put(admin, id, TEXT);
    await put(admin, id, randomBytes(10));
    const payload = { id, restore_version_id: version_id };
    const { result } = await act(admin, 'UPDATE_FILE', payload);
    expect(result.file).toMatchObject({ file_version: 3, sha256: sha256Of(TEXT) });
    expect((await download(admin, id)).bytes.equals(TEXT)).toBe(true);
    const { error } = await act(admin, 'UPDATE_FILE', {
      id,
      restore_version_id: 'FileVersionID_none',
    });
    expect([error.code, error.type]).toEqual([404, 'file.version-not-found']);
    const both = { ...payload, request_presigned_url: true };
    const { error: refused } = await act(admin, 'UPDATE_FILE', both);
    expect([refused.code, refused.details[0].pointer]).toEqual([400, '/request_presigned_url']);
    const elsewhere = { ...payload, raw_url: 'https://example.com/k.bin' };
    const { error: misplaced } = await act(admin, 'UPDATE_FILE', elsewhere);
    expect([misplaced.code, misplaced.details[0].pointer]).toEqual([400, '/raw_url']);
  });

  it('a former version of a renamed file becomes the current one with the extension of the name', async () => {
    const { id, version_id } = await file('n.txt');
    await put(admin, id, TEXT);
    await put(admin, id, randomBytes(10));
    await act(admin, 'UPDATE_FILE', { id, name: 'n.pdf' });
    const restored = { id, restore_version_id: version_id };
    const { result } = await act(admin, 'UPDATE_FILE', restored);
    expect(result.file).toMatchObject({ name: 'n.pdf', extension: 'pdf', sha256: sha256Of(TEXT) });
    const named = (await act(admin, 'UPDATE_FILE', { ...restored, name: 'n.md' })).result.file;
    expect(named).toMatchObject({ name: 'n.md', extension: 'md' });
    expect(named.raw_url).toMatch(/\.md$/);
  });

  it('a URL elsewhere is a new version of a file with content, whose former version stays as it was', async () => {
    const { id, version_id: first } = await file('l.bin');
    await put(admin, id, TEXT);
    const update = async (payload: object) => act(admin, 'UPDATE_FILE', { id, ...payload });
    const raw_url = 'https://example.com/l.bin';
    const elsewhere = (await update({ raw_url, notes: 'moved' })).result.file;
    expect(elsewhere).toMatchObject({
      ...{ file_version: 2, prior_version: first, raw_url, notes: 'moved' },
      ...{ sha256: null, media_type: null, upload_status: 'COMPLETED', content_available: true },
    });
    expect((await download(admin, id)).headers.get('location')).toBe(raw_url);
    expect((await download(admin, id, `?version_id=${first}`)).bytes.equals(TEXT)).toBe(true);
    const again = (await update({ raw_url: `${raw_url}?2` })).result.file;
    expect(again.version_id).toBe(elsewhere.version_id);
    const restored = (await update({ restore_version_id: first })).result.file;
    expect(restored).toMatchObject({ file_version: 3, sha256: sha256Of(TEXT) });
    expect((await download(admin, id)).bytes.equals(TEXT)).toBe(true);
  });

  it('a URL elsewhere completes a file that waits for its content, unless the update says otherwise', async () => {
    const raw_url = 'https://example.com/n.bin';
    const updated = async (payload: object) => {
      const { id, upload_status } = await file('n.bin');
      expect(upload_status).toBe('QUEUED');
      return (await act(admin, 'UPDATE_FILE', { id, raw_url, ...payload })).result.file;
    };
    const { id, ...elsewhere } = await updated({});
    expect(elsewhere).toMatchObject({ file_version: 1, upload_status: 'COMPLETED', raw_url });
    expect((await download(admin, id)).headers.get('location')).toBe(raw_url);
    expect(await updated({ upload_status: 'PENDING' })).toMatchObject({ upload_status: 'PENDING' });
    const { id: waiting, raw_url: own } = await file('o.bin');
    const { result } = await act(admin, 'UPDATE_FILE', { id: waiting, raw_url: own, notes: 'x' });
    expect(result.file).toMatchObject({ upload_status: 'QUEUED', notes: 'x' });
  });

  it('the own URL of a file with content changes nothing, and no URL goes with a form', async () => {
    const { id, version_id, raw_url } = await file('m.bin');
    await put(admin, id, TEXT);
    const { result } = await act(admin, 'UPDATE_FILE', { id, raw_url });
    expect(result.file).toMatchObject({ version_id, sha256: sha256Of(TEXT), raw_url });
    const payload = { id, raw_url: 'https://example.com/m.bin', request_presigned_url: true };
    const { error } = await act(admin, 'UPDATE_FILE', payload);
    expect([error.code, error.details[0].pointer]).toEqual([400, '/raw_url']);
    expect((await download(admin, id)).bytes.equals(TEXT)).toBe(true);
  });

  it('a repeated request is answered with the form of the same version', async () => {
    const { id } = await file('form.bin');
    await put(admin, id, TEXT);
    const payload = { id, name: 'renamed.bin', request_presigned_url: true };
    const body = { actions: [{ action: 'UPDATE_FILE', payload }] };
    const form = async () => {
      const { body: answer } = await admin.post('/directory/action', body, {
        'idempotency-key': 'form-1',
      });
      return answer[0].response.result.upload;
    };
    const first = await form();
    expect(first.url).toContain('/directory/content');
    expect(await form()).toEqual(first);
  });

  it('copies share the content, and keep it when the source is deleted', async () => {
    const { id } = await file('l.bin');
    const bytes = randomBytes(1000);
    await put(admin, id, bytes);
    const { result: copy } = await act(admin, 'COPY_FILE', {
      id,
      destination_folder_id: disk.root_folder,
    });
    expect(copy).toMatchObject({ sha256: sha256Of(bytes), content_available: true });
    await act(admin, 'DELETE_FILE', { id, permanent: true });
    expect((await download(admin, copy.id)).bytes.equals(bytes)).toBe(true);
  });

  it('an unknown file is 404, one on another type of disk 400, one without content 404', async () => {
    const unknown = await put(admin, 'FileID_unknown', TEXT);
    expect([unknown.status, unknown.body.err.type]).toEqual([404, 'file.not-found']);
    const cache = await makeDisk(org, { disk_type: 'BROWSER_CACHE' });
    const { id } = await makeFile(admin, cache, 'x.bin');
    const elsewhere = await put(admin, id, TEXT);
    expect([elsewhere.status, elsewhere.body.err.type]).toEqual([400, 'content.elsewhere']);
    const empty = await file('m.bin');
    const none = await download(admin, empty.id);
    expect([none.status, none.body.err.type]).toEqual([404, 'content.none']);
  });

  it('the read model has no documents of contents and versions, and verify does not miss any', async () => {
    const verify = async () => (await admin.post('/organization/verify', {})).data;
    const fits = { valid: true, reason: null, drift_documents: 0 };
    expect(await verify()).toMatchObject(fits);
    expect((await admin.post('/organization/reindex', { force: true })).status).toBe(200);
    const { id } = await file('after-reindex.bin');
    await put(admin, id, TEXT);
    await put(admin, id, randomBytes(10));
    expect(await verify()).toMatchObject(fits);
  });

  it('leaves nothing in the store that no file names', async () => {
    if (service.server.stores.on_server) return;
    const stored = await service.server.stores.contents.list(org.drive_id, '', 10_000);
    const drive = await service.server.drives.open(org.drive_id);
    const named = [...drive.state.contents.ids()];
    expect(stored.map(({ content_id }) => content_id)).toEqual(named.sort());
  });
});
