import { randomUUID } from 'node:crypto';
import type { Answer, Client, Organization } from '../../support/client.js';
import { TestService } from '../../support/service.js';

/** What specs of contacts start from, once `setUp` has been called in their suite: an organization for every test. */
export let service: TestService;
export let org: Organization;
export let bob: Client;
export let carol: Client;

/** To be called in a suite, before its own hooks. */
export function setUp(): void {
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    org = await service.organization('Bob', 'Carol');
    [bob, carol] = org.members as [Client, Client];
  });
}

export const newUser = (): string => `UserID_${randomUUID()}`;

/** Asks for a contact, and answers whatever comes of it. */
export const post = (body: object = {}, who = org.admin): Promise<Answer> =>
  who.post('/contacts/create', { id: newUser(), ...body });

/** A contact made by the owner. */
export const create = async (body: object = {}): Promise<any> => (await post(body)).data;

export const typeOf = ({ status, err }: Answer) => [status, err?.type];
export const blame = ({ status, err }: Answer) => [status, err?.details[0]?.pointer];
