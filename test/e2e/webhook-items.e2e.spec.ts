import { randomUUID } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { Receiver } from '../support/receiver.js';
import { TestService } from '../support/service.js';

describe('deliveries of files and folders over HTTP', () => {
  let service: TestService;
  let receiver: Receiver;
  let org: Organization;
  let bob: Client;
  let disk: TestDisk;

  beforeAll(async () => {
    service = await TestService.start();
    receiver = await Receiver.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
    disk = await makeDisk(org);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  /** A webhook; answers what has arrived at it so far. */
  const hook = async (event: string, alt_index: string): Promise<() => Promise<any[]>> => {
    const path = `/${randomUUID()}`;
    const body = { event, alt_index, url: receiver.url(path) };
    expect((await org.admin.post('/webhooks/create', body)).status).toBe(200);
    return async () => {
      await service.server.webhooks.idle();
      return receiver.at(path).map((received) => received.body);
    };
  };

  it('report the life of a file in a folder', async () => {
    const folder = await makeFolder(org.admin, disk, 'Watched');
    const arrived: Record<string, () => Promise<any[]>> = {};
    for (const what of ['created', 'updated', 'deleted', 'viewed'])
      arrived[what] = await hook(`subfile.${what}`, folder.id);
    const restored = await hook('drive.restore_trash', 'RESTORE_TRASH');
    const file = await makeFile(org.admin, disk, 'a.txt', { parent_folder_uuid: folder.id });
    await act(org.admin, 'UPDATE_FILE', { id: file.id, name: 'b.txt' });
    await act(org.admin, 'GET_FILE', { id: file.id });
    await act(org.admin, 'DELETE_FILE', { id: file.id, permanent: false });
    await act(org.admin, 'RESTORE_TRASH', { id: file.id });
    const subfile = (name: string) => ({
      type: 'subfile',
      file: expect.objectContaining({ id: file.id, name }),
    });
    const payloads = async (what: string) =>
      (await arrived[what]!()).map((body) => [body.event, body.webhook_alt_index, body.payload]);
    expect(await payloads('created')).toEqual([
      ['subfile.created', folder.id, { after: subfile('a.txt') }],
    ]);
    expect(await payloads('updated')).toEqual([
      ['subfile.updated', folder.id, { before: subfile('a.txt'), after: subfile('b.txt') }],
    ]);
    expect(await payloads('viewed')).toEqual([
      ['subfile.viewed', folder.id, { before: subfile('b.txt'), after: subfile('b.txt') }],
    ]);
    expect(await payloads('deleted')).toEqual([
      ['subfile.deleted', folder.id, { before: subfile('b.txt') }],
    ]);
    expect((await restored()).map((body) => body.payload)).toMatchObject([
      {
        before: { type: 'file', file: { deleted: true } },
        after: { type: 'file', file: { deleted: false, parent_folder_uuid: folder.id } },
      },
    ]);
  });

  it('report shares with their grantor', async () => {
    const file = await makeFile(org.admin, disk, 'shared.txt');
    const shared = await hook('file.shared', file.id);
    const viewed = await hook('file.viewed', 'ALL_FILES');
    const origin = { id: 'ShareTrackID_origin', from_user: org.admin.user_id };
    const share_track_hash = Buffer.from(JSON.stringify(origin)).toString('base64');
    await act(bob, 'GET_FILE', { id: file.id, share_track_hash });
    await act(bob, 'GET_FILE', { id: file.id, share_track_hash: 'no hash' });
    await act(bob, 'GET_FILE', { id: file.id });
    const looked = {
      type: 'share_tracking',
      id: expect.stringMatching(/^ShareTrackID_/),
      hash: expect.any(String),
      to_user: bob.user_id,
      resource_id: file.id,
      resource_name: 'shared.txt',
      drive_id: org.drive_id,
      timestamp_ms: expect.any(Number),
      host_url: service.url,
    };
    const from = {
      origin_id: origin.id,
      origin_hash: share_track_hash,
      from_user: org.admin.user_id,
    };
    expect((await shared()).map((body) => body.payload)).toEqual([
      { after: { ...looked, ...from } },
      { after: looked },
      { after: looked },
    ]);
    expect(await viewed()).toHaveLength(3);
  });

  it('do not report reads that were refused, dry runs, or as of the past', async () => {
    const folder = await makeFolder(org.admin, disk, 'Private', {
      has_sovereign_permissions: true,
    });
    const viewed = await hook('folder.viewed', folder.id);
    const look = { actions: [{ action: 'GET_FOLDER', payload: { id: folder.id } }] };
    expect((await act(bob, 'GET_FOLDER', { id: folder.id })).error.code).toBe(403);
    await org.admin.post('/directory/action', look, { 'dry-run': 'true' });
    const past = await org.admin.post('/directory/action?as_of=r99999', look);
    expect(past.status).toBe(404);
    await org.admin.post(`/directory/action?as_of=${Date.now() - 1}`, look);
    expect(await viewed()).toEqual([]);
    await org.admin.post('/directory/action', look);
    expect(await viewed()).toHaveLength(1);
  });

  it('are only for users who may see the watched resource', async () => {
    const folder = await makeFolder(org.admin, disk, 'Closed', { has_sovereign_permissions: true });
    await org.admin.post('/permissions/system/create', {
      resource_id: 'TABLE_WEBHOOKS',
      granted_to: bob.user_id,
      permission_types: ['CREATE'],
    });
    const create = async (event: string): Promise<number> => {
      const body = { event, alt_index: folder.id, url: receiver.url() };
      return (await bob.post('/webhooks/create', body)).status;
    };
    const grant = (inheritable: boolean) =>
      org.admin.post('/permissions/directory/create', {
        resource_id: folder.id,
        granted_to: bob.user_id,
        permission_types: ['VIEW'],
        inheritable,
      });
    expect(await create('folder.updated')).toBe(403);
    expect((await grant(false)).status).toBe(200);
    expect(await create('folder.updated')).toBe(200);
    expect(await create('subfile.created')).toBe(403);
    expect((await grant(true)).status).toBe(200);
    expect(await create('subfile.created')).toBe(200);
  });
});
