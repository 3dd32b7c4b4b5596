import type { Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

describe('Min-Drive-Revision over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
  });
  afterAll(() => service.stop());

  const about = (min: string, who = org.admin) =>
    who.get('/organization/about', { 'Min-Drive-Revision': min });

  it('is met by what a command just answered, and by everything before', async () => {
    const { headers } = await org.admin.post('/groups/create', { name: 'Own' });
    const revision = headers.get('drive-revision')!;
    for (const min of [revision, '0']) {
      const answer = await about(min);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('drive-revision')).toBe(revision);
    }
    const list = await org.admin.post('/groups/list', {}, { 'Min-Drive-Revision': revision });
    expect(list.data.items.map(({ name }: { name: string }) => name)).toContain('Own');
  });

  it('refuses 400 a revision that the stream does not have yet', async () => {
    const { headers } = await about('0');
    const next = String(Number(headers.get('drive-revision')) + 1);
    expect((await about(next)).err).toMatchObject({ code: 400, type: 'request.invalid-header' });
  });

  it('does not disclose the end of the stream to strangers', async () => {
    expect((await about('999999', org.as('none'))).status).toBe(401);
    const token = org.admin.token!;
    const unknown = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    // Not even the form of the header is looked at: nothing waits for who is unknown.
    for (const min of ['0', '999999', 'latest'])
      expect((await about(min, org.as(unknown))).status).toBe(401);
  });

  it('shows the revision beside errors to users, and not to callers without an identity', async () => {
    const asset = '/directory/asset/FileID_none';
    const [user, anybody] = [await org.admin.get(asset), await org.as().get(asset)];
    expect([user.status, anybody.status]).toEqual([404, 404]);
    expect(user.headers.get('drive-revision')).toMatch(/^\d+$/);
    expect(anybody.headers.get('drive-revision')).toBeNull();
  });

  it.each(['-1', '1.5', 'latest', '1e3', ''])('refuses 400 %j', async (bad) => {
    expect((await about(bad)).err).toMatchObject({ code: 400, type: 'request.invalid-header' });
  });
});
