import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Uploads } from '../../libs/application/content/uploads.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import type { Organization } from '../support/client.js';
import { put } from '../support/content.js';
import { makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { createUpload, ofUpload, sendTo } from '../support/tus.js';

describe('limits of uploads', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;
  beforeAll(async () => {
    service = await TestService.start({
      ...{ CONTENT_MAX_BYTES: '1000', CONTENT_QUOTA_BYTES: '1500', CONTENT_UPLOADS_MAX: '1' },
      ...{ CONTENT_MIN_BYTES_PER_S: '1000', CONTENT_SLOW_MS: '200' },
    });
    org = await service.organization();
    disk = await makeDisk(org, { quota_bytes: 1200 });
  });
  afterAll(() => service.stop());

  it('a content beyond the maximum, the disk’s or the organization’s quota is 413', async () => {
    const refused = async (on: TestDisk, bytes: number, limit: number): Promise<void> => {
      const { id } = await makeFile(org.admin, on, `${bytes}-${limit}.bin`);
      async function* unannounced() {
        yield randomBytes(bytes);
      }
      for (const body of [randomBytes(bytes), unannounced()]) {
        const { status, body: answer } = await put(org.admin, id, body);
        expect([status, answer.err.type]).toEqual([413, 'content.too-large']);
        expect(answer.err.details[0].limit).toBe(limit);
      }
    };
    await refused(disk, 1001, 1000);
    const { id } = await makeFile(org.admin, disk, 'fits.bin');
    expect((await put(org.admin, id, randomBytes(900))).status).toBe(200);
    await refused(disk, 301, 300);
    await refused(await makeDisk(org), 601, 600);
  });

  it('a slow upload is ended, and one more than the maximum refused meanwhile', async () => {
    // Each process has its own maximum, and requests go to two.
    if (service.server.stores.on_server) return;
    const files = await Promise.all([1, 2].map((nth) => makeFile(org.admin, disk, `s${nth}.bin`)));
    const waiting = Promise.withResolvers<void>();
    async function* slow() {
      yield Buffer.from('a');
      await waiting.promise;
    }
    const first = put(org.admin, files[0].id, slow());
    const uploads = service.server.app.get(Uploads, { strict: false });
    await eventually(() => uploads.in_progress === 1);
    const busy = await put(org.admin, files[1].id, 'b');
    expect([busy.status, busy.body.err.type]).toEqual([503, 'content.busy']);
    expect(busy.headers.get('retry-after')).toBe('1');
    const late = await first;
    expect([late.status, late.body.err.type]).toEqual([408, 'content.too-slow']);
    waiting.resolve();
    expect((await put(org.admin, files[1].id, 'b')).status).toBe(200);
  });

  it('a resumable upload has a place until its content is stored; one that finds none goes on later', async () => {
    // Each process has its own maximum, and requests go to two.
    if (service.server.stores.on_server) return;
    const begin = async (name: string) => {
      const { id } = await makeFile(org.admin, disk, name);
      return (await createUpload(org.admin, id, 3)).headers.get('location')!;
    };
    const [first, second, third] = [await begin('r1'), await begin('r2'), await begin('r3')];
    const uploads = service.server.app.get(Uploads, { strict: false });
    const keep = uploads.keep.bind(uploads);
    const { promise: gone, resolve: goOn } = Promise.withResolvers<void>();
    const keeping = jest
      .spyOn(uploads, 'keep')
      .mockRejectedValueOnce(new Error('broken off'))
      .mockImplementationOnce(async (...given) => {
        await gone;
        return keep(...given);
      });
    expect((await sendTo(org.admin, second, 0, 'abc')).status).toBe(500);
    const completed = sendTo(org.admin, first, 0, 'abc');
    await eventually(() => keeping.mock.calls.length === 2);
    expect(uploads.in_progress).toBe(1);
    const busy = await ofUpload(org.admin, second);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
    const { status, body } = await sendTo(org.admin, third, 0, 'abc');
    expect([status, body.err.type]).toEqual([503, 'content.busy']);
    const { id } = await makeFile(org.admin, disk, 'r4');
    expect((await createUpload(org.admin, id, 0)).status).toBe(503);
    goOn();
    expect((await completed).status).toBe(204);
    for (const upload of [first, second]) {
      const { headers } = await ofUpload(org.admin, upload);
      expect([headers.get('upload-offset'), headers.has('upload-expires')]).toEqual(['3', false]);
    }
    expect((await sendTo(org.admin, third, 0, 'abc')).status).toBe(204);
    const stored = await service.server.stores.contents.list(org.drive_id, 'Upload_', 100);
    expect(stored.filter(({ content_id }) => !content_id.startsWith('UploadDone_'))).toEqual([]);
    keeping.mockRestore();
  });

  it.each([
    ['nothing', ''],
    ['a field without its end', '--b\r\nContent-Disposition: form-data; name="policy"\r\n\r\nabc'],
  ])('a form of which %s arrives is ended', async (_, sent) => {
    const { hostname, port, pathname } = new URL(`${org.admin.base}/directory/content`);
    const socket = connect(Number(port), hostname);
    const type = 'content-type: multipart/form-data; boundary=b';
    const head = [`POST ${pathname} HTTP/1.1`, type, 'content-length: 5000', 'host: x', '', ''];
    socket.write(head.join('\r\n') + sent);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*content\.too-slow/);
    await once(socket, 'close');
  });

  it('a client that is still sending reads the response', async () => {
    const { hostname, port } = new URL(org.admin.base);
    const socket = connect(Number(port), hostname);
    const failures: unknown[] = [];
    socket.on('error', (error) => failures.push(error));
    const { pathname } = new URL(`${org.admin.base}/directory/content`);
    const head = ['content-type: text/plain', 'content-length: 50000000', 'host: x', '', ''];
    socket.write([`POST ${pathname} HTTP/1.1`, ...head].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 [^]*content\.malformed-form/);
    for (let nth = 0; nth < 20; nth++)
      await new Promise((resolve) => socket.write(randomBytes(65_536), resolve));
    expect(failures).toEqual([]);
    socket.destroy();
  });
});
