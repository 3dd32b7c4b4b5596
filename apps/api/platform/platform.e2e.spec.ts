import { connect } from 'node:net';
import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.js';
import { Flag, Id, Text, Timestamp } from './fields.js';
import { JsonLogger } from './logging.js';
import { Metrics } from './metrics.js';
import { RateGate } from './rate-limit.js';
import { configureApp, createFastifyAdapter } from './server.js';
import { loadSettings } from './settings.js';
import { IdPipe } from './validation.js';

class GroupBody {
  @Text({ min: 1, max: 256, required: true }) name!: string;
  @Text({ max: 64, null: 'clears' }) avatar?: string | null;
  @Timestamp({ expiry: true }) expires_at?: number;
}

class AsOfQuery {
  @Id('UserID_') as_user?: string;
  @Flag() never?: boolean;
}

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers.authorization === undefined) throw ApiError.of('auth.required');
    return headers.authorization === 'Bearer good';
  }
}

const settings = loadSettings({
  PORT: '0',
  LOG_LEVEL: 'debug',
  RATE_LIMIT_CLIENT: '3',
  BODY_LIMIT_BYTES: '2048',
  TRUSTED_PROXIES: '127.0.0.1',
});
const gate = RateGate.of(settings);

@Controller()
class Throwaway {
  @Post('v1/drive/:organization_id/groups')
  create(@Body() body: GroupBody) {
    return { ok: { data: { ...body, has_avatar: 'avatar' in body && body.avatar !== undefined } } };
  }

  @Post('raw')
  raw(@Body() body: Record<string, unknown>) {
    return { ok: { data: body } };
  }

  @Post('stub')
  @HttpCode(501)
  stub() {
    throw new ApiError(501, 'upload.unsupported', 'Uploads are not served.', {
      members: { index: 2 },
      headers: { 'X-Extra': 'yes' },
    });
  }

  @Get('get/:group_id')
  read(@Param('group_id', new IdPipe('GroupID_')) id: string, @Query() query: AsOfQuery) {
    return { ok: { data: { id, ...query } } };
  }

  @Get('throws/:what')
  fail(@Param('what') what: string, @Res({ passthrough: true }) reply: FastifyReply) {
    reply.header('ETag', '"1.x"');
    if (what === 'forbidden') throw new ForbiddenException('secret reason');
    if (what === 'nothing') throw undefined;
    throw new TypeError('SELECT password FROM users');
  }

  @Post('guarded')
  @UseGuards(TokenGuard)
  guarded(@Body() body: GroupBody) {
    return { ok: { data: body.name } };
  }

  @Get('limited')
  async limited(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const checks = [{ policy: 'client', key: request.ip, limit: settings.rate_limit_client }];
    const { headers, error } = await gate.pass(checks);
    reply.headers(headers);
    if (error) throw error;
    return { ok: { data: request.ip } };
  }

  @Get('id')
  id(@Headers('x-request-id') id: string) {
    return { ok: { data: id ?? null } };
  }
}

let app: NestFastifyApplication;
let base: string;
const lines: string[] = [];
const metrics = new Metrics(false);

beforeAll(async () => {
  const logger = new JsonLogger(settings.log_level, { write: (line) => lines.push(line) });
  const module = await Test.createTestingModule({ controllers: [Throwaway] }).compile();
  app = module.createNestApplication<NestFastifyApplication>(
    createFastifyAdapter(settings, logger, metrics),
    { logger },
  );
  configureApp(app, logger);
  await app.listen(settings.port, settings.host);
  base = await app.getUrl();
});
afterAll(() => app.close());

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(base + path, init);
  const text = await response.text();
  expect(text).not.toMatch(/ {4}at |node_modules|SELECT|secret reason/);
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

const post = (
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  call(path, {
    method: 'POST',
    ...(body !== undefined && { body }),
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
  });

const GROUPS = '/v1/drive/DriveID_abc/groups';
const group = (body: unknown) => post(GROUPS, JSON.stringify(body));

const sized = (bytes: number) => post('/raw', JSON.stringify({ a: 'x'.repeat(bytes - 8) }));

const from = (address: string) => call('/limited', { headers: { 'X-Forwarded-For': address } });

const invalid = (pointer: string, reason: string) => ({
  err: { code: 400, type: 'request.invalid', details: [{ pointer, reason }] },
});

/** The raw answer to bytes that no HTTP client would send. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });

describe('success', () => {
  it('answers 200 to POST, as JSON in UTF-8', async () => {
    const { status, headers, body } = await group({ name: 'Finance' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ ok: { data: { name: 'Finance', has_avatar: false } } });
  });

  it('tells null, absent and empty apart', async () => {
    const sent = { name: 'n', expires_at: null, extra: 1 };
    expect((await group({ ...sent, avatar: null })).body).toEqual({
      ok: { data: { name: 'n', avatar: null, expires_at: -1, has_avatar: true } },
    });
    expect((await group({ ...sent, avatar: '' })).body).toMatchObject({
      ok: { data: { avatar: '', has_avatar: true } },
    });
  });

  it('serves HEAD, trailing slashes and percent-encoded ids', async () => {
    expect((await call('/get/GroupID_a', { method: 'HEAD' })).status).toBe(200);
    expect((await call('/get/GroupID%5Fa/')).status).toBe(200);
    expect((await call('/GET/GroupID_a')).status).toBe(404);
  });

  it.each([
    ['no body', undefined, {}],
    ['an empty body of type JSON', '', { 'Content-Type': 'application/json' }],
    ['an empty body of an unknown type', '', { 'Content-Type': 'image/png' }],
    ['an empty body of a malformed type', '', { 'Content-Type': 'foo' }],
    ['{}', '{}', {}],
  ])('reads %s as {}', async (_, body, headers) => {
    expect(await post('/raw', body, headers)).toMatchObject({
      status: 200,
      body: { ok: { data: {} } },
    });
  });

  it('reads an empty chunked body as {}', async () => {
    const head = 'POST /raw HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    const answer = await raw(
      `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
    'reads %s',
    async (type) => {
      expect((await post('/raw', '{"a":1}', { 'Content-Type': type })).status).toBe(200);
    },
  );
});

describe('errors', () => {
  it('come in the envelope, with every field to blame', async () => {
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
          { pointer: '/avatar', reason: 'must be text' },
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

  it('let exactly the limit pass', async () => {
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
      body: { err: { type: 'request.malformed-json', message: 'The body is not valid JSON.' } },
    });
  });

  it('refuse other media types', async () => {
    const type = { 'Content-Type': 'application/xml' };
    expect(await post(GROUPS, '<name/>', type)).toMatchObject({
      status: 400,
      body: { err: { type: 'request.media-type' } },
    });
  });

  it('put the guards before the body', async () => {
    expect((await post('/guarded', '{"name":')).status).toBe(401);
    expect((await post('/guarded', '{', { Authorization: 'Bearer bad' })).body).toMatchObject({
      err: { code: 403, type: 'access.denied' },
    });
    expect((await post('/guarded', '{', { Authorization: 'Bearer good' })).status).toBe(400);
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

  it('name what stands outside the body in words', async () => {
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

  it('may carry members and headers of their own', async () => {
    const { headers, body } = await post('/stub');
    expect(body).toMatchObject({ err: { code: 501, type: 'upload.unsupported', index: 2 } });
    expect(headers.get('x-extra')).toBe('yes');
  });

  it('answer what is not HTTP', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"request.malformed-http"/s);
    const fat = `GET / HTTP/1.1\r\nHost: x\r\nX-Fat: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(fat)).toMatch(/^HTTP\/1.1 431 .*"request.headers-too-large"/s);
  });
});

describe('request ids', () => {
  it.each(['a', 'x'.repeat(128), '!~'])('echoes %s', async (id) => {
    const { headers } = await call('/id', { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });
  it.each(['x'.repeat(129), 'a b', 'é'])('replaces %s', async (id) => {
    const { headers } = await call('/id', { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('CORS', () => {
  it('answers a preflight without token or route', async () => {
    const { status, headers, body } = await call(GROUPS, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,dry-run',
      },
    });
    expect(status).toBe(204);
    expect(body).toEqual({});
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe(
      'Content-Type, Authorization, Accept, Last-Event-ID, Min-Drive-Revision, If-Match, If-None-Match, Idempotency-Key, Dry-Run, Audit-Reason, X-Request-Id',
    );
    expect(headers.get('x-request-id')).not.toBeNull();
  });

  it('exposes its headers on every answer', async () => {
    for (const { headers } of [await call('/id'), await call('/nowhere')]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(
        'Drive-Revision, ETag, Idempotent-Replayed, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
      );
    }
  });
});

describe('rate limit', () => {
  it('refuses the request after the last allowed one, per client behind the proxy', async () => {
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await from('192.0.2.1');
      expect(status).toBe(200);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"client";r=${remaining};t=\\d+$`));
      expect(headers.get('ratelimit-policy')).toBe('"client";q=3;w=60');
    }
    const refused = await from('192.0.2.1');
    expect(refused).toMatchObject({ status: 429, body: { err: { type: 'rate.limited' } } });
    const retry_s = refused.headers.get('retry-after');
    expect(refused.headers.get('ratelimit')).toBe(`"client";r=0;t=${retry_s}`);
    expect((await from('192.0.2.2')).status).toBe(200);
  });
});

describe('what is written down', () => {
  it('logs requests without query strings, and 500s with their cause', async () => {
    lines.length = 0;
    await call('/v1/drive/DriveID_abc/none?auth=topsecret');
    await call('/id?auth=topsecret');
    const { headers } = await call('/throws/error?auth=topsecret');
    await group({ name: 'n' });
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.join('')).not.toContain('topsecret');
    expect(entries).toContainEqual(
      expect.objectContaining({ level: 'info', path: '/v1/drive/DriveID_abc/none', status: 404 }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ level: 'debug', method: 'GET', path: '/id', status: 200 }),
    );
    expect(entries).toContainEqual(expect.objectContaining({ drive_id: 'DriveID_abc' }));
    expect(entries).toContainEqual(
      expect.objectContaining({
        level: 'error',
        request_id: headers.get('x-request-id'),
        err: expect.objectContaining({ message: 'SELECT password FROM users' }),
      }),
    );
  });

  it('counts requests by route pattern', async () => {
    await call('/get/GroupID_one');
    metrics.gauge('drives_active', 'Drives in memory', () => 7);
    const { content_type, body } = await metrics.page();
    expect(content_type).toContain('text/plain');
    expect(body).toMatch(/_count\{method="GET",route="\/get\/:group_id",status="2xx"\} \d+/);
    expect(body).toContain('drives_active 7');
    expect(body).not.toContain('GroupID_one');
  });
});
