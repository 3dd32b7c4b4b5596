import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { WebhookRequest } from '../../../libs/engine/webhooks/deliveries.js';
import { HttpSender, type HttpSenderOptions } from './http-sender.js';
import { isPublicAddress, mayBePublic } from '../outgoing/public-address.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OLDER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const NOT_PUBLIC = { status: null, reason: 'the address is not public' };

describe('sending to webhooks', () => {
  let server: http.Server;
  let url: string;
  const got: { request: IncomingMessage; body: string }[] = [];
  let answer: (response: http.ServerResponse) => void;

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        got.push({ request, body });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?x=1`;
  });
  beforeEach(() => {
    got.length = 0;
    answer = (response) => void response.end('thanks');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (
    fields: Partial<WebhookRequest> = {},
    options: Partial<HttpSenderOptions> = {},
    signal = new AbortController().signal,
  ) =>
    new HttpSender({ public_only: false, timeout_ms: 5_000, user_agent: 'spec', ...options }).send(
      {
        url,
        delivery_id: 'a-delivery',
        timestamp_ms: Date.now(),
        secrets: [SECRET],
        signature: '',
        body: '{"event":"x","text":"ünï"}',
        ...fields,
      },
      signal,
    );
  /** Answers every name with these addresses. */
  const resolving =
    (...addresses: string[]): LookupFunction =>
    (_, __, found) =>
      found(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  it('posts the body as JSON, signed under every secret', async () => {
    expect(await send({ secrets: [SECRET, OLDER], signature: 'by hand' })).toEqual({
      status: 200,
      reason: null,
    });
    const [{ request, body }] = got as [(typeof got)[0]];
    expect([request.method, request.url, body]).toEqual([
      'POST',
      '/in?x=1',
      '{"event":"x","text":"ünï"}',
    ]);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'spec',
      'webhook-id': 'a-delivery',
      signature: 'by hand',
    });
    const headers = request.headers as Record<string, string>;
    for (const secret of [SECRET, OLDER])
      expect(new Webhook(secret).verify(body, headers)).toEqual({ event: 'x', text: 'ünï' });
    const other = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
  });

  it('sends no signature header where there is no signature', async () => {
    await send();
    expect(got[0]!.request.headers).not.toHaveProperty('signature');
  });

  it.each([204, 302, 404, 500])(
    'answers with the status %i and follows nothing',
    async (status) => {
      answer = (response) => void response.writeHead(status, { location: url }).end();
      expect(await send()).toEqual({ status, reason: null });
      expect(got).toHaveLength(1);
    },
  );

  it('reads only the beginning of an endless response', async () => {
    answer = (response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', pour);
      pour();
    };
    expect(await send()).toEqual({ status: 200, reason: null });
  });

  it('reads few interim responses', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    const times = async (interim: number) => {
      answer = ({ socket }) =>
        void socket!.end(`${hints.repeat(interim)}HTTP/1.1 204 No Content\r\n\r\n`);
      return send();
    };
    expect(await times(16)).toEqual({ status: 204, reason: null });
    expect(await times(17)).toEqual({ status: null, reason: 'the request failed' });
  });

  it('stops waiting for a response after the timeout', async () => {
    answer = () => {};
    expect(await send({}, { timeout_ms: 50 })).toEqual({
      status: null,
      reason: 'no response in time',
    });
  });

  it('ends when the service stops', async () => {
    const stopping = new AbortController();
    answer = () => stopping.abort();
    expect(await send({}, {}, stopping.signal)).toEqual({
      status: null,
      reason: 'the service was shut down',
    });
  });

  it('decides by the status, whatever the body', async () => {
    answer = (response) => {
      response.writeHead(200).write('half');
      response.destroy();
    };
    const { status } = await send();
    // The connection may be closed before the status arrives.
    expect([200, null]).toContain(status);
  });

  it('returns reasons without addresses', async () => {
    const closed = http.createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const refused = { status: null, reason: 'the connection was refused' };
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual(refused);
    answer = (response) => void response.socket?.destroy();
    expect(await send()).toEqual({ status: null, reason: 'the connection was reset' });
    const { port: plain } = new URL(url);
    expect(await send({ url: `https://127.0.0.1:${plain}/` })).toEqual({
      status: null,
      reason: 'the connection is not secure',
    });
    expect(await send({ signature: 'two\nlines' })).toEqual({
      status: null,
      reason: 'the request failed',
    });
  });

  describe('in production', () => {
    const { port } = { port: () => new URL(url).port };

    it('connects only to public addresses, given or looked up', async () => {
      const only = { public_only: true };
      expect(await send({}, only)).toEqual(NOT_PUBLIC);
      expect(await send({ url: `http://localhost:${port()}/` }, only)).toEqual(NOT_PUBLIC);
      expect(await send({ url: `http://[::ffff:127.0.0.1]:${port()}/` }, only)).toEqual(NOT_PUBLIC);
      for (const host of ['2130706433', '0177.0.0.1', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]'])
        expect(await send({ url: `http://${host}:${port()}/` }, only)).toEqual(NOT_PUBLIC);
      expect(got).toEqual([]);
    });

    it('looks up the name for each attempt, so that a changed address is refused', async () => {
      const named = { url: `http://rebound.example:${port()}/` };
      const resolve = resolving('127.0.0.1');
      expect(await send(named, { resolve })).toMatchObject({ status: 200 });
      expect(await send(named, { resolve, public_only: true })).toEqual(NOT_PUBLIC);
      const mixed = resolving('10.0.0.1', '127.0.0.1', 'fd00::1', '::127.0.0.1', 'fec0::1');
      expect(await send(named, { resolve: mixed, public_only: true })).toEqual(NOT_PUBLIC);
    });
  });
});

describe('public addresses', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::808:808',
    '2002:a00:1::',
    '2002:808:808::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '::127.0.0.1',
    '::8.8.8.8',
    '::7f00:1',
    '::808:808',
    '::ffff:0:8.8.8.8',
    '::ffff:7f00:1',
    'fec0::1',
    'feff::1',
    '4000::1',
    'fe80::1%eth0',
    '127.1',
    '010.8.8.8',
    'nonsense',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('are recognized by address, not by host name', () => {
    expect(mayBePublic('https://hook.example/')).toBe(true);
    const private_hosts = [
      ...['localhost', 'a.localhost', 'LOCALHOST.', '127.1', '0x7f.1', '2130706433', '0177.0.0.1'],
      ...[
        '127.0.0.1.',
        '[::1]',
        '[::ffff:10.0.0.1]',
        '[::ffff:a00:1]',
        '[::127.0.0.1]',
        '[::7f00:1]',
      ],
      ...['[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[2001::7f00:1]', '[fec0::1]'],
    ];
    for (const host of private_hosts)
      expect([host, mayBePublic(`http://${host}/`)]).toEqual([host, false]);
  });
});
