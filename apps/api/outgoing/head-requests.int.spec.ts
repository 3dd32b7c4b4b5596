import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { HeadRequests, type HeadRequestOptions } from './head-requests.js';

const NOT_PUBLIC = { status: null, reason: 'the address is not public', is_lasting: true };

describe('asking a bucket at an address that a user chose', () => {
  let server: http.Server;
  let url: string;
  const got: IncomingMessage[] = [];
  let answer: (response: http.ServerResponse) => void;

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      got.push(request);
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/b/key?X-Amz-Signature=f00`;
  });
  beforeEach(() => {
    got.length = 0;
    answer = (response) => void response.writeHead(200, { 'content-length': '7' }).end();
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (
    to = url,
    options: Partial<HeadRequestOptions> = {},
    signal = AbortSignal.timeout(5_000),
  ) =>
    new HeadRequests({ public_only: false, user_agent: 'spec', ...options }).send(
      { url: to, headers: { 'x-amz-checksum-mode': 'ENABLED' } },
      signal,
    );
  /** Answers every name with this address. */
  const resolving =
    (address: string): LookupFunction =>
    (_, __, found) =>
      found(null, [{ address, family: 4 }]);

  it('sends a HEAD with the signed headers, and answers status and headers', async () => {
    expect(await send()).toMatchObject({ status: 200, headers: { 'content-length': '7' } });
    const [{ method, headers, url: target }] = got as [IncomingMessage];
    expect([method, target]).toEqual(['HEAD', '/b/key?X-Amz-Signature=f00']);
    expect(headers).toMatchObject({ 'x-amz-checksum-mode': 'ENABLED', 'user-agent': 'spec' });
  });

  it.each([301, 307, 404, 500])('answers the status %i and follows nothing', async (status) => {
    answer = (response) => void response.writeHead(status, { location: url }).end();
    expect(await send()).toMatchObject({ status });
    expect(got).toHaveLength(1);
  });

  it('connects to no private address in production, given or looked up', async () => {
    expect(await send(url, { public_only: true })).toEqual(NOT_PUBLIC);
    const named = url.replace('127.0.0.1', 'bucket.example.com');
    const resolve = resolving('127.0.0.1');
    expect(await send(named, { public_only: true, resolve })).toEqual(NOT_PUBLIC);
    expect(got).toEqual([]);
    expect(await send(named, { resolve })).toMatchObject({ status: 200 });
  });

  it('stops waiting at the deadline', async () => {
    answer = () => {};
    const deadline = new AbortController();
    const asking = send(url, {}, deadline.signal);
    deadline.abort();
    const no_answer = { status: null, reason: 'no response in time', is_lasting: false };
    expect(await asking).toEqual(no_answer);
  });

  it('does not quote the address or the signature', async () => {
    answer = (response) => void response.destroy();
    const { port } = new URL(url);
    const said = JSON.stringify(await send());
    for (const text of ['127.0.0.1', port, 'f00']) expect(said).not.toContain(text);
    expect(said).toContain('the connection was reset');
  });
});
