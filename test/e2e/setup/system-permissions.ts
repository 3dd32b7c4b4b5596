import { randomUUID } from 'node:crypto';
import type { Answer, Client, Organization } from '../../support/client.js';
import { TestService } from '../../support/service.js';

export const BASE = '/permissions/system';

/** What specs of system permissions start from, once `setUp` has been called in their suite. */
export let service: TestService;
export let org: Organization;
export let bob: Client;
export let carl: Client;
/** A record of its own for every test; nobody has anything on the table. */
export let label: string;

/** To be called in a suite, before its own hooks. */
export function setUp(): void {
  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Carl');
    [bob, carl] = org.members as [Client, Client];
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    label = `LabelID_${randomUUID()}`;
  });
}

/** Asks for a grant to Bob on the label unless the body says otherwise. */
export const create = (who: Client, body: object = {}): Promise<Answer> =>
  who.post(`${BASE}/create`, {
    resource_id: label,
    granted_to: bob.user_id,
    permission_types: ['EDIT'],
    ...body,
  });

/** A grant by the owner. */
export const give = async (to: string, resource_id: string, ...permission_types: string[]) =>
  (await create(org.admin, { granted_to: to, resource_id, permission_types })).data;
