import { GROUPS, throwawayApp } from './testing/throwaway.js';

const { call, group, lines, metrics } = throwawayApp();

const from = (address: string) => call('/limited', { headers: { 'X-Forwarded-For': address } });

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
    expect(headers.get('access-control-allow-methods')).toBe(
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    );
    expect(headers.get('access-control-allow-headers')).toBe(
      'Content-Type, Authorization, Accept, Last-Event-ID, Min-Drive-Revision, If-Match, If-None-Match, Idempotency-Key, Dry-Run, Prefer, Audit-Reason, Repr-Digest, Range, If-Range, If-Modified-Since, Tus-Resumable, Upload-Length, Upload-Defer-Length, Upload-Offset, Upload-Metadata, Upload-Checksum, X-Request-Id',
    );
    expect(headers.get('x-request-id')).not.toBeNull();
  });

  it('exposes its headers on every response', async () => {
    for (const { headers } of [await call('/id'), await call('/nowhere')]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(
        'Drive-Revision, ETag, Accept-Ranges, Content-Disposition, Content-Range, Last-Modified, Repr-Digest, Location, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, Upload-Length, Upload-Defer-Length, Upload-Offset, Upload-Metadata, Upload-Expires, Idempotent-Replayed, Preference-Applied, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Allow',
      );
    }
  });
});

describe('rate limit', () => {
  it('refuses the first request above the limit, per client behind the proxy', async () => {
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

describe('log and metrics', () => {
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
    expect(body).toContain('drive_workspace_drives_active 7');
    expect(body).not.toContain('GroupID_one');
  });

  it('counts errors by status and type', async () => {
    const errors = async (type: string): Promise<number> => {
      const { body } = await metrics.page();
      const [, count] =
        new RegExp(`http_errors_total\\{status="\\d+",type="${type}"\\} (\\d+)`).exec(body) ?? [];
      return Number(count ?? 0);
    };
    const before = [await errors('route.unknown'), await errors('request.malformed-url')];
    await call('/nowhere');
    await call('/get/%ZZ');
    await call('/id');
    const after = [await errors('route.unknown'), await errors('request.malformed-url')];
    expect(after.map((count, at) => count - before[at]!)).toEqual([1, 1]);
  });
});
