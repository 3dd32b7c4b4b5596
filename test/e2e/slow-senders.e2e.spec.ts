import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { put } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { longList } from '../support/long-list.js';
import { TestService } from '../support/service.js';

const TRICKLE_MS = 50;

describe('a client that does not read its response', () => {
  it('is given up within a download', async () => {
    const service = await TestService.start({ REQUEST_TIMEOUT_MS: '1000' });
    try {
      const org = await service.organization();
      const { id } = await makeFile(org.admin, await makeDisk(org), 'large.bin');
      // More than the buffers of both ends of a connection hold.
      await put(org.admin, id, Buffer.alloc(40_000_000));
      const { hostname, port, pathname } = new URL(`${org.admin.base}/directory/asset/${id}.bin`);
      const connected = once(service.server.app.getHttpServer(), 'connection');
      const unread = connect(Number(port), hostname);
      unread.on('error', () => {}).pause();
      const token = `Authorization: Bearer ${org.admin.token}`;
      unread.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n${token}\r\n\r\n`);
      const [at_server] = (await connected) as [Socket];
      await once(at_server, 'close');
      expect(at_server.bytesWritten).toBeGreaterThan(0);
      expect(at_server.bytesWritten).toBeLessThan(40_000_000);
      unread.destroy();
    } finally {
      await service.stop();
    }
  });

  it('is given up, and one that reads slowly is not', async () => {
    const service = await TestService.start({ REQUEST_TIMEOUT_MS: '1000' });
    try {
      const { admin } = await service.organization();
      const request = await longList(admin);
      const ask = async () => {
        const socket = connect(Number(new URL(admin.base).port), '127.0.0.1');
        await once(socket, 'connect');
        socket.write(request);
        return socket;
      };
      const connected = once(service.server.app.getHttpServer(), 'connection');
      const unread = await ask();
      unread.pause();
      unread.on('error', () => {});
      const [at_server] = (await connected) as [Socket];
      await once(at_server, 'close');
      unread.destroy();
      const slow = await ask();
      let received = 0;
      slow.on('data', (chunk: Buffer) => {
        received += chunk.length;
        slow.pause();
        setTimeout(() => slow.resume(), 10);
      });
      await eventually(() => received > 8_000_000);
      expect(slow.destroyed).toBe(false);
      slow.destroy();
    } finally {
      await service.stop();
    }
  });
});

describe('a client that sends its request ever so slowly', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ REQUEST_TIMEOUT_MS: '1000' });
  });
  afterAll(() => service.stop());

  /** Sends bytes at once, then one after the other for ever, and gives what was answered until the connection closed. */
  async function trickle(first: string, then: string): Promise<string> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    // Once it is closed, the server takes no more.
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(first);
    const sending = setInterval(() => socket.write(then), TRICKLE_MS);
    await once(socket, 'close');
    clearInterval(sending);
    return answer;
  }

  function expectTimeout(answer: string): void {
    const [head, body] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(head).toContain('Connection: close');
    expect(JSON.parse(body!)).toMatchObject({
      err: { code: 408, type: 'request.timeout', details: [], request_id: expect.any(String) },
    });
  }

  it('is cut off while it sends its body, with the reason', async () => {
    const head = ['POST /v1/factory/quickstart HTTP/1.1', 'Host: x', 'Content-Length: 100000'];
    expectTimeout(await trickle(`${head.join('\r\n')}\r\n\r\n{"org_name":"`, 'a'));
  });

  it('is cut off while it sends a body of unknown length', async () => {
    const head = ['POST /v1/factory/quickstart HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked'];
    expectTimeout(await trickle(`${head.join('\r\n')}\r\n\r\n`, '1\r\n{\r\n'));
  });

  it('is cut off while it sends its head', async () => {
    expectTimeout(await trickle('GET /health HTTP/1.1\r\nHost: x\r\nX-Filler: ', 'a'));
  });
});
