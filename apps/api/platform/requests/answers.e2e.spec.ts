import { throwawayApp } from '../testing/throwaway.js';

const { call, post, group, raw } = throwawayApp();

describe('success', () => {
  it('answers 200 to POST, as JSON in UTF-8', async () => {
    const { status, headers, body } = await group({ name: 'Finance' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ ok: { data: { name: 'Finance', has_avatar: false } } });
  });

  it('distinguishes null, absent and empty', async () => {
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
