import { jest } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { UnfinishedUploads } from '../../libs/application/content/resumable/unfinished-uploads.js';
import type { Client, Organization } from '../support/client.js';
import { download, put, raw, sha256Of } from '../support/content.js';
import { act, makeClosedDisk, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { createUpload, ofUpload, sendTo, startTus } from '../support/tus.js';

const MIB = 2 ** 20;
const DAY_MS = 86_400_000;

describe('resumable uploads', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;
  let bob: Client;
  let disk: TestDisk;
  let now = Date.now();

  beforeAll(async () => {
    service = await TestService.start(
      { CONTENT_UNFINISHED_UPLOADS_MAX: '20', CONTENT_MAX_BYTES: String(64 * MIB) },
      { clock: () => now },
    );
    org = await service.organization('Bob');
    admin = org.admin;
    bob = org.members[0]!;
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  const file = (name: string) => makeFile(admin, disk, name);
  const get = async (id: string) => (await act(admin, 'GET_FILE', { id })).result.file;
  const versions = async (file_id: string) =>
    (await admin.post('/directory/versions', { file_id })).data.items;
  const url = (created: { headers: Headers }) => created.headers.get('location')!;
  const begin = async (file_id: string, length: number | null, client = admin) =>
    url(await createUpload(client, file_id, length));
  const offset = async (at: string) => (await ofUpload(admin, at)).headers.get('upload-offset');
  const problem = ({ status, body }: { status: number; body: any }) => [status, body?.err.type];
  const checksum = (bytes: Buffer, name = 'sha256') => ({
    'upload-checksum': `${name} ${createHash(name).update(bytes).digest('base64')}`,
  });
  const isRefused = (status: number, type: string) =>
    expect.objectContaining({
      message: expect.stringMatching(`response code: ${status}.*${type}`),
    });

  /** Contents of uploads in the store. */
  async function kept(): Promise<string[]> {
    const stored = await service.server.stores.contents.list(org.drive_id, '', 1000);
    return stored.map(({ content_id }) => content_id).filter(isUploads);
  }

  it('ignores an Idempotency-Key, since the upload itself is done once', async () => {
    const { id } = await file('keyed.bin');
    const at = await begin(id, 6);
    const key = { 'idempotency-key': 'k' };
    expect((await sendTo(admin, at, 0, Buffer.from('abc'), key)).status).toBe(204);
    expect((await sendTo(admin, at, 3, Buffer.from('def'), key)).status).toBe(204);
    expect((await download(admin, id)).bytes.toString()).toBe('abcdef');
    expect(await versions(id)).toHaveLength(1);
  });

  it('refuses bytes beyond its end after it is complete, and repeats its end for none', async () => {
    const { id } = await file('surplus.bin');
    const at = await begin(id, 3);
    expect((await sendTo(admin, at, 0, Buffer.from('abc'))).status).toBe(204);
    expect(problem(await sendTo(admin, at, 3, Buffer.from('XYZ')))).toEqual([
      400,
      'content.mismatch',
    ]);
    expect((await sendTo(admin, at, 3, Buffer.alloc(0))).status).toBe(204);
    expect((await download(admin, id)).bytes.toString()).toBe('abc');
  });

  it('goes on after the user has another id', async () => {
    const own = await service.organization('Swapped', 'Else');
    const [swapped, other] = own.members;
    const { id } = await makeFile(own.admin, await makeDisk(own), 'swapped.bin');
    const bytes = Buffer.from('two parts');
    const at = await begin(id, bytes.length, swapped);
    expect((await sendTo(swapped!, at, 0, bytes.subarray(0, 4))).status).toBe(204);
    const ids = { current_user_id: swapped!.user_id, new_user_id: `UserID_${'s'.repeat(27)}` };
    expect((await own.admin.post('/organization/superswap_user', ids)).status).toBe(200);
    expect((await ofUpload(other!, at)).status).toBe(404);
    expect((await ofUpload(swapped!, at)).headers.get('upload-offset')).toBe('4');
    expect((await sendTo(swapped!, at, 4, bytes.subarray(4))).status).toBe(204);
    expect((await download(own.admin, id)).bytes.toString()).toBe('two parts');
  });

  describe('by tus-js-client', () => {
    it('30 MiB in chunks become one version, byte by byte the same', async () => {
      const { id } = await file('a.bin');
      const bytes = randomBytes(30 * MIB);
      await startTus(admin, id, bytes, {
        chunkSize: 7 * MIB,
        metadata: { file_id: id, filetype: 'video/mp4' },
      }).done;
      expect(await get(id)).toMatchObject({
        ...{ file_size: bytes.length, sha256: sha256Of(bytes), upload_status: 'COMPLETED' },
        ...{ media_type: 'video/mp4', file_version: 1 },
      });
      expect(sha256Of((await download(admin, id)).bytes)).toBe(sha256Of(bytes));
      expect(await versions(id)).toHaveLength(1);
    });

    it('an aborted one resumes where the bytes received end', async () => {
      const { id } = await file('b.bin');
      const bytes = randomBytes(30 * MIB);
      const progressed = Promise.withResolvers<void>();
      const { upload } = startTus(admin, id, bytes, {
        onProgress: (sent) => sent > 2 * MIB && progressed.resolve(),
      });
      await progressed.promise;
      await upload.abort();
      const received = Number(await offset(upload.url!));
      expect(received).toBeGreaterThan(0);
      expect(received).toBeLessThan(bytes.length);
      const offsets: (string | undefined)[] = [];
      await startTus(admin, id, bytes, {
        uploadUrl: upload.url,
        onBeforeRequest: (request) => void offsets.push(request.getHeader('Upload-Offset')),
      }).done;
      expect(offsets).toEqual([undefined, String(received)]);
      expect(await get(id)).toMatchObject({ sha256: sha256Of(bytes), file_version: 1 });
    });

    it('a length announced late, and bytes sent with the creation', async () => {
      const { id } = await file('c.bin');
      const bytes = randomBytes(3 * MIB);
      const one = { uploadLengthDeferred: true, chunkSize: MIB };
      await startTus(admin, id, bytes, one).done;
      expect(await get(id)).toMatchObject({ sha256: sha256Of(bytes), file_version: 1 });
      const other = randomBytes(2 * MIB);
      await startTus(admin, id, other, { uploadDataDuringCreation: true, chunkSize: MIB }).done;
      expect(await get(id)).toMatchObject({ sha256: sha256Of(other), file_version: 2 });
      await startTus(admin, id, Buffer.alloc(0)).done;
      expect(await get(id)).toMatchObject({ file_size: 0, file_version: 3 });
    });

    it('a terminated one is gone', async () => {
      const { id } = await file('d.bin');
      const progressed = Promise.withResolvers<void>();
      const { upload } = startTus(admin, id, randomBytes(10 * MIB), {
        chunkSize: MIB,
        onProgress: (sent) => sent > 4 * MIB && progressed.resolve(),
      });
      await progressed.promise;
      await upload.abort(true);
      expect((await ofUpload(admin, upload.url!)).status).toBe(404);
      expect(await get(id)).toMatchObject({ upload_status: 'QUEUED' });
    });

    it('a refusal is an error in the envelope', async () => {
      const folder = await makeFile(bob, disk, 'e.bin');
      const { done } = startTus(admin, `${folder.id}x`, randomBytes(10));
      await expect(done).rejects.toEqual(isRefused(404, 'file.not-found'));
    });
  });

  it('tells what it supports, to browsers too', async () => {
    const path = `/v1/drive/${org.drive_id}/directory/uploads`;
    for (const at of [path, `${path}/any`, `/v1/drive/DriveID_other/directory/uploads`]) {
      const { status, headers } = await raw(admin, service.url + at, {
        method: 'OPTIONS',
        with_token: false,
      });
      expect(status).toBe(204);
      expect(headers.get('tus-version')).toBe('1.0.0');
      expect(headers.get('tus-max-size')).toBe(String(64 * MIB));
      expect(headers.get('tus-checksum-algorithm')).toBe('sha1,sha256');
      expect(headers.get('tus-extension')).toContain('creation');
      expect(headers.get('access-control-allow-methods')).toContain('PATCH');
      expect(headers.get('access-control-allow-headers')).toContain('Upload-Offset');
      expect(headers.get('access-control-expose-headers')).toContain('Upload-Offset');
    }
  });

  it('the state of an upload', async () => {
    const { id } = await file('f.bin');
    const created = await createUpload(admin, id, 100, { metadata: { filename: 'é.bin' } });
    expect(created.status).toBe(201);
    expect(created.headers.get('tus-resumable')).toBe('1.0.0');
    expect(created.headers.get('drive-revision')).toMatch(/^\d+$/);
    const expires = new Date(now + DAY_MS).toUTCString();
    expect(created.headers.get('upload-expires')).toBe(expires);
    const patched = await sendTo(admin, url(created), 0, randomBytes(60));
    expect([patched.status, patched.headers.get('upload-offset')]).toEqual([204, '60']);
    const { status, headers } = await ofUpload(admin, url(created));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('upload-offset')).toBe('60');
    expect(headers.get('upload-length')).toBe('100');
    expect(headers.get('upload-expires')).toBe(expires);
    expect(headers.get('upload-metadata')).toContain(
      `filename ${Buffer.from('é.bin').toString('base64')}`,
    );
    const deferred = await ofUpload(admin, await begin(id, null));
    expect(deferred.headers.get('upload-defer-length')).toBe('1');
    expect(deferred.headers.get('upload-length')).toBeNull();
  });

  it('a finished upload stays known, and is not completed twice', async () => {
    const { id } = await file('g.bin');
    const at = await begin(id, 10);
    const last = await sendTo(admin, at, 0, randomBytes(10));
    expect(last.headers.get('upload-expires')).toBeNull();
    const revision = last.headers.get('drive-revision');
    for (const again of [await ofUpload(admin, at), await sendTo(admin, at, 10, '')]) {
      expect([again.status < 300, again.headers.get('upload-offset')]).toEqual([true, '10']);
      expect(again.headers.get('drive-revision')).toBe(revision);
    }
    expect(await versions(id)).toHaveLength(1);
    expect((await ofUpload(admin, at, 'DELETE')).status).toBe(204);
    expect((await ofUpload(admin, at)).status).toBe(404);
    expect(await get(id)).toMatchObject({ upload_status: 'COMPLETED' });
  });

  it('an upload whose completion broke off behind its event is completed again as the same version', async () => {
    const { id } = await file('r.bin');
    const bytes = randomBytes(10);
    const at = await begin(id, 10);
    const unfinished = service.server.app.get(UnfinishedUploads);
    const finish = jest.spyOn(unfinished, 'finish').mockRejectedValueOnce(new Error('broken off'));
    expect((await sendTo(admin, at, 0, bytes)).status).toBe(500);
    finish.mockRestore();
    expect(await versions(id)).toHaveLength(1);
    for (const again of [await ofUpload(admin, at), await sendTo(admin, at, 10, '')])
      expect(again.headers.get('upload-offset')).toBe('10');
    expect(await versions(id)).toMatchObject([{ sha256: sha256Of(bytes), is_current: true }]);
  });

  it('a wrong checksum is 460 and keeps nothing of the request; a right one is accepted', async () => {
    const { id } = await file('h.bin');
    const bytes = randomBytes(20 * MIB);
    const at = await begin(id, bytes.length);
    const first = bytes.subarray(0, 9 * MIB);
    const wrong = await sendTo(admin, at, 0, first, checksum(bytes));
    expect(problem(wrong)).toEqual([460, 'upload.wrong-checksum']);
    expect(await offset(at)).toBe('0');
    expect((await sendTo(admin, at, 0, first, checksum(first, 'sha1'))).status).toBe(204);
    for (const value of ['md5 AAAA', 'sha256 AAAA', 'sha256']) {
      const answer = await sendTo(admin, at, first.length, 'x', { 'upload-checksum': value });
      expect(problem(answer)).toEqual([400, 'request.invalid-header']);
    }
    const rest = bytes.subarray(first.length);
    expect((await sendTo(admin, at, first.length, rest, checksum(rest))).status).toBe(204);
    expect(await get(id)).toMatchObject({ sha256: sha256Of(bytes) });
  });

  it('the SHA-256 in the metadata holds for the whole content', async () => {
    const { id } = await file('i.bin');
    const bytes = randomBytes(100);
    const digest = createHash('sha256').update(bytes).digest();
    for (const sha256 of [digest, digest.toString('hex'), digest.toString('base64')]) {
      const created = await createUpload(admin, id, 100, { metadata: { sha256 } });
      expect((await sendTo(admin, url(created), 0, bytes)).status).toBe(204);
    }
    const created = await createUpload(admin, id, 100, { metadata: { sha256: digest } });
    const wrong = await sendTo(admin, url(created), 0, randomBytes(100));
    expect(problem(wrong)).toEqual([400, 'content.mismatch']);
    expect((await ofUpload(admin, url(created))).status).toBe(404);
    expect(await versions(id)).toHaveLength(3);
  });

  it('more bytes than announced are refused, whether or not the request says how many', async () => {
    const { id } = await file('j.bin');
    const at = await begin(id, 8 * MIB);
    const long = randomBytes(9 * MIB);
    async function* chunks() {
      yield long.subarray(0, 8 * MIB);
      yield long.subarray(8 * MIB);
    }
    for (const body of [long, chunks()]) {
      expect(problem(await sendTo(admin, at, 0, body))).toEqual([400, 'content.mismatch']);
      expect(await offset(at)).toBe('0');
    }
    expect(await get(id)).toMatchObject({ upload_status: 'QUEUED' });
    const late = await begin(id, null);
    await sendTo(admin, late, 0, randomBytes(10));
    const short = await sendTo(admin, late, 10, '', { 'upload-length': '9' });
    expect(problem(short)).toEqual([400, 'request.invalid-header']);
    expect((await sendTo(admin, late, 10, '', { 'upload-length': '20' })).status).toBe(204);
    expect((await ofUpload(admin, late)).headers.get('upload-length')).toBe('20');
  });

  it('the last bytes are acknowledged also if another process completes the upload meanwhile', async () => {
    const { id } = await file('raced.bin');
    const at = await begin(id, 6);
    expect((await sendTo(admin, at, 0, 'abc')).status).toBe(204);
    const { append } = UnfinishedUploads.prototype;
    const appending = jest
      .spyOn(UnfinishedUploads.prototype, 'append')
      .mockImplementationOnce(async function (this: UnfinishedUploads, ...given) {
        const stored = await append.apply(this, given);
        await this.finish(given[0], stored, 1);
        return stored;
      });
    const last = await sendTo(admin, at, 3, 'def');
    appending.mockRestore();
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '6']);
    expect(await offset(at)).toBe('6');
  });

  it('too large a content is 413, on creation where the length is announced', async () => {
    const { id } = await file('k.bin');
    const large = await createUpload(admin, id, 64 * MIB + 1);
    expect(problem(large)).toEqual([413, 'content.too-large']);
    const deferred = await begin(id, null);
    const late = await sendTo(admin, deferred, 0, '', { 'upload-length': String(65 * MIB) });
    expect(problem(late)).toEqual([413, 'content.too-large']);
    expect((await ofUpload(admin, deferred)).status).toBe(404);
  });

  it('a wrong offset is 409; another request meanwhile 423, and HEAD interrupts the one in progress', async () => {
    const { id } = await file('l.bin');
    const bytes = randomBytes(3 * MIB);
    const at = await begin(id, bytes.length);
    expect(problem(await sendTo(admin, at, 1, 'x'))).toEqual([409, 'upload.wrong-offset']);
    const sent = Promise.withResolvers<void>();
    async function* halting() {
      yield bytes.subarray(0, MIB);
      sent.resolve();
      await new Promise(() => {});
    }
    const first = sendTo(admin, at, 0, halting()).then(
      ({ status }) => status,
      () => 'disconnected',
    );
    await sent.promise;
    let second = await sendTo(admin, at, 0, 'x');
    // The first request may still be on its way.
    while (second.status === 204) second = await sendTo(admin, await begin(id, 5), 0, 'x');
    expect(problem(second)).toEqual([423, 'upload.locked']);
    expect(second.headers.get('retry-after')).toBe('1');
    const received = Number(await offset(at));
    expect(received).toBeLessThanOrEqual(MIB);
    expect([423, 'disconnected']).toContain(await first);
    expect((await sendTo(admin, at, received, bytes.subarray(received))).status).toBe(204);
    expect(await get(id)).toMatchObject({ sha256: sha256Of(bytes), file_version: 1 });
  });

  it('the upload of another user is 404', async () => {
    const { id } = await makeFile(bob, disk, 'm.bin');
    const at = await begin(id, 10, bob);
    for (const answer of [
      await ofUpload(admin, at),
      await sendTo(admin, at, 0, 'x'),
      await ofUpload(admin, at, 'DELETE'),
      await sendTo(admin, `${at.slice(0, at.lastIndexOf('/'))}/UploadID_x`, 0, 'x'),
    ])
      expect(answer.status).toBe(404);
    expect(problem(await sendTo(admin, at, 0, 'x'))).toEqual([404, 'upload.not-found']);
    expect(
      (
        await raw(admin, at, {
          method: 'PATCH',
          with_token: false,
          headers: { 'tus-resumable': '1.0.0' },
        })
      ).status,
    ).toBe(401);
    expect((await ofUpload(bob, at)).status).toBe(200);
  });

  it('a grant revoked meanwhile refuses the rest, and nothing is kept', async () => {
    const closed = await makeClosedDisk(org);
    const { id } = await makeFile(admin, closed, 'n.bin');
    const denied = await createUpload(bob, id, 10);
    expect(problem(denied)).toEqual([403, 'permission.denied']);
    const { data: granted } = await admin.post('/permissions/directory/create', {
      resource_id: id,
      granted_to: bob.user_id,
      permission_types: ['EDIT'],
    });
    const before = await kept();
    const at = await begin(id, 10, bob);
    expect((await sendTo(bob, at, 0, randomBytes(4))).status).toBe(204);
    await admin.post('/permissions/directory/delete', { permission_id: granted.id });
    expect(problem(await sendTo(bob, at, 4, randomBytes(6)))).toEqual([403, 'permission.denied']);
    expect((await ofUpload(bob, at)).status).toBe(404);
    expect(await kept()).toEqual(before);
    expect(await get(id)).toMatchObject({ upload_status: 'QUEUED' });
  });

  it('a key that is revoked before the last byte leaves the upload to other keys of its user', async () => {
    const { id } = await file('key.bin');
    const { data: key } = await admin.post('/api_keys/create', { name: 'Key' });
    const bytes = randomBytes(3);
    const at = await begin(id, bytes.length);
    const sent = Promise.withResolvers<void>();
    const revoked = Promise.withResolvers<void>();
    async function* halting() {
      yield bytes.subarray(0, 1);
      sent.resolve();
      await revoked.promise;
      yield bytes.subarray(1);
    }
    const last = sendTo(org.as(key.value), at, 0, halting());
    await sent.promise;
    await admin.post('/api_keys/update', { id: key.id, is_revoked: true });
    revoked.resolve();
    expect(problem(await last)).toEqual([401, 'token.invalid']);
    expect(await offset(at)).toBe('3');
    expect(await get(id)).toMatchObject({ sha256: sha256Of(bytes), file_version: 1 });
  });

  it('invalid headers are 400, another version 412, another type 415', async () => {
    const { id } = await file('o.bin');
    const made = (headers: Record<string, string>) => createUpload(admin, id, 5, { headers });
    for (const headers of [
      { 'upload-length': 'x' },
      { 'upload-defer-length': '1' },
      { 'upload-metadata': '' },
      { 'upload-metadata': 'file_id !' },
      { 'upload-metadata': 'file_id Rm9sZGVySURfYQ==' },
      { 'upload-concat': 'partial' },
      { 'dry-run': 'true' },
    ] as Record<string, string>[])
      expect(problem(await made(headers))).toEqual([400, 'request.invalid-header']);
    const version = await made({ 'tus-resumable': '0.2.2' });
    expect(problem(version)).toEqual([412, 'upload.wrong-version']);
    expect(version.headers.get('tus-version')).toBe('1.0.0');
    const at = await begin(id, 5);
    const type = await sendTo(admin, at, 0, 'x', { 'content-type': 'text/plain' });
    expect(problem(type)).toEqual([415, 'upload.wrong-type']);
    const none = { 'upload-offset': '' };
    expect(problem(await sendTo(admin, at, 0, 'x', none))).toEqual([400, 'request.invalid-header']);
    const cache = await makeDisk(org, { disk_type: 'BROWSER_CACHE' });
    const elsewhere = await createUpload(admin, (await makeFile(admin, cache, 'x.bin')).id, 5);
    expect(problem(elsewhere)).toEqual([400, 'content.elsewhere']);
  });

  it('an expired upload is 410 and gone; the number of unfinished ones is limited', async () => {
    const { id } = await makeFile(bob, disk, 'p.bin');
    const all: string[] = [];
    let created = await createUpload(bob, id, 10);
    for (; created.status === 201; created = await createUpload(bob, id, 10))
      all.push(url(created));
    expect(problem(created)).toEqual([429, 'upload.too-many']);
    expect(all.length).toBeLessThanOrEqual(20);
    // The first refusal has read them all.
    const size = jest.spyOn(service.server.stores.contents, 'size');
    expect((await createUpload(bob, id, 10)).status).toBe(429);
    const lookups = service.server.stores.on_server ? [] : size.mock.calls;
    expect(lookups).toEqual([]);
    size.mockRestore();
    await sendTo(bob, all[0]!, 0, randomBytes(5));
    expect((await createUpload(admin, id, 10)).status).toBe(201);
    await ofUpload(bob, all[1]!, 'DELETE');
    expect((await createUpload(bob, id, 10)).status).toBe(201);
    now += DAY_MS;
    const late = await sendTo(bob, all[0]!, 5, randomBytes(5));
    expect(problem(late)).toEqual([410, 'upload.expired']);
    expect((await ofUpload(bob, all[0]!)).status).toBe(404);
    expect((await createUpload(bob, id, 10)).status).toBe(201);
    now -= DAY_MS;
  });

  it('leaves nothing of finished uploads but their marks', async () => {
    const { id } = await file('q.bin');
    await put(admin, id, 'first');
    const before = await kept();
    const at = await begin(id, 3 * MIB);
    await sendTo(admin, at, 0, randomBytes(3 * MIB));
    const added = (await kept()).filter((name) => !before.includes(name));
    expect(added).toEqual([expect.stringMatching(/^UploadDone_/)]);
    const drive = await service.server.drives.open(org.drive_id);
    const stored = await service.server.stores.contents.list(org.drive_id, '', 1000);
    const contents = stored.map(({ content_id }) => content_id).filter((name) => !isUploads(name));
    expect(contents.sort()).toEqual([...drive.state.contents.ids()].sort());
  });
});

/** True for what is kept for resumable uploads. */
function isUploads(content_id: string): boolean {
  return content_id.startsWith('Upload');
}
