import type { Answer, Client, Organization } from '../../support/client.js';
import { TestService } from '../../support/service.js';

/** What specs of group invites start from, once `setUp` has been called in their suite: a group for every test. */
export let service: TestService;
export let org: Organization;
export let bob: Client;
export let carol: Client;
export let group_id: string;

/** To be called in a suite, before its own hooks. */
export function setUp(): void {
  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Carol');
    [bob, carol] = org.members as [Client, Client];
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    group_id = (await org.admin.post('/groups/create', { name: 'Finance' })).data.id;
  });
}

/** Asks for an invite, and answers whatever comes of it. */
export const post = (body: object = {}, who = org.admin): Promise<Answer> =>
  who.post('/groups/invites/create', { group_id, role: 'MEMBER', ...body });

/** An invite made by the owner. */
export const create = async (body: object = {}): Promise<any> => (await post(body)).data;

export const typeOf = ({ status, err }: Answer) => [status, err?.type];
