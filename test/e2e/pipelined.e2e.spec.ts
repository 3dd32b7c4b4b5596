import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { QueryBus } from '@nestjs/cqrs';
import { eventually } from '../../libs/engine/testing/eventually.js';
import type { Client } from '../support/client.js';
import { listRequest, longList } from '../support/long-list.js';
import { TestService } from '../support/service.js';

/** Not the default. */
const WAITING = 7;

const UNDECODABLE = 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n';
const UPGRADE =
  'GET /v1/drive/DriveID_a/organization/webrtc HTTP/1.1\r\nHost: x\r\n' +
  'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

async function open(service: TestService): Promise<{ client: Socket; server: Socket }> {
  const connected = once(service.server.app.getHttpServer(), 'connection');
  const client = connect(Number(new URL(service.url).port), '127.0.0.1');
  client.on('error', () => {});
  const [server] = (await connected) as [Socket];
  return { client, server };
}

describe('requests that arrive together on one connection', () => {
  let service: TestService;
  let admin: Client;
  let long_list: string;
  beforeAll(async () => {
    service = await TestService.start({
      ...{ REQUEST_TIMEOUT_MS: '1000', CONNECTION_REQUESTS_WAITING: `${WAITING}` },
    });
    ({ admin } = await service.organization());
    long_list = await longList(admin);
  });
  afterAll(() => service.stop());

  it('are not handled before the response to the first is read', async () => {
    let handled = 0;
    const counting = service.server.app.get(QueryBus, { strict: false }).subscribe(() => handled++);
    const { client, server } = await open(service);
    client.pause();
    client.write(long_list.repeat(10));
    // Given up, since nothing is read.
    await once(server, 'close');
    expect(handled).toBe(1);
    counting.unsubscribe();
    client.destroy();
  });

  it('are answered in their order', async () => {
    const { client } = await open(service);
    let text = '';
    client.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    const ids = Array.from({ length: WAITING + 1 }, (_, nth) => `request-${nth}`);
    const requests = ids.map((id, nth) => {
      const request = [long_list, listRequest(admin, 1), UNDECODABLE][nth % 3]!;
      return request.replace('\r\n\r\n', `\r\nX-Request-Id: ${id}\r\n\r\n`);
    });
    client.write(requests.join(''));
    const answered = () => [...text.matchAll(/^x-request-id: (.*?)\r$/gm)].map(([, id]) => id);
    await eventually(() => answered().length === ids.length);
    expect(answered()).toEqual(ids);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(ids.map((_, nth) => (nth % 3 === 2 ? '400' : '200')));
    client.destroy();
  });
});

describe('a client that reads no response', () => {
  let service: TestService;
  let admin: Client;
  let long_list: string;
  beforeAll(async () => {
    service = await TestService.start({
      ...{ REQUEST_TIMEOUT_MS: '600000', RESPONSES_UNREAD_BYTES: '20000000' },
      CONNECTION_REQUESTS_WAITING: `${WAITING}`,
    });
    ({ admin } = await service.organization());
    long_list = await longList(admin);
  });
  afterAll(() => service.stop());

  /** Connections that the service has closed so far, by reason. */
  const closedFor = async (reason: string): Promise<number> => {
    const { body } = await service.client().get('/metrics');
    const start = `drive_workspace_http_connections_closed_total{reason="${reason}"} `;
    const line = `${body}`.split('\n').find((one) => one.startsWith(start));
    return line === undefined ? 0 : Number(line.slice(start.length));
  };

  it.each([
    [
      'more than the maximum of waiting requests',
      () => listRequest(admin, 1).repeat(WAITING + 1),
      1,
    ],
    ['more than the maximum, of undecodable paths', () => UNDECODABLE.repeat(WAITING + 1), 1],
    ['a request for a WebSocket', () => UPGRADE, 0],
  ])('is disconnected if it sends %s', async (_, requests, counted) => {
    const before = await closedFor('waiting');
    const { client, server } = await open(service);
    client.pause();
    client.write(long_list + requests());
    await once(server, 'close');
    expect(await closedFor('waiting')).toBe(before + counted);
    expect((await admin.post('/groups/list', { page_size: 1 })).status).toBe(200);
    client.destroy();
  });

  it('is disconnected if it has the most of too many unread bytes', async () => {
    const opened = [await open(service), await open(service), await open(service)];
    const closed = Promise.race(opened.map(({ server }) => once(server, 'close')));
    for (const { client } of opened) {
      client.pause();
      client.write(long_list);
    }
    await closed;
    expect(opened.filter(({ server }) => server.destroyed)).toHaveLength(1);
    expect(await closedFor('unread')).toBe(1);
    for (const { client } of opened) client.destroy();
  });
});
