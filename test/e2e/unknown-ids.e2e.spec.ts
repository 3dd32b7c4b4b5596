import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFolder, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const TYPED = 'UserID_typed-wrongly';
const NO_FOLDER = 'FolderID_typed-wrongly';

describe('ids and names in access queries', () => {
  let service: TestService;
  let org: Organization;
  let ada: Client;
  let bob: Client;
  let audrey: Client;
  let disk: TestDisk;
  let shift_ms = 0;

  const ask = (question: string, body: object, client = audrey) =>
    client.post(`/organization/${question}`, body);
  const answer = async (question: string, body: object, client = audrey): Promise<any> => {
    const { status, data, err } = await ask(question, body, client);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const create = async (path: string, body: object): Promise<any> => {
    const { status, data, err } = await ada.post(`${path}/create`, body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const last = async () => {
    const { last_event, revision } = await answer('replay', { hash: false });
    return { revision: revision as number, at_ms: last_event.timestamp_ms as number };
  };
  const action = async (name: string, payload: object): Promise<void> => {
    const { error } = await act(ada, name, payload);
    expect(error).toBeUndefined();
  };
  const folder = async (name: string): Promise<string> => (await makeFolder(ada, disk, name)).id;

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => Date.now() + shift_ms });
    org = await service.organization('Bob', 'Audrey');
    ada = org.admin;
    [bob, audrey] = org.members as [Client, Client];
    disk = await makeDisk(org);
    const granted_to = audrey.user_id;
    await create('/permissions/system', {
      resource_id: 'TABLE_AUDIT',
      granted_to,
      permission_types: ['VIEW'],
    });
  });
  afterAll(() => service.stop());

  const grantee_id = 'PUBLIC';
  const resource_id = 'TABLE_GROUPS';
  const check = { grantee_id, resource_id, permission_type: 'VIEW' };
  const from = { revision: 0 };

  it('names only the ids that never existed, not those that do no more', async () => {
    const { id } = await create('/groups', { name: 'Former' });
    await ada.post('/groups/delete', { id });
    const { status, err } = await ask('explain', {
      grantee_id: 'GroupID_typed-wrongly',
      resource_id: id,
    });
    expect([status, err.details.map(({ pointer }: any) => pointer)]).toEqual([
      404,
      ['/grantee_id'],
    ]);
    const { existed } = await answer('explain', { grantee_id, resource_id: id });
    expect(existed.to_ms).toBeGreaterThan(0);
  });

  it.each([
    ['explain', { grantee_id: TYPED, resource_id }, ['/grantee_id']],
    ['explain', { grantee_id: TYPED, resource_id, revision: 1 }, ['/grantee_id']],
    ['explain', { grantee_id, resource_id: NO_FOLDER }, ['/resource_id']],
    ['explain', { grantee_id, resource_id: 'GroupID_typed-wrongly' }, ['/resource_id']],
    ['explain', { grantee_id: TYPED, resource_id: TYPED }, ['/grantee_id', '/resource_id']],
    ['who', { resource_id: NO_FOLDER }, ['/resource_id']],
    ['who', { resource_id: TYPED }, ['/resource_id']],
    ['reach', { grantee_id: 'GroupID_typed-wrongly' }, ['/grantee_id']],
    ['reach', { grantee_id: 'PlaceholderPermissionGranteeID_typed-wrongly' }, ['/grantee_id']],
    ['check_many', { checks: [check, { ...check, grantee_id: TYPED }] }, ['/checks/1/grantee_id']],
    [
      'check_many',
      { checks: [{ ...check, resource_id: 'LabelID_no' }, check], revision: 0 },
      ['/checks/0/resource_id'],
    ],
    ['access_timeline', { grantee_id: TYPED, resource_id }, ['/grantee_id']],
    ['access_timeline', { grantee_id, resource_id: NO_FOLDER }, ['/resource_id']],
    ['access_diff', { from, grantee_id: TYPED }, ['/grantee_id']],
    ['access_diff', { from, resource_id: NO_FOLDER }, ['/resource_id']],
    ['history', { resource_id: NO_FOLDER }, ['/resource_id']],
    ['history', { resource_id: 'nothing at all' }, ['/resource_id']],
    ['history', { actor: TYPED }, ['/actor']],
    ['history', { types: ['GroupCreated', 'GroupCreate'] }, ['/types/1']],
    ['history', { command: 'CreateGruop' }, ['/command']],
    ['history', { allowed_by: 'SystemPermissionID_typed-wrongly' }, ['/allowed_by']],
    ['history', { correlation_id: 'no-such-request' }, ['/correlation_id']],
  ])('%s of %j is 404 and names the field', async (question, body, pointers) => {
    const { status, err } = await ask(question, body);
    expect([status, err?.type]).toEqual([404, 'id.unknown']);
    expect(err.details.map(({ pointer }: any) => pointer)).toEqual(pointers);
  });

  it.each([
    ['explain', { grantee_id, resource_id: 'TABLE_INBOX' }],
    ['reach', { grantee_id: 'PUBLIC' }],
    ['who', { resource_id: 'WEBHOOKS' }],
    ['history', { types: ['LabelDeleted'], command: 'DeleteLabel', allowed_by: 'SELF' }],
    ['history', { resource_id: 'TABLE_INBOX' }],
  ])('%s of %j, known though nothing came of it yet, is answered', async (question, body) => {
    expect(await answer(question, body)).not.toHaveProperty('existed');
  });

  it('says when a record existed that is not there at the point', async () => {
    const before = (await last()).revision;
    const id = await folder('Short-lived');
    const made = await last();
    const question = { grantee_id: bob.user_id, resource_id: id };
    expect(await answer('explain', question)).not.toHaveProperty('existed');
    const early = await answer('explain', { ...question, revision: before });
    expect(early).toMatchObject({
      permissions: [],
      existed: { from_ms: made.at_ms, to_ms: -1 },
    });
    shift_ms += 1000;
    await action('DELETE_FOLDER', { id, permanent: true });
    const gone = await last();
    const existed = { from_ms: made.at_ms, to_ms: gone.at_ms };
    expect(await answer('explain', question)).toMatchObject({ permissions: [], existed });
    expect(await answer('explain', { ...question, revision: made.revision })).not.toHaveProperty(
      'existed',
    );
    expect(await answer('who', { resource_id: id })).toMatchObject({ total: 0, existed });
    const timeline = await answer('access_timeline', question);
    expect(timeline.existed).toEqual(existed);
    expect(timeline.intervals[0]).toMatchObject({ to_ms: gone.at_ms });
    const checks = [check, { ...check, resource_id: id }];
    const checked = await answer('check_many', { checks });
    expect(checked.existed).toEqual([{ check: 1, ...existed }]);
    const since = { from: { revision: gone.revision }, resource_id: id };
    expect(await answer('access_diff', since)).toMatchObject({ total: 0, existed });
    const over = { from: { revision: made.revision }, resource_id: id };
    expect(await answer('access_diff', over)).not.toHaveProperty('existed');
    expect((await answer('history', { resource_id: id })).total).toBe(2);
  });

  it('an item that has expired existed until then, swept or not', async () => {
    const id = await folder('Expiring');
    const { at_ms } = await last();
    const expires_at = at_ms + 60_000;
    await action('UPDATE_FOLDER', { id, expires_at });
    shift_ms += 61_000;
    const { existed } = await answer('who', { resource_id: id });
    expect(existed).toEqual({ from_ms: at_ms, to_ms: expires_at });
  });

  it('knows users by whatever an event said of them: grants, invites, former ids', async () => {
    const granted = { resource_id: 'LABELS', permission_types: ['VIEW'] };
    const granted_to = 'UserID_only-ever-granted-to';
    const { id } = await create('/permissions/system', { ...granted, granted_to });
    const begun = await last();
    expect(await answer('reach', { grantee_id: granted_to })).not.toHaveProperty('existed');
    shift_ms += 1000;
    await ada.post('/permissions/system/delete', { permission_id: id });
    const ended = await last();
    const existed = { from_ms: begun.at_ms, to_ms: ended.at_ms };
    expect(await answer('reach', { grantee_id: granted_to })).toMatchObject({ total: 0, existed });
    expect((await answer('history', { actor: granted_to })).total).toBe(0);

    const placeholder = await create('/permissions/system', granted);
    await ada.post('/permissions/system/delete', { permission_id: placeholder.id });
    const removed = await last();
    const held = await answer('explain', {
      grantee_id: placeholder.granted_to,
      resource_id: 'LABELS',
    });
    expect(held.existed.to_ms).toBe(removed.at_ms);

    const contact = await create('/contacts', { id: 'UserID_before-the-swap', name: 'Sam' });
    const swap = { current_user_id: contact.id, new_user_id: 'UserID_after-the-swap' };
    expect((await ada.post('/organization/superswap_user', swap)).status).toBe(200);
    const swapped = await last();
    const former = await answer('reach', { grantee_id: contact.id });
    expect(former.existed.to_ms).toBe(swapped.at_ms);
  });

  it('discloses nothing to others: unknown and hidden ids have byte-identical answers', async () => {
    const more = { has_sovereign_permissions: true };
    const { id: hidden } = await makeFolder(ada, disk, 'Hidden', more);
    const deleted = await folder('Deleted');
    await action('DELETE_FOLDER', { id: deleted, permanent: true });
    const none = 'FolderID_00000000-0000-4000-8000-000000000000';
    const alike = async (question: string, bodyOf: (id: string) => object): Promise<void> => {
      const texts = new Set<string>();
      for (const id of [hidden, deleted, none]) {
        const { status, data, err } = await ask(question, bodyOf(id), bob);
        const told = JSON.stringify([status, data, { ...err, request_id: '' }]);
        texts.add(told.replaceAll(id, 'ID').replaceAll(/"at_ms":\d+/g, ''));
      }
      expect([...texts]).toHaveLength(1);
    };
    const self = { grantee_id: bob.user_id };
    await alike('explain', (id) => ({ ...self, resource_id: id }));
    await alike('explain', (id) => ({ ...self, resource_id: id, revision: 3 }));
    await alike('explain', (id) => ({ grantee_id: audrey.user_id, resource_id: id }));
    await alike('who', (id) => ({ resource_id: id }));
    await alike('access_timeline', (id) => ({ grantee_id: audrey.user_id, resource_id: id }));
    await alike('access_diff', (id) => ({ from, resource_id: id }));
    await alike('access_diff', (id) => ({ from: { revision: 3 }, ...self, resource_id: id }));
    await alike('check_many', (id) => ({ checks: [{ ...check, ...self, resource_id: id }] }));
    await alike('history', (id) => ({ resource_id: id }));
  });
});
