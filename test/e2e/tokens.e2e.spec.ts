import { makeApiKeyToken } from '../../libs/identity/token.js';
import { Client, type Answer, type Organization } from '../support/client.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';
import { resolved } from '../support/openapi.js';

const HOUR_MS = 3_600_000;

describe('a 401', () => {
  let service: TestService;
  let org: Organization;
  let clock: { now: number };

  beforeAll(async () => {
    clock = { now: Date.now() };
    service = await TestService.start({}, { clock: () => clock.now });
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  const ask = (token: string | undefined): Promise<Answer> =>
    org.as(token).get('/organization/about');

  it('says that there is no token, and requires one', async () => {
    const { status, headers, err } = await ask(undefined);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(err).toEqual({
      code: 401,
      type: 'token.missing',
      message: 'A token is required.',
      request_id: headers.get('x-request-id'),
      details: [],
    });
  });

  it('says that the token cannot be read', async () => {
    const { url } = service;
    for (const token of ['nonsense', Buffer.from('{}').toString('base64'), 'x'.repeat(9_000)]) {
      const { status, headers, err } = await ask(token);
      expect([status, err.type]).toEqual([401, 'token.malformed']);
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    // A bad header is never a reason to look at the parameter.
    const path = `/v1/drive/${org.drive_id}/organization/about?auth=${org.admin.token}`;
    const empty = await new Client(url).get(path, { authorization: 'Bearer ' });
    expect([empty.status, empty.err.type]).toEqual([401, 'token.malformed']);
    expect((await new Client(url).get(path)).status).toBe(200);
    const twice = await new Client(url).get(`${path}&auth=${org.admin.token}`);
    expect([twice.status, twice.err.type]).toEqual([401, 'token.malformed']);
  });

  it('answers the same for unknown, foreign, revoked, expired and future keys', async () => {
    const made = async (fields: object): Promise<{ id: string; value: string }> =>
      (await org.admin.post('/api_keys/create', { name: 'key', ...fields })).data;
    const revoked = await made({});
    await org.admin.post('/api_keys/update', { id: revoked.id, is_revoked: true });
    const expired = await made({ expires_at: clock.now + HOUR_MS });
    const deleted = await made({});
    await org.admin.post('/api_keys/delete', { id: deleted.id });
    clock.now += 2 * HOUR_MS;
    const coming = await made({ begins_at: clock.now + HOUR_MS });
    const other = await service.organization();
    const answers: unknown[] = [];
    for (const token of [
      makeApiKeyToken().value,
      other.admin.token!,
      revoked.value,
      expired.value,
      deleted.value,
      coming.value,
      new Signer().in(org, clock.now - HOUR_MS).token!,
    ]) {
      const { status, headers, body } = await ask(token);
      const { request_id, ...err } = body.err;
      expect(request_id).toBe(headers.get('x-request-id'));
      const authenticate = headers.get('www-authenticate');
      answers.push({ status, authenticate, err });
    }
    expect(answers[0]).toEqual({
      status: 401,
      authenticate: 'Bearer error="invalid_token"',
      err: {
        code: 401,
        type: 'token.invalid',
        message: 'The token is not valid here, or no longer valid.',
        details: [],
      },
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('says so too where only some callers need a token', async () => {
    const link = { original_url: 'https://a.example/' };
    for (const [token, type] of [
      [undefined, 'token.missing'],
      ['nonsense', 'token.malformed'],
      [makeApiKeyToken().value, 'token.invalid'],
    ] as const) {
      const { status, err } = await org.as(token).post('/organization/shortlink', link);
      expect([status, err.type]).toEqual([401, type]);
    }
  });

  it('is sent as RFC 9457 on request, with the same challenge', async () => {
    const accept = { accept: 'application/problem+json' };
    const { headers, body } = await org.as().get('/organization/about', accept);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toMatchObject({ type: '/errors/token.missing', status: 401, code: 401 });
  });

  it('is documented with its types and its header', async () => {
    const body = resolved((await service.client().get('/openapi.json')).body);
    const { responses } = body.paths['/v1/drive/{organization_id}/groups/list'].post;
    const answer = responses.default;
    for (const type of ['token.missing', 'token.malformed', 'token.invalid'])
      expect(answer.description).toContain(`\`${type}\``);
    expect(Object.keys(answer.headers)).toContain('WWW-Authenticate');
  });
});

describe('a path that is known', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
  });
  afterAll(() => service.stop());

  it.each([
    ['GET', '/groups/create', 'POST'],
    ['PUT', '/groups/list/', 'POST'],
    ['POST', '/groups/get/GroupID_a', 'GET, HEAD'],
    ['DELETE', '/organization/about?x=1', 'GET, HEAD'],
    ['PATCH', '/groups/invites/get/GroupInviteID_a', 'GET, HEAD'],
  ])('answers %s %s 405 with Allow: %s', async (method, path, allow) => {
    const { status, headers, err } = await org.admin.send(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(err).toEqual({
      code: 405,
      type: 'route.wrong-method',
      message:
        'This operation does not support the method; the header Allow lists those it supports.',
      request_id: headers.get('x-request-id'),
      details: [],
    });
  });

  it.each([
    ['GET', '/v1/factory/quickstart', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ])('answers %s %s 405, outside organizations too', async (method, path, allow) => {
    const { status, headers } = await service.client().send(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  it('serves HEAD where it serves GET, and answers OPTIONS as ever', async () => {
    expect((await org.admin.send('HEAD', '/organization/about')).status).toBe(200);
    const { status, headers } = await org.admin.send('HEAD', '/groups/create');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect((await org.admin.send('OPTIONS', '/groups/create')).status).toBe(204);
  });

  it.each(['/groups/creat', '/groups', '/nowhere', '/groups/create/more'])(
    'is not one that no operation has: POST %s is 404',
    async (path) => {
      const { status, headers, err } = await org.admin.post(path);
      expect([status, err.type, headers.get('allow')]).toEqual([404, 'route.unknown', null]);
    },
  );
});
