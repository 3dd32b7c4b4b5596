import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Uploads } from '../../libs/application/content/uploads.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import type { Organization } from '../support/client.js';
import { download, type Form, postForm, put, raw } from '../support/content.js';
import { act, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const TEXT = Buffer.from('the first content');

describe('hostile uploads', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;
  let now = Date.now();
  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => now });
    org = await service.organization('Bob');
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  const formOf = async (name: string, file_size = 1000) => {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const { result } = await act(org.admin, 'CREATE_FILE', { name, ...place, file_size });
    return result as { file: any; upload: Form };
  };
  const unchanged = async (id: string): Promise<void> => {
    const { file } = (await act(org.admin, 'GET_FILE', { id })).result;
    expect(file).toMatchObject({ upload_status: 'QUEUED', sha256: null });
  };
  const post = (url: string, body: string, boundary = 'b') =>
    raw(org.admin, url, {
      method: 'POST',
      body,
      with_token: false,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
  const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}\r\n`;
  const named = (name: string, value: string) =>
    part(`Content-Disposition: form-data; name="${name}"`, value);

  it('a form that has expired, or whose key was revoked, is refused', async () => {
    const { file, upload } = await formOf('expired.bin');
    now += 24 * 3_600_000 + 1;
    const late = await postForm(org.admin, upload, TEXT);
    expect([late.status, late.body.err.type]).toEqual([403, 'content.upload-expired']);
    await unchanged(file.id);
    const { data: key } = await org.admin.post('/api_keys/create', { name: 'short-lived' });
    const by_key = org.as(key.value);
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const payload = { name: 'revoked.bin', ...place, file_size: 100 };
    const { result } = await act(by_key, 'CREATE_FILE', payload);
    await org.admin.post('/api_keys/update', { id: key.id, is_revoked: true });
    const revoked = await postForm(org.admin, result.upload, TEXT);
    expect([revoked.status, revoked.body.err.type]).toEqual([401, 'token.invalid']);
    await unchanged(result.file.id);
  });

  it('names of the client lead nowhere', async () => {
    const { file, upload } = await formOf('safe.bin');
    const { policy, signature } = upload.fields as { policy: string; signature: string };
    const body =
      named('policy', policy) +
      named('signature', signature) +
      named('key', '../../../etc/passwd') +
      part(
        'Content-Disposition: form-data; name="file"; filename="../../master.key"\r\nContent-Type: text/html',
        'bytes',
      ) +
      '--b--\r\n';
    const answer = await post(upload.url, body);
    expect([answer.status, answer.body.ok?.data.file.name]).toEqual([200, 'safe.bin']);
    expect((await download(org.admin, file.id)).bytes.toString()).toBe('bytes');
    for (const id of ['..%2F..%2Fmaster.key', 'FileID_..%2f..', 'FileID_%00']) {
      const refused = await put(org.admin, id, TEXT);
      expect([refused.status, refused.body.err.type]).toEqual([400, 'request.invalid']);
    }
  });

  it('a form that ends early, or is all head, is refused and keeps nothing', async () => {
    const { file, upload } = await formOf('cut.bin');
    const { policy, signature } = upload.fields as { policy: string; signature: string };
    const fields = named('policy', policy) + named('signature', signature);
    const opened = 'Content-Disposition: form-data; name="file"; filename="a"';
    const cut = await post(upload.url, `${fields}--b\r\n${opened}\r\n\r\nhalf of the by`);
    expect([cut.status, cut.body.err.type]).toEqual([400, 'content.malformed-form']);
    const without_name = part('Content-Disposition: form-data', 'x');
    const nameless = await post(upload.url, `${fields}${without_name}--b--\r\n`);
    expect([nameless.status, nameless.body.err.type]).toEqual([400, 'content.malformed-form']);
    const endless = await post(upload.url, 'a'.repeat(3_000_000));
    expect([endless.status, endless.body.err.type]).toEqual([400, 'content.malformed-form']);
    await unchanged(file.id);
  });

  it.each([1, 100_000])('fields after the file do not count, if it has %d bytes', async (bytes) => {
    const { file, upload } = await formOf(`late-${bytes}.bin`, bytes);
    const { policy, signature } = upload.fields as { policy: string; signature: string };
    const fields = named('policy', policy) + named('signature', signature);
    const opened = 'Content-Disposition: form-data; name="file"; filename="a"';
    const sent = part(opened, 'x'.repeat(bytes));
    const late = await post(upload.url, `${sent}${fields}--b--\r\n`);
    expect([late.status, late.body.err.type]).toEqual([403, 'content.upload-expired']);
    await unchanged(file.id);
    // Such as a button of the page.
    const after = await post(upload.url, `${fields}${sent}${named('send', 'Send')}--b--\r\n`);
    expect(after.status).toBe(200);
  });

  it('a type that is none is refused, in a form and in a PUT of a stranger', async () => {
    const { file, upload } = await formOf('typed.bin');
    const { policy, signature } = upload.fields as { policy: string; signature: string };
    const fields = named('policy', policy) + named('signature', signature);
    const opened = 'Content-Disposition: form-data; name="file"; filename="a"';
    for (const type of ['png', `a/${'b'.repeat(300)}`]) {
      const typed = part(`${opened}\r\nContent-Type: ${type}`, 'x'.repeat(300_000));
      const { status, body } = await post(upload.url, `${fields}${typed}--b--\r\n`);
      expect([status, body.err?.type]).toEqual([400, 'request.invalid-header']);
    }
    await unchanged(file.id);
    const headers = { 'content-type': `a/b${';'.repeat(200)}"` };
    const refused = await put(org.as(), file.id, TEXT, headers);
    expect(refused.status).toBe(401);
    const without_rights = await put(org.members[0]!, 'FileID_none', TEXT, headers);
    expect([without_rights.status, without_rights.body.err.type]).toEqual([
      400,
      'request.invalid-header',
    ]);
  });

  it('headers without end are ignored, not collected', async () => {
    const opened = 'Content-Disposition: form-data; name="file"; filename="a"';
    for (const padding of [
      'X-Padding: aaaaaaaaaaaaaaaa\r\n'.repeat(20_000).trimEnd(),
      `X-Long: ${'a'.repeat(1_000_000)}`,
    ]) {
      const { file, upload } = await formOf('padded.bin');
      const { policy, signature } = upload.fields as { policy: string; signature: string };
      const fields = named('policy', policy) + named('signature', signature);
      const body = `${fields}${part(`${opened}\r\n${padding}`, 'x')}--b--\r\n`;
      const { status } = await post(upload.url, body);
      const kept = await download(org.admin, file.id);
      expect([status, kept.bytes.toString().slice(0, 1)]).toEqual(
        status === 200 ? [200, 'x'] : [400, '{'],
      );
    }
  });

  it('a compressed transfer is 400 and keeps nothing', async () => {
    const { id } = await makeFile(org.admin, disk, 'compressed.bin');
    const sending = request(`${org.admin.base}/directory/content/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${org.admin.token}`, 'transfer-encoding': 'gzip, chunked' },
    });
    sending.end(gzipSync(TEXT));
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    const { err } = JSON.parse(await text(response));
    expect([response.statusCode, err.type]).toEqual([400, 'request.invalid-header']);
    expect(err.message).toContain('Transfer-Encoding');
    await unchanged(id);
  });

  it('an interrupted PUT keeps nothing', async () => {
    // The other process may receive it.
    if (service.server.stores.on_server) return;
    const { id } = await makeFile(org.admin, disk, 'interrupted.bin');
    const abort = new AbortController();
    const sent = Promise.withResolvers<void>();
    async function* some() {
      yield randomBytes(200_000);
      sent.resolve();
      await new Promise(() => {});
    }
    const url = `${org.admin.base}/directory/content/${id}`;
    const sending = fetch(url, {
      method: 'PUT',
      body: some() as never,
      duplex: 'half',
      signal: abort.signal,
      headers: { authorization: `Bearer ${org.admin.token}` },
    } as RequestInit);
    sending.catch(() => {});
    const uploads = service.server.app.get(Uploads, { strict: false });
    await eventually(() => uploads.in_progress === 1);
    await sent.promise;
    abort.abort();
    await expect(sending).rejects.toThrow('aborted');
    await eventually(() => uploads.in_progress === 0);
    await unchanged(id);
    const stored = await service.server.stores.contents.list(org.drive_id, '', 1000);
    const { state } = await service.server.drives.open(org.drive_id);
    expect(stored.filter(({ content_id }) => !state.contents.has(content_id))).toEqual([]);
  });
});
