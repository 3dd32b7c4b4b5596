import type { Answer, Client, Organization } from '../support/client.js';
import { makeDisk, makeFolder } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

let keys = 0;

describe('a repeat under an Idempotency-Key', () => {
  let now = 0;
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => Date.now() + now });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    org = await service.organization('Bob');
    [bob] = org.members as [Client];
  });

  const made = async (path: string, body: object): Promise<any> => {
    const { status, data } = await org.admin.post(path, body);
    expect(status).toBe(200);
    return data;
  };
  const allow = (who: Client, resource_id: string, ...permission_types: string[]) =>
    made('/permissions/system/create', {
      ...{ resource_id, granted_to: who.user_id, permission_types },
    });
  /** Sends something twice, with something in between; the first must be done. */
  const between = async (
    who: Client,
    path: string,
    body: object,
    change: () => Promise<unknown>,
    again = who,
  ): Promise<Answer> => {
    const headers = { 'Idempotency-Key': `rights-${++keys}` };
    const first = await who.post(path, body, headers);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    await change();
    return again.post(path, body, headers);
  };
  const seen = ({ status, err, headers }: Answer) => ({
    status,
    type: err?.type,
    is_replayed: headers.get('idempotent-replayed') !== null,
  });
  const DENIED = { status: 403, type: 'permission.denied', is_replayed: false };
  const UNKNOWN = { status: 401, type: expect.any(String), is_replayed: false };
  const REPLAYED = { status: 200, type: undefined, is_replayed: true };

  const link = { original_url: 'https://a.example' };

  it.each([
    ['revoked', (id: string) => made('/api_keys/update', { id, is_revoked: true })],
    ['deleted', (id: string) => made('/api_keys/delete', { id })],
    ['expired', () => Promise.resolve((now += 120_000))],
  ])('is 401 with a key that was %s', async (_, end) => {
    const key = await made('/api_keys/create', {
      ...{ name: 'Ending', user_id: bob.user_id },
      expires_at: Date.now() + now + 60_000,
    });
    const bobs = org.as(key.value, bob.user_id);
    const again = await between(bobs, '/organization/shortlink', link, () => end(key.id));
    expect(seen(again)).toEqual(UNKNOWN);
    const group = { name: 'Team' };
    await allow(bob, 'TABLE_GROUPS', 'CREATE');
    const other = await made('/api_keys/create', {
      ...{ name: 'Ending', user_id: bob.user_id },
      expires_at: Date.now() + now + 60_000,
    });
    const with_other = org.as(other.value, bob.user_id);
    expect(seen(await between(with_other, '/groups/create', group, () => end(other.id)))).toEqual(
      UNKNOWN,
    );
    // The user is the same with any key that counts.
    expect(seen(await between(bob, '/groups/create', group, async () => {}))).toEqual(REPLAYED);
  });

  it('is answered while an expired item waits for its removal, which nobody may see', async () => {
    const disk = await makeDisk(org);
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const expires_at = Date.now() + now + 60_000;
    const payload = { name: 'brief', ...place, expires_at };
    const actions = [{ action: 'CREATE_FOLDER', payload }];
    const expire = async () => void (now += 61_000);
    const again = await between(org.admin, '/directory/action', { actions }, expire);
    expect([seen(again), again.body[0].success]).toEqual([REPLAYED, true]);
    const { id } = await makeFolder(org.admin, disk, 'later');
    const end = { id, expires_at: Date.now() + now + 60_000 };
    const update = { actions: [{ action: 'UPDATE_FOLDER', payload: end }] };
    const repeated = await between(org.admin, '/directory/action', update, expire);
    expect([seen(repeated), repeated.body[0].success]).toEqual([REPLAYED, true]);
  });

  it('is refused to a contact that was removed, as if it were new', async () => {
    const signer = new Signer();
    await made('/contacts/create', { id: signer.user_id, name: 'Sig' });
    const sig = signer.in(org, Date.now() + now);
    await allow(sig, 'TABLE_GROUPS', 'CREATE');
    const remove = () => made('/contacts/delete', { id: sig.user_id });
    expect(seen(await between(sig, '/groups/create', { name: 'Secret' }, remove))).toEqual(DENIED);
  });

  it('by code is refused to a contact that was removed: the invite went with it', async () => {
    const signer = new Signer();
    await made('/contacts/create', { id: signer.user_id, name: 'Sig' });
    const { id: group_id } = await made('/groups/create', { name: 'Secret' });
    const invite = await made('/groups/invites/create', { group_id, role: 'MEMBER' });
    const body = { invite_id: invite.id, redeem_code: invite.redeem_code };
    const remove = () => made('/contacts/delete', { id: signer.user_id });
    const again = await between(
      signer.in(org, Date.now() + now),
      '/groups/invites/redeem',
      body,
      remove,
    );
    expect([again.status, again.data]).toEqual([404, undefined]);
  });

  it('is refused to an id that was swapped, and answered to the id in its place', async () => {
    const [old, heir] = [new Signer(), new Signer()];
    await made('/contacts/create', { id: old.user_id, name: 'Old' });
    await allow(old.in(org, Date.now() + now), 'TABLE_GROUPS', 'CREATE');
    const swap = () =>
      made('/organization/superswap_user', {
        ...{ current_user_id: old.user_id, new_user_id: heir.user_id },
      });
    const body = { name: 'Secret' };
    expect(
      seen(await between(old.in(org, Date.now() + now), '/groups/create', body, swap)),
    ).toEqual(DENIED);
    const later = { 'Idempotency-Key': `rights-${keys}` };
    expect(seen(await heir.in(org, Date.now() + now).post('/groups/create', body, later))).toEqual(
      REPLAYED,
    );
  });

  it('is refused to a caller that lost the right since', async () => {
    const { permission } = await allow(bob, 'TABLE_GROUPS', 'CREATE');
    const revoke = () => made('/permissions/system/delete', { permission_id: permission.id });
    const again = await between(bob, '/groups/create', { name: 'Team' }, revoke);
    expect(seen(again)).toEqual(DENIED);
  });

  it('is refused to a caller that may not see the record any more', async () => {
    const { permission } = await allow(bob, 'TABLE_CONTACTS', 'CREATE', 'VIEW');
    const narrow = () =>
      made('/permissions/system/update', {
        ...{ id: permission.id, permission_types: ['CREATE'] },
      });
    const body = { is_placeholder: true, name: 'Placeholder' };
    // A second one with a name of its own could be made; this one is not shown again.
    expect(seen(await between(bob, '/contacts/create', body, narrow))).toEqual(DENIED);
  });

  it('of actions discloses nothing of an item that was hidden since', async () => {
    const disk = await makeDisk(org);
    const folder = await makeFolder(org.admin, disk, 'Shared', { has_sovereign_permissions: true });
    const { permission } = await made('/permissions/directory/create', {
      ...{ resource_id: folder.id, granted_to: bob.user_id },
      permission_types: ['VIEW', 'UPLOAD', 'EDIT'],
    });
    const actions = [
      { action: 'UPDATE_FOLDER', payload: { id: folder.id, notes: 'by Bob' } },
      { action: 'GET_FOLDER', payload: { id: folder.id } },
    ];
    const revoke = () => made('/permissions/directory/delete', { permission_id: permission.id });
    const again = await between(bob, '/directory/action', { actions }, revoke);
    expect(again.status).toBe(200);
    expect(again.body.map(({ response }: any) => response.error?.code)).toEqual([403, 403]);
    expect(JSON.stringify(again.body)).not.toContain('Shared');
  });

  it('of a transaction is refused where one of its commands would be', async () => {
    await allow(bob, 'TABLE_LABELS', 'CREATE', 'VIEW');
    const { permission } = await allow(bob, 'TABLE_GROUPS', 'CREATE');
    const commands = [
      { path: 'labels/create', body: { value: `kept-${++keys}` } },
      { path: 'groups/create', body: { name: 'Lost' } },
    ];
    const revoke = () => made('/permissions/system/delete', { permission_id: permission.id });
    const again = await between(bob, '/transaction', { commands }, revoke);
    expect(seen(again)).toEqual(DENIED);
    expect(again.err.index).toBe(1);
  });

  it('is answered to a caller that gave its permission away by the same request', async () => {
    const { permission } = await allow(bob, 'TABLE_PERMISSIONS', 'VIEW', 'EDIT', 'CREATE');
    const narrow = { id: permission.id, permission_types: ['VIEW'] };
    const nothing = async () => {};
    const path = '/permissions/system/update';
    expect(seen(await between(bob, path, narrow, nothing))).toEqual(REPLAYED);
    const twice = { commands: [{ path: 'permissions/system/update', body: narrow }] };
    await made(path, { id: permission.id, permission_types: ['VIEW', 'EDIT', 'CREATE'] });
    expect(seen(await between(bob, '/transaction', twice, nothing))).toEqual(REPLAYED);
  });
});
