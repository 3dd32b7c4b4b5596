import { BODY_EXAMPLES } from '../../apps/api/body-examples.js';
import type { Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

describe('examples of bodies in the API document', () => {
  let service: TestService;
  let organization: Organization;
  let operations: Map<string, { path: string; body: object }>;

  beforeAll(async () => {
    service = await TestService.start();
    organization = await service.organization();
    const response = await fetch(`${service.url}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, any> };
    operations = new Map(
      Object.entries(paths).flatMap(([path, { post }]) => {
        const body = post?.requestBody?.content['application/json']?.example;
        return body ? [[post.operationId as string, { path, body }] as const] : [];
      }),
    );
  });
  afterAll(() => service.stop());

  it('are those of known operations', () =>
    expect([...operations.keys()].toSorted()).toEqual(Object.keys(BODY_EXAMPLES).toSorted()));

  it.each(Object.keys(BODY_EXAMPLES))('of %s succeed as they stand', async (id) => {
    const { path, body } = operations.get(id)!;
    const { drive_id, admin } = organization;
    const response = await fetch(service.url + path.replace('{organization_id}', drive_id), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toEqual([200, { ok: expect.anything() }]);
  });
});
