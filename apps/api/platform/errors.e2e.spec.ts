import { jest } from '@jest/globals';
import { GROUPS, throwawayApp } from './testing/throwaway.js';

const { call, post, group, raw } = throwawayApp();

const sized = (bytes: number) => post('/raw', JSON.stringify({ a: 'x'.repeat(bytes - 8) }));

const invalid = (pointer: string, reason: string) => ({
  err: { code: 400, type: 'request.invalid', details: [{ pointer, reason }] },
});

describe('errors', () => {
  it('come in the envelope, with all invalid fields', async () => {
    const { status, headers, body } = await group({ name: 'x'.repeat(257), avatar: 5 });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      err: {
        code: 400,
        type: 'request.invalid',
        message: 'name must be at most 256 characters.',
        request_id: headers.get('x-request-id'),
        details: [
          { pointer: '/name', reason: 'must be at most 256 characters', limit: 256 },
          { pointer: '/avatar', reason: 'must be a string' },
        ],
      },
    });
  });

  it('come as RFC 9457 on request', async () => {
    const accept = { Accept: 'application/json, application/problem+json;q=0.5' };
    const { status, headers, body } = await post(GROUPS, '{}', accept);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      type: '/errors/request.invalid',
      title: 'The request is invalid.',
      status: 400,
      detail: 'name is required.',
      code: 400,
      request_id: headers.get('x-request-id'),
      details: [{ pointer: '/name', reason: 'is required' }],
    });
    const refused = await post(GROUPS, '{}', { Accept: 'application/problem+json;q=0' });
    expect(refused.body).toHaveProperty('err');
  });

  it('accept a body of exactly the limit', async () => {
    expect((await group({ name: 'x'.repeat(256) })).status).toBe(200);
    expect((await group({ name: 'x'.repeat(257) })).status).toBe(400);
  });

  it.each([
    ['[]', '', 'must be a JSON object'],
    ['null', '', 'must be a JSON object'],
    ['"text"', '', 'must be a JSON object'],
    ['{"name":"\\ud800"}', '/name', 'must be well-formed Unicode'],
    ['{"name":"n","size":1e999}', '/size', 'must be a finite number'],
    ['{"name":null}', '/name', 'is required'],
  ])('refuse the body %s', async (text, pointer, reason) => {
    expect(await post(GROUPS, text)).toMatchObject({ status: 400, body: invalid(pointer, reason) });
  });

  it.each([
    ['{"name":'],
    ['{"name":"n","__proto__":{"admin":true}}'],
    ['{"name":"n","constructor":{"prototype":{}}}'],
    [new Uint8Array([0x22, 0xff, 0x22])],
  ])('refuse malformed JSON (%s)', async (text) => {
    expect(await post(GROUPS, text)).toMatchObject({
      status: 400,
      body: {
        err: {
          type: 'request.malformed-json',
          message: expect.stringContaining('not valid JSON, or names a member __proto__'),
        },
      },
    });
  });

  it('refuse other media types', async () => {
    const type = { 'Content-Type': 'application/xml' };
    expect(await post(GROUPS, '<name/>', type)).toMatchObject({
      status: 400,
      body: { err: { type: 'request.media-type' } },
    });
  });

  it('refuse encoded bodies', async () => {
    const text = JSON.stringify({ name: 'n' });
    const as = (encoding: string) => post(GROUPS, text, { 'Content-Encoding': encoding });
    expect(await as('gzip')).toMatchObject({
      status: 400,
      body: { err: { type: 'request.media-type', message: 'Encoded bodies are not accepted.' } },
    });
    expect((await as('Identity')).status).toBe(200);
  });

  it('of guards take precedence over those of the body', async () => {
    expect((await post('/guarded', '{"name":')).status).toBe(401);
    expect((await post('/guarded', '{', { Authorization: 'Bearer bad' })).body).toMatchObject({
      err: { code: 403, type: 'access.denied' },
    });
    expect((await post('/guarded', '{', { Authorization: 'Bearer good' })).status).toBe(400);
  });

  it('of guards cost no parsing of the body', async () => {
    const text = JSON.stringify({ name: 'n' });
    const parse = jest.spyOn(JSON, 'parse');
    const parsed = () => parse.mock.calls.filter(([one]) => one === text).length;
    expect((await post('/guarded', text)).status).toBe(401);
    expect((await post('/nowhere', text)).status).toBe(404);
    expect(parsed()).toBe(0);
    expect((await post('/guarded', text, { Authorization: 'Bearer good' })).status).toBe(200);
    expect(parsed()).toBe(1);
    parse.mockRestore();
  });

  it('refuse bodies beyond the limit only', async () => {
    expect((await sized(2048)).status).toBe(200);
    expect(await sized(2049)).toMatchObject({
      status: 413,
      body: { err: { code: 413, type: 'request.too-large', details: [] } },
    });
  });

  it.each([
    ['/nowhere?auth=token', 404, 'route.unknown'],
    ['/throws/forbidden', 403, 'access.denied'],
    ['/throws/error', 500, 'server.failure'],
    ['/throws/nothing', 500, 'server.failure'],
    ['/get/%ZZ', 400, 'request.malformed-url'],
    [`/get/${'x'.repeat(3000)}`, 400, 'request.malformed-url'],
  ])('%s → %d %s', async (path, status, type) => {
    const answer = await call(path);
    expect(answer).toMatchObject({ status, body: { err: { code: status, type, details: [] } } });
    const { request_id } = answer.body['err'] as { request_id: string };
    expect(answer.headers.get('x-request-id')).toBe(request_id);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('etag')).toBeNull();
  });

  it('name query and path parameters in words', async () => {
    expect((await call('/get/DiskID_a')).body).toMatchObject({
      err: {
        message: 'The path parameter group_id must be an id beginning with GroupID_.',
        details: [{ pointer: '' }],
      },
    });
    expect((await call('/get/GroupID_a?as_user=bob')).body).toMatchObject({
      err: {
        details: [{ reason: 'query parameter as_user must be an id beginning with UserID_' }],
      },
    });
  });

  it('may have additional members and headers', async () => {
    const { headers, body } = await post('/stub');
    expect(body).toMatchObject({ err: { code: 501, type: 'upload.unsupported', index: 2 } });
    expect(headers.get('x-extra')).toBe('yes');
  });

  it('answer bytes that are not HTTP', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"request.malformed-http"/s);
    const fat = `GET / HTTP/1.1\r\nHost: x\r\nX-Fat: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(fat)).toMatch(/^HTTP\/1.1 431 .*"request.headers-too-large"/s);
  });
});
