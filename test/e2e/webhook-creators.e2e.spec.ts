import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { given, granted } from '../support/facts.js';
import { Receiver } from '../support/receiver.js';
import { TestService } from '../support/service.js';

describe('webhooks and the rights of their creators over HTTP', () => {
  let service: TestService;
  let receiver: Receiver;
  let org: Organization;
  let bob: Client;
  let carol: Client;
  let disk: TestDisk;
  let folder: any;
  let hooks = 0;

  beforeAll(async () => {
    service = await TestService.start();
    receiver = await Receiver.start();
  });
  beforeEach(async () => {
    org = await service.organization('Bob', 'Carol');
    [bob, carol] = org.members as [Client, Client];
    disk = await makeDisk(org);
    // Nothing is told beyond what is sovereign, so the folder watched lies in one that is.
    const closed = await makeFolder(org.admin, disk, 'Closed', { has_sovereign_permissions: true });
    folder = await makeFolder(org.admin, disk, 'Watched', { parent_folder_uuid: closed.id });
    for (const { user_id } of [bob, carol])
      await given(service, org, granted(org, user_id, 'TABLE_WEBHOOKS', 'CREATE', 'VIEW', 'EDIT'));
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const view = async (who: Client): Promise<string> => {
    const body = {
      ...{ resource_id: folder.id, granted_to: who.user_id },
      ...{ permission_types: ['VIEW'], inheritable: true },
    };
    return (await org.admin.post('/permissions/directory/create', body)).data.id;
  };
  const revoke = (permission_id: string) =>
    org.admin.post('/permissions/directory/delete', { permission_id });
  /** A webhook of somebody on what is made in the folder; answers its id and the names it was told. */
  const hooked = async (who: Client) => {
    const path = `/creators-${(hooks += 1)}`;
    const body = { event: 'subfile.created', alt_index: folder.id, url: receiver.url(path) };
    const { status, data } = await who.post('/webhooks/create', body);
    expect([status, data.created_by, data.paused_reason]).toEqual([200, who.user_id, null]);
    const told = async (): Promise<string[]> => {
      await service.server.webhooks.idle();
      return receiver.at(path).map(({ body: { payload } }) => payload.after.file.name as string);
    };
    return { id: data.id as string, told };
  };
  const file = (name: string) => makeFile(org.admin, disk, name, { parent_folder_uuid: folder.id });
  const get = async (id: string, who = org.admin): Promise<any> =>
    (await who.get(`/webhooks/get/${id}`)).data;
  const update = (body: object, who = org.admin) => who.post('/webhooks/update', body);

  it('a lost permission pauses, shown to all readers and as of that point; missed events are not sent', async () => {
    const grant = await view(bob);
    const { id, told } = await hooked(bob);
    await file('seen.txt');
    const seen_at = (await org.admin.post('/organization/replay')).data.revision;
    await revoke(grant);
    await file('unseen.txt');
    expect(await told()).toEqual(['seen.txt']);
    for (const who of [org.admin, bob])
      expect(await get(id, who)).toMatchObject({
        active: true,
        created_by: bob.user_id,
        paused_reason: 'CREATOR_LACKS_RIGHT',
      });
    const listed = (await bob.post('/webhooks/list')).data.items;
    expect(listed.map((item: any) => item.paused_reason)).toEqual(['CREATOR_LACKS_RIGHT']);
    const past = await org.admin.get(`/webhooks/get/${id}?as_of=r${seen_at}`);
    expect(past.data.paused_reason).toBe(null);
    await view(bob);
    await file('again.txt');
    expect(await told()).toEqual(['seen.txt', 'again.txt']);
    expect(await get(id)).toMatchObject({ paused_reason: null });
  });

  it('pausing creates no event', async () => {
    const grant = await view(bob);
    await hooked(bob);
    const revision = async () => (await org.admin.post('/organization/replay')).data.revision;
    const before = await revision();
    await revoke(grant);
    await file('unseen.txt');
    await service.server.webhooks.idle();
    expect(await revision()).toBe(before + 2);
  });

  it('a deleted contact pauses, and a user who may edit and see takes over', async () => {
    await view(bob);
    const { id, told } = await hooked(bob);
    expect((await org.admin.post('/contacts/delete', { id: bob.user_id })).status).toBe(200);
    await file('unseen.txt');
    expect(await told()).toEqual([]);
    expect((await get(id)).paused_reason).toBe('CREATOR_DELETED');
    expect((await update({ id, take_over: true }, carol)).status).toBe(403);
    await view(carol);
    expect((await update({ id, note: 'x' }, carol)).data.created_by).toBe(bob.user_id);
    const { status, data } = await update({ id, take_over: true }, carol);
    expect([status, data.created_by, data.paused_reason]).toEqual([200, carol.user_id, null]);
    await file('seen.txt');
    expect(await told()).toEqual(['seen.txt']);
  });

  it('a paused webhook is sent no past events either', async () => {
    const grant = await view(bob);
    const { id, told } = await hooked(bob);
    await file('seen.txt');
    await revoke(grant);
    const { revision } = (await org.admin.post('/organization/replay')).data;
    const again = () =>
      org.admin.post('/webhooks/replay', { id, from_revision: 0, to_revision: revision });
    const { status, err } = await again();
    expect([status, err.type]).toEqual([400, 'webhook.paused']);
    await file('unseen.txt');
    await view(bob);
    expect((await again()).data.queued).toBe(1);
    expect(await told()).toEqual(['seen.txt', 'seen.txt']);
  });

  it('reads are sent by the permission at that time', async () => {
    const grant = await view(bob);
    const path = '/creators-looks';
    const body = { event: 'folder.viewed', alt_index: folder.id, url: receiver.url(path) };
    expect((await bob.post('/webhooks/create', body)).status).toBe(200);
    const told = async () => {
      await service.server.webhooks.idle();
      return receiver.at(path).length;
    };
    await act(org.admin, 'GET_FOLDER', { id: folder.id });
    expect(await told()).toBe(1);
    await revoke(grant);
    await act(org.admin, 'GET_FOLDER', { id: folder.id });
    expect(await told()).toBe(1);
  });

  it('a superswap takes the webhooks along', async () => {
    await view(bob);
    const { id, told } = await hooked(bob);
    const new_user_id = `${bob.user_id}x`;
    const swap = { current_user_id: bob.user_id, new_user_id };
    const { status } = await org.admin.post('/organization/superswap_user', swap);
    expect(status).toBe(200);
    await file('seen.txt');
    expect(await told()).toEqual(['seen.txt']);
    expect(await get(id)).toMatchObject({ created_by: new_user_id, paused_reason: null });
  });
});
