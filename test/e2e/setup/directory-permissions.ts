import type { Answer, Client, Organization } from '../../support/client.js';
import { TestService } from '../../support/service.js';

export const BASE = '/permissions/directory';

/** What specs of directory permissions start from, once `setUp` has been called in their suite. */
export let service: TestService;
export let org: Organization;
export let bob: Client;
export let carl: Client;
/** Everyone has VIEW, UPLOAD and EDIT here. */
export let root: string;
/** Nobody but the owner has anything here. */
export let trash: string;

/** To be called in a suite, before its own hooks. */
export function setUp(): void {
  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Carl');
    [bob, carl] = org.members as [Client, Client];
  });
  afterAll(() => service.stop());
  // A disk of its own for every test, so that no grant reaches into another.
  beforeEach(async () => {
    const { data } = await org.admin.post('/disks/create', { name: 'D', disk_type: 'LOCAL_SSD' });
    root = data.root_folder;
    trash = data.trash_folder;
  });
}

/** Asks for a grant to Bob on the trash folder unless the body says otherwise. */
export const create = (who: Client, body: object = {}): Promise<Answer> =>
  who.post(`${BASE}/create`, {
    resource_id: trash,
    granted_to: bob.user_id,
    permission_types: ['VIEW'],
    ...body,
  });

/** A grant by the owner. */
export const give = async (to: string, ...permission_types: string[]): Promise<any> =>
  (await create(org.admin, { granted_to: to, permission_types })).data;
