import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import type { Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

describe('a sign-in link without a web client', () => {
  let service: TestService;
  let org: Organization;
  let url: string;
  const lines: string[] = [];

  beforeAll(async () => {
    const logger = new JsonLogger('debug', { write: (line) => lines.push(line) });
    service = await TestService.start({ LOG_LEVEL: 'debug' }, { logger });
    org = await service.organization('Bob');
    const { admin } = org;
    await admin.post('/contacts/update', { id: admin.user_id, name: '<b>Ann</b> & "Co"' });
    url = await linkOf();
  });
  afterAll(() => service.stop());

  async function linkOf(): Promise<string> {
    const { admin } = org;
    const body = { user_id: admin.user_id, profile_api_key: admin.token };
    const { data } = await admin.post('/contacts/helpers/generate-auto-login-link', body);
    return data.auto_login_url;
  }

  it('leads to a page of the service that names the user and the organization', async () => {
    expect(new URL(url).origin).toBe(service.url);
    const answer = await fetch(url);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page).toContain('signs in to the organization <strong>Test Org</strong>');
    expect(page).toContain('as <strong>&lt;b&gt;Ann&lt;/b&gt; &amp; &quot;Co&quot;</strong>');
    for (const id of [org.drive_id, org.admin.user_id]) expect(page).toContain(id);
    expect(page).toContain('/organization/whoami');
  });

  it('shows no secret, and lets nothing keep its address or run beside it', async () => {
    const { headers, ...answer } = await fetch(url).then(async (response) => ({
      headers: response.headers,
      page: await response.text(),
    }));
    const token = new URL(url).searchParams.get('token')!;
    for (const secret of [org.admin.token!, token]) expect(answer.page).not.toContain(secret);
    expect(answer.page).not.toMatch(/<script|src=|https?:\/\/(?!127|localhost)/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('is not in the log', async () => {
    await (await fetch(url)).text();
    const token = new URL(url).searchParams.get('token')!;
    const log = lines.join('');
    expect(log).toContain('"/auto-login"');
    for (const secret of [org.admin.token!, token]) expect(log).not.toContain(secret);
  });

  it('shows the same page for every invalid link', async () => {
    const { admin } = org;
    const made = await admin.post('/api_keys/create', { name: 'k' });
    const encode = (link: unknown): string =>
      Buffer.from(JSON.stringify(link)).toString('base64url');
    const revoked = encode({ org_id: org.drive_id, profile_api_key: made.data.value });
    expect((await fetch(`${service.url}/auto-login?token=${revoked}`)).status).toBe(200);
    await admin.post('/api_keys/update', { id: made.data.id, is_revoked: true });
    const pages = new Set<string>();
    for (const query of [
      `?token=${revoked}`,
      `?token=${encode({ org_id: 'DriveID_none', profile_api_key: admin.token })}`,
      `?token=${encode({ org_id: org.drive_id, profile_api_key: 'nonsense' })}`,
      `?token=${encode({ org_id: org.drive_id, org_name: 'Call 555' })}`,
      `?token=${encode(null)}`,
      '?token=%00',
      '?token=a&token=b',
      '',
    ]) {
      const answer = await fetch(`${service.url}/auto-login${query}`);
      expect([query, answer.status]).toEqual([query, 404]);
      pages.add(await answer.text());
    }
    expect(pages.size).toBe(1);
    expect([...pages][0]).toContain('This sign-in link is not valid');
  });
});

describe('a sign-in page', () => {
  it('counts against the limits of its organization', async () => {
    const service = await TestService.start({ RATE_LIMITS: 'on', RATE_LIMIT_CLIENT: '2' });
    const org = await service.organization();
    const link = { org_id: org.drive_id, profile_api_key: org.admin.token };
    const token = Buffer.from(JSON.stringify(link)).toString('base64url');
    const statuses: number[] = [];
    for (let nth = 0; nth < 3; nth++)
      statuses.push((await fetch(`${service.url}/auto-login?token=${token}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
    await service.stop();
  });
});
