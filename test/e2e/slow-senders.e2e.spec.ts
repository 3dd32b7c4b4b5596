import { once } from 'node:events';
import { connect } from 'node:net';
import { TestService } from '../support/service.js';

const TRICKLE_MS = 50;

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
