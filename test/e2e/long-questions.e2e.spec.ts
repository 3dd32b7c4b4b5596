import type { Client, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

const POLICIES = '"client";q=600;w=60, "drive";q=6000;w=60';

describe('questions about the past that cost much', () => {
  let service: TestService;
  afterEach(() => service.stop());

  const ask = (who: Client, path: string, body: object = {}) => who.post(path, body);
  const timeline = ({ admin }: Organization) =>
    ask(admin, '/organization/access_timeline', {
      grantee_id: admin.user_id,
      resource_id: 'TABLE_GROUPS',
    });

  it('wait for the next window once those before have read too many events', async () => {
    service = await TestService.start({ RATE_LIMITS: 'on', FOLDED_EVENTS_PER_CALLER: '2' });
    const organization = await service.organization();
    const { admin } = organization;
    for (const name of ['A', 'B', 'C']) await admin.post('/groups/create', { name });
    expect((await timeline(organization)).status).toBe(200);
    const questions: [string, object][] = [
      ['/organization/compare', { from: { revision: 0 } }],
      ['/organization/access_diff', { from: { revision: 0 } }],
      ['/organization/replay', { revision: 1 }],
      ['/organization/history', {}],
      ['/organization/verify', {}],
      ['/groups/list?as_of=r2', {}],
    ];
    for (const [path, body] of questions) {
      const { status, headers, body: answer } = await ask(admin, path, body);
      expect([path, status]).toEqual([path, 429]);
      expect(answer).toMatchObject({ err: { type: 'rate.limited' } });
      expect(headers.get('ratelimit-policy')).toBe(`${POLICIES}, "caller-events";q=2;w=60`);
      expect(headers.get('ratelimit')).toMatch(/, "caller-events";r=0;t=\d+$/);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // What reads no event is answered as ever.
    expect((await ask(admin, '/groups/list')).status).toBe(200);
  });

  it('and live feeds are so many at one time', async () => {
    service = await TestService.start({ FEEDS_PER_CALLER: '1' });
    const { admin } = await service.organization();
    const gone = new AbortController();
    const listen = () =>
      fetch(`${admin.base}/organization/events`, {
        headers: { authorization: `Bearer ${admin.token}` },
        signal: gone.signal,
      });
    const first = await listen();
    expect(first.status).toBe(200);
    const second = await listen();
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(second.headers.get('ratelimit-policy')).toBe(
      '"caller-feeds";q=1;qu="concurrent-requests"',
    );
    await second.text();
    gone.abort();
  });
});
