import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Downloads } from '../../libs/application/content/downloads.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import type { Client, Organization } from '../support/client.js';
import { download, put, raw } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';

/** A connection that has sent a request for a content. */
function requesting({ base, token }: Client, id: string): Socket {
  const { hostname, port, pathname } = new URL(`${base}/directory/asset/${id}.bin`);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

// Each process has its own limit: other processes on the same stores would accept what one refuses.
describe('limits of downloads', () => {
  it('one more than the maximum is refused until the client of another has read or is gone', async () => {
    const service = await TestService.start({
      ...{ CONTENT_DOWNLOADS_MAX: '1', REQUEST_TIMEOUT_MS: '600000' },
    });
    try {
      const { admin, ...org } = await service.organization();
      const { id } = await makeFile(admin, await makeDisk({ admin, ...org }), 'large.bin');
      // More than the buffers of both ends of a connection hold.
      await put(admin, id, randomBytes(20_000_000));
      const unread = requesting(admin, id);
      await once(unread, 'readable');
      for (const method of ['GET', 'HEAD']) {
        const busy = await raw(admin, `/directory/asset/${id}.bin`, { method });
        expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
      }
      expect((await download(admin, id)).body.err.type).toBe('content.busy');
      unread.destroy();
      const downloads = service.server.app.get(Downloads, { strict: false });
      await eventually(() => downloads.in_progress === 0);
      const whole = await download(admin, id);
      expect([whole.status, whole.bytes.length]).toEqual([200, 20_000_000]);
      await raw(admin, `/directory/asset/${id}.bin`, { method: 'HEAD' });
      await eventually(() => downloads.in_progress === 0);
    } finally {
      await service.stop();
    }
  });

  it('a client that reads slowly loses its place to another organization', async () => {
    const service = await TestService.start({
      ...{ CONTENT_DOWNLOADS_MAX: '1', CONTENT_SLOW_MS: '300', REQUEST_TIMEOUT_MS: '600000' },
    });
    try {
      const [slow, other] = [await service.organization(), await service.organization()];
      const made = async (org: Organization, bytes: number): Promise<string> => {
        const { id } = await makeFile(org.admin, await makeDisk(org), 'a.bin');
        await put(org.admin, id, randomBytes(bytes));
        return id;
      };
      const unread = requesting(slow.admin, await made(slow, 20_000_000));
      const id = await made(other, 1000);
      await once(unread, 'readable');
      await eventually(async () => (await download(other.admin, id)).status === 200);
      unread.resume();
      await once(unread, 'close');
      expect(unread.bytesRead).toBeLessThan(20_000_000);
    } finally {
      await service.stop();
    }
  });

  it('a client that disconnects before the response begins leaves no download in progress', async () => {
    const service = await TestService.start();
    try {
      const org = await service.organization();
      const { id } = await makeFile(org.admin, await makeDisk(org), 'left.bin');
      await put(org.admin, id, randomBytes(1_000_000));
      const downloads = service.server.app.get(Downloads, { strict: false });
      const read = downloads.read.bind(downloads);
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      let reads = 0;
      downloads.read = async (...asked) => {
        const bytes = await read(...asked);
        reads++;
        await left;
        return bytes;
      };
      const server = service.server.app.getHttpServer();
      const connected = once(server, 'connection');
      const client = requesting(org.admin, id);
      const [at_server] = await connected;
      await eventually(() => reads === 1);
      client.destroy();
      await once(at_server, 'close');
      expect(downloads.in_progress).toBe(1);
      leave();
      await eventually(() => downloads.in_progress === 0);
    } finally {
      await service.stop();
    }
  });
});
