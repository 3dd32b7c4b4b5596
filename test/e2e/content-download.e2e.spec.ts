import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Client, Organization } from '../support/client.js';
import { download, put, raw, sha256Of } from '../support/content.js';
import { act, makeClosedDisk, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { onSmallContents, SMALL_DAMAGE } from '../support/small-contents.js';
import { TestService } from '../support/service.js';

const SIZE = 150_000;

describe('downloads of content', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;
  let bob: Client;
  let disk: TestDisk;
  let id: string;
  const bytes = randomBytes(SIZE);
  const older = randomBytes(SIZE);
  let former: string;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Cid');
    admin = org.admin;
    bob = org.members[0]!;
    disk = await makeDisk(org);
    const made = await makeFile(admin, disk, 'résumé "1".pdf');
    id = made.id;
    former = made.version_id;
    await put(admin, id, older);
    await put(admin, id, bytes);
  });
  afterAll(() => service.stop());

  const ranged = (range: string, headers: Record<string, string> = {}) =>
    download(admin, id, '', { range, ...headers });

  it('has all headers that describe it', async () => {
    const { headers, bytes: got } = await download(admin, id);
    expect(got.equals(bytes)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(SIZE),
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="r_sum_ _1_.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9%20%221%22.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-cache',
      etag: `"${sha256Of(bytes)}"`,
    });
    const saved = await download(admin, id, '?download=1');
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  it('HEAD has the headers without the bytes', async () => {
    const head = await raw(admin, `/directory/asset/${id}.pdf`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([
      200,
      String(SIZE),
      0,
    ]);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-65535', 0, 65_536],
    ['bytes=65535-65536', 65_535, 65_537],
    ['bytes=149999-', 149_999, SIZE],
    ['bytes=100000-999999', 100_000, SIZE],
    ['bytes=-5', SIZE - 5, SIZE],
    ['bytes=-999999', 0, SIZE],
    ['bytes=-99999999999999999999', 0, SIZE],
    ['bytes=0-99999999999999999999', 0, SIZE],
    ['BYTES=0-1', 0, 2],
  ])('%s', async (range, from, to) => {
    const part = await ranged(range);
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${SIZE}`);
    expect(part.bytes.equals(bytes.subarray(from, to))).toBe(true);
  });

  it('a range behind the end is 416; what is no single range of bytes gives all', async () => {
    const behind = await ranged(`bytes=${SIZE}-`);
    expect([behind.status, behind.body.err.type]).toEqual([416, 'content.range']);
    expect((await ranged('bytes=99999999999999999999-')).status).toBe(416);
    expect(behind.headers.get('content-range')).toBe(`bytes */${SIZE}`);
    // They are of the content, and the body is none of it.
    for (const name of ['repr-digest', 'last-modified', 'etag', 'content-disposition'])
      expect(behind.headers.get(name)).toBeNull();
    for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=x'])
      expect((await ranged(range)).status).toBe(200);
  });

  it('validators save the transfer, and If-Range decides about the part', async () => {
    const { headers } = await download(admin, id);
    const etag = headers.get('etag')!;
    const modified = headers.get('last-modified')!;
    const status = async (given: Record<string, string>) =>
      (await download(admin, id, '', given)).status;
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-none-match': '"other"' })).toBe(200);
    expect(await status({ 'if-modified-since': modified })).toBe(304);
    expect(await status({ 'if-none-match': '"other"', 'if-modified-since': modified })).toBe(200);
    expect((await ranged('bytes=0-1', { 'if-range': etag })).status).toBe(206);
    expect((await ranged('bytes=0-1', { 'if-range': modified })).status).toBe(200);
    expect((await ranged('bytes=0-1', { 'if-range': '"other"' })).status).toBe(200);
  });

  it('a type that browsers could execute is saved, whatever the client said', async () => {
    const { id: page } = await makeFile(admin, disk, 'page.pdf');
    await put(admin, page, '<script>alert(1)</script>', { 'content-type': 'text/html' });
    const { headers } = await download(admin, page);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    const wrong = await put(admin, page, 'x', { 'content-type': 'no type' });
    expect([wrong.status, wrong.body.err.type]).toEqual([400, 'request.invalid-header']);
  });

  it('a former version requires EDIT or AUDIT', async () => {
    const closed = await makeClosedDisk(org);
    const made = await makeFile(admin, closed, 'a.bin');
    await put(admin, made.id, 'secret');
    await put(admin, made.id, 'public');
    const grant = (permission_types: string[], resource_id: string, kind = 'directory') =>
      admin.post(`/permissions/${kind}/create`, {
        resource_id,
        granted_to: bob.user_id,
        permission_types,
      });
    const view = await grant(['VIEW'], made.id);
    expect((await download(bob, made.id)).bytes.toString()).toBe('public');
    const denied = await download(bob, made.id, `?version_id=${made.version_id}`);
    expect([denied.status, denied.body.err.type]).toEqual([403, 'permission.denied']);
    // Existing and unknown versions look the same.
    const unknown = await download(bob, made.id, '?version_id=FileVersionID_unknown');
    expect([unknown.status, unknown.body.err.type]).toEqual([403, 'permission.denied']);
    expect((await bob.post('/directory/versions', { file_id: made.id })).status).toBe(403);
    await grant(['VIEW'], 'TABLE_AUDIT', 'system');
    const allowed = await download(bob, made.id, `?version_id=${made.version_id}`);
    expect(allowed.bytes.toString()).toBe('secret');
    const none = await download(admin, made.id, '?version_id=FileVersionID_unknown');
    expect([none.status, none.body.err.type]).toEqual([404, 'file.version-not-found']);
    // No VIEW is required for it, which the current version requires.
    await admin.post('/permissions/directory/delete', { permission_id: view.data.id });
    const unviewed = await download(bob, made.id, `?version_id=${made.version_id}`);
    expect(unviewed.bytes.toString()).toBe('secret');
    expect((await download(bob, made.id)).status).toBe(403);
  });

  it('a past moment has its bytes', async () => {
    const { data } = await admin.post('/directory/versions', { file_id: id });
    expect(data.items).toHaveLength(2);
    const { data: history } = await admin.post('/organization/history', { resource_id: id });
    const stored = history.items
      .filter((event: any) => event.type === 'FileContentStored')
      .map((event: any) => event.revision as number)
      .sort((one: number, other: number) => one - other);
    const past = await download(admin, id, `?as_of=r${stored[0]}`);
    expect(past.bytes.equals(older)).toBe(true);
    const before = await download(admin, id, `?as_of=r${stored[0] - 1}`);
    expect([before.status, before.body.err.type]).toEqual([404, 'content.none']);
    const as_user = `&as_user=${bob.user_id}`;
    const seen = await download(admin, id, `?as_of=r${stored[1]}${as_user}`);
    expect(seen.bytes.equals(bytes)).toBe(true);
    const cid = org.members[1]!;
    expect((await download(cid, id, `?as_of=r${stored[0]}`)).status).toBe(403);
  });

  it('a link downloads its version without a token, while the caller may view it', async () => {
    const made = await makeFile(admin, disk, 'linked.bin');
    await put(admin, made.id, 'first');
    const payload = { id: made.id, request_download_url: true };
    const { result } = await act(bob, 'GET_FILE', payload);
    const { url, expires_at } = result.download;
    expect(expires_at).toBeGreaterThan(Date.now() + 3_500_000);
    const open = (to: string) => raw(admin, to, { with_token: false });
    expect((await open(url)).bytes.toString()).toBe('first');
    const forged = await open(`${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`);
    expect([forged.status, forged.body.err.type]).toEqual([403, 'content.upload-expired']);
    const elsewhere = await open(url.replace(made.id, id));
    expect(elsewhere.status).toBe(403);
    const { result: none } = await act(admin, 'GET_FILE', {
      id: (await makeFile(admin, disk, 'none.bin')).id,
      request_download_url: true,
    });
    expect(none.download).toBeNull();
    await act(admin, 'DELETE_FILE', { id: made.id });
    expect((await act(admin, 'GET_FILE', payload)).result.download).toBeNull();
    expect((await open(url)).status).toBe(404);
    await act(admin, 'RESTORE_TRASH', { id: made.id });
    expect((await open(url)).status).toBe(200);
  });

  it('two links are 400', async () => {
    const answer = await raw(admin, `/directory/asset/${id}?link=a&link=b`, { with_token: false });
    expect([answer.status, answer.body.err.type]).toEqual([400, 'request.invalid']);
    const { reason } = answer.body.err.details[0];
    expect(reason).toBe('query parameter link must be a string');
  });

  it('reads as of a point give no link, neither as the owner nor as another user', async () => {
    const made = await makeFile(admin, disk, 'past.bin');
    await put(admin, made.id, 'confidential');
    const payload = { id: made.id, request_download_url: true };
    const { headers } = await admin.get('/organization/whoami');
    const revision = headers.get('drive-revision');
    for (const as_user of ['', `&as_user=${bob.user_id}`]) {
      const path = `/directory/action?as_of=r${revision}${as_user}`;
      const { body } = await admin.post(path, { actions: [{ action: 'GET_FILE', payload }] });
      expect(body[0].response.result).toMatchObject({ file: { id: made.id }, download: null });
    }
  });

  it('damaged content ends the connection and is counted, whatever was damaged', async () => {
    if (service.server.stores.on_server) return;
    const folder = join(service.data_dir, 'content', org.drive_id);
    const damage: [name: string, harm: (path: string) => void][] = [
      ['flipped', (path) => flip(path, 70_000)],
      ['flipped at the beginning', (path) => flip(path, 3)],
      ['swapped', (path) => swap(path)],
      ['truncated', (path) => truncateSync(path, 65_552)],
    ];
    for (const [name, harm] of damage) {
      const made = await makeFile(admin, disk, `${name}.bin`);
      await put(admin, made.id, randomBytes(SIZE));
      const { state } = await service.server.drives.open(org.drive_id);
      const { content_id } = state.files.get(made.id)!;
      const found = readdirSync(folder, { recursive: true }).map(String);
      harm(
        join(
          folder,
          found.find((path) => path.endsWith(content_id!))!,
        ),
      );
      await expect(download(admin, made.id)).rejects.toThrow(/terminated|fetch failed/);
    }
    for (const [name, harm] of Object.entries(SMALL_DAMAGE)) {
      const made = await makeFile(admin, disk, `small, ${name}.bin`);
      await put(admin, made.id, randomBytes(1000));
      const { state } = await service.server.drives.open(org.drive_id);
      const sql = `UPDATE contents SET bytes = ${harm} WHERE content_id = ?`;
      const { content_id } = state.files.get(made.id)!;
      onSmallContents(join(service.data_dir, 'content'), sql, content_id!);
      await expect(download(admin, made.id)).rejects.toThrow(/terminated|fetch failed/);
    }
    const metrics = await fetch(`${service.url}/metrics`).then((answer) => answer.text());
    expect(/^drive_workspace_content_damaged_total (\d+)$/m.exec(metrics)![1]).toBe(
      String(damage.length + Object.keys(SMALL_DAMAGE).length),
    );
  });

  it.each(['GET', 'HEAD'])(
    '%s says that the keys of an organization are missing',
    async (method) => {
      const get = jest.spyOn(service.server.stores.side.keys, 'get').mockResolvedValue(undefined);
      try {
        // Of this process, which has no keys now.
        const address = `${service.url}/v1/drive/${org.drive_id}/directory/asset/${id}.pdf`;
        const authorization = `Bearer ${admin.token}`;
        const answer = await fetch(address, { method, headers: { authorization } });
        const disposition = answer.headers.get('content-disposition');
        expect([answer.status, disposition]).toEqual([503, null]);
        expect(await answer.text()).toContain(method === 'GET' ? '"drive.sealed"' : '');
      } finally {
        get.mockRestore();
      }
    },
  );

  it('the versions of a file come in pages, the newest first', async () => {
    const page = async (body: object) =>
      (await admin.post('/directory/versions', { file_id: id, page_size: 1, ...body })).data;
    const first = await page({});
    const second = await page({ cursor_down: first.cursor_down });
    expect([first.items[0].file_version, second.items[0].file_version]).toEqual([2, 1]);
    expect(second.cursor_down).toBeNull();
    expect((await page({ direction: 'ASC' })).items[0].version_id).toBe(former);
  });
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

/** Exchanges the first two frames. */
function swap(path: string): void {
  const bytes = readFileSync(path);
  const frame = 65_552;
  writeFileSync(
    path,
    Buffer.concat([
      bytes.subarray(frame, 2 * frame),
      bytes.subarray(0, frame),
      bytes.subarray(2 * frame),
    ]),
  );
}
