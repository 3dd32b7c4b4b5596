import type { Answer, Client, Organization } from '../support/client.js';
import { act, makeClosedDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

describe('a 403', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    [bob] = org.members as [Client];
  });
  afterAll(() => service.stop());

  const reasonsOf = ({ status, err }: Answer): unknown => {
    expect([status, err.type]).toEqual([403, 'permission.denied']);
    for (const { pointer } of err.details) expect(pointer).toBe('');
    return err.details.map(({ reason }: { reason: string }) => reason);
  };

  /** Grants Bob a system right. */
  const give = async (resource_id: string, ...permission_types: string[]): Promise<void> => {
    const grant = { resource_id, granted_to: bob.user_id, permission_types };
    expect((await org.admin.post('/permissions/system/create', grant)).status).toBe(200);
  };

  /** A signed-in user of this organization with nothing but that grant. */
  let nth = 0;
  async function newcomer(grant: object | null): Promise<Client> {
    const id = `UserID_nobody${nth++}`;
    await org.admin.post('/contacts/create', { id });
    const key = await org.admin.post('/api_keys/create', { name: 'k', user_id: id });
    if (grant) await org.admin.post('/permissions/system/create', { ...grant, granted_to: id });
    return org.as(key.data.value, id);
  }

  it('names the right on the table that creating takes', async () => {
    for (const [family, table] of [
      ['groups', 'TABLE_GROUPS'],
      ['labels', 'TABLE_LABELS'],
      ['contacts', 'TABLE_CONTACTS'],
    ] as const) {
      const named = {
        groups: { name: 'g' },
        labels: { value: 'v' },
        contacts: { id: 'UserID_new' },
      }[family];
      const answer = await bob.post(`/${family}/create`, named);
      expect(reasonsOf(answer)).toEqual([`CREATE on ${table} would suffice`]);
    }
    const disk = { name: 'd', disk_type: 'LOCAL_SSD' };
    expect(reasonsOf(await bob.post('/disks/create', disk))).toEqual([
      'CREATE on TABLE_DISKS would suffice',
    ]);
  });

  it('names all that would do, on a record that the caller may see', async () => {
    const { id } = (await org.admin.post('/groups/create', { name: 'Seen' })).data;
    expect(reasonsOf(await bob.post('/groups/update', { id, name: 'x' }))).toEqual([
      'EDIT on TABLE_GROUPS would suffice',
    ]);
    await give(id, 'VIEW');
    expect(reasonsOf(await bob.post('/groups/update', { id, name: 'x' }))).toEqual([
      `administration of ${id} would suffice`,
      'EDIT on TABLE_GROUPS would suffice',
      `EDIT on ${id} would suffice`,
    ]);
  });

  it('names all that would do to members of a group, and to people on themselves', async () => {
    const { id } = (await org.admin.post('/groups/create', { name: 'Joined' })).data;
    const invite = { group_id: id, invitee_id: bob.user_id, role: 'MEMBER' };
    expect((await org.admin.post('/groups/invites/create', invite)).status).toBe(200);
    expect(reasonsOf(await bob.post('/groups/update', { id, name: 'x' }))).toEqual([
      `administration of ${id} would suffice`,
      'EDIT on TABLE_GROUPS would suffice',
      `EDIT on ${id} would suffice`,
    ]);
    const own = { id: bob.user_id, private_note: 'x' };
    expect(reasonsOf(await bob.post('/contacts/update', own))).toEqual([
      'EDIT on TABLE_CONTACTS would suffice',
      `EDIT on ${bob.user_id} would suffice`,
    ]);
  });

  it('has its title on request as RFC 9457', async () => {
    const accept = { accept: 'application/problem+json' };
    const { body } = await bob.post('/groups/create', { name: 'g' }, accept);
    const title = 'You are not allowed to do this.';
    expect(body).toMatchObject({ type: '/errors/permission.denied', title, status: 403 });
  });

  it('names the auditor’s right on questions about the past', async () => {
    for (const path of ['replay', 'compare', 'verify'])
      expect(
        reasonsOf(await bob.post(`/organization/${path}`, { from: {}, from_size: 0 })),
      ).toEqual(['VIEW on TABLE_AUDIT would suffice']);
    expect(reasonsOf(await bob.get('/organization/about?as_of=r0'))).toEqual([
      'VIEW on TABLE_AUDIT would suffice',
    ]);
  });

  it('says if only the owner has the permission', async () => {
    const answer = await bob.post('/organization/update_allowed_domains', { allowed_domains: '' });
    expect(reasonsOf(answer)).toEqual(['ownership of the organization would suffice']);
  });

  it('names rights that are needed together as one', async () => {
    const { id } = (await org.admin.post('/groups/create', { name: 'Together' })).data;
    await give(id, 'VIEW');
    const invite = { group_id: id, invitee_id: bob.user_id, role: 'ADMIN' };
    expect(reasonsOf(await bob.post('/groups/invites/create', invite))).toEqual([
      `administration of ${id} would suffice`,
      'INVITE on TABLE_GROUPS and EDIT on TABLE_GROUPS would suffice',
      `INVITE on TABLE_GROUPS and EDIT on ${id} would suffice`,
      `INVITE on ${id} and EDIT on TABLE_GROUPS would suffice`,
      `INVITE on ${id} and EDIT on ${id} would suffice`,
    ]);
  });

  it('keeps to itself the group that an invite of others is for', async () => {
    const { id: group_id } = (await org.admin.post('/groups/create', { name: 'Hidden' })).data;
    const invite = { group_id, invitee_id: org.admin.user_id, role: 'MEMBER' };
    const { id } = (await org.admin.post('/groups/invites/create', invite)).data;
    for (const answer of [
      await bob.get(`/groups/invites/get/${id}`),
      await bob.post('/groups/invites/update', { id, note: 'x' }),
      await bob.post('/groups/invites/delete', { id }),
    ]) {
      expect(answer.status).toBe(403);
      expect(JSON.stringify(answer.body)).not.toContain(group_id);
    }
  });

  it('is the same for contacts, drives and labels that are there and that are not', async () => {
    const { id: there } = (await org.admin.post('/contacts/create', { id: 'UserID_there' })).data;
    const label = (await org.admin.post('/labels/create', { value: 'secret' })).data;
    const known = (
      await org.admin.post('/drives/create', {
        name: 'd',
        icp_principal: 'aaaaa-aa',
        id: 'DriveID_there',
      })
    ).data;
    const bytesOf = ({ status, body }: Answer, id: string): string => {
      const { request_id: _, ...err } = body.err;
      return JSON.stringify({ status, err }).replaceAll(id, 'the id');
    };
    const holder = { permission_types: ['DELETE'] };
    for (const [family, table, id] of [
      ['contacts', 'TABLE_CONTACTS', there],
      ['labels', 'TABLE_LABELS', label.id],
      ['drives', 'TABLE_DRIVES', known.id],
    ] as const) {
      const absent = id.replace(/_.*/, '_absent');
      for (const granted of [null, { ...holder, resource_id: table }]) {
        const carol = await newcomer(granted);
        for (const path of ['get', 'update', 'delete'] as const) {
          if (path === 'delete' && granted) continue;
          const ask = (one: string): Promise<Answer> =>
            path === 'get'
              ? carol.get(`/${family}/get/${one}`)
              : carol.post(`/${family}/${path}`, { id: one, private_note: 'x' });
          expect(bytesOf(await ask(id), id)).toBe(bytesOf(await ask(absent), absent));
        }
      }
    }
  });

  describe('of files and folders', () => {
    let disk: TestDisk;

    beforeAll(async () => {
      disk = await makeClosedDisk(org);
    });

    const open = async (resource_id: string, ...permission_types: string[]): Promise<void> => {
      const grant = { resource_id, granted_to: bob.user_id, permission_types, inheritable: true };
      expect((await org.admin.post('/permissions/directory/create', grant)).status).toBe(200);
    };
    const reasonsIn = ({ error }: { error: any }): unknown => {
      expect([error.code, error.type]).toEqual([403, 'permission.denied']);
      return error.details.map(({ reason }: { reason: string }) => reason);
    };

    it('stands in the outcome of the action', async () => {
      const folder = await makeFolder(org.admin, disk, 'seen');
      await open(folder.id, 'VIEW');
      const place = { parent_folder_uuid: folder.id, disk_id: disk.id, file_size: 1 };
      const make = await act(bob, 'CREATE_FILE', { name: 'a.txt', ...place });
      expect(reasonsIn(make)).toEqual([`UPLOAD on ${folder.id} would suffice`]);
      const rename = await act(bob, 'UPDATE_FOLDER', { id: folder.id, name: 'x' });
      expect(reasonsIn(rename)).toEqual([`EDIT on ${folder.id} would suffice`]);
      const away = await act(bob, 'DELETE_FOLDER', { id: folder.id });
      expect(reasonsIn(away)).toEqual([`DELETE placed on ${folder.id} itself would suffice`]);
      const move = await act(bob, 'MOVE_FOLDER', {
        id: folder.id,
        destination_folder_id: folder.id,
      });
      expect(reasonsIn(move)).toEqual([
        `EDIT on ${folder.id} and UPLOAD on ${folder.id} would suffice`,
      ]);
    });

    it('names the permission to read if the request names the item', async () => {
      const file = await makeFile(org.admin, disk, 'closed.txt');
      expect(reasonsIn(await act(bob, 'GET_FILE', { id: file.id }))).toEqual([
        `VIEW on ${file.id} would suffice`,
      ]);
    });

    it('is the same for a hidden path that is there and one that is not', async () => {
      const outer = await makeFolder(org.admin, disk, 'outer');
      await makeFolder(org.admin, disk, 'inner', { parent_folder_uuid: outer.id });
      const moved = await makeFolder(org.admin, disk, 'moved');
      await open(outer.id, 'UPLOAD');
      await open(moved.id, 'VIEW');
      const answers = async (name: string): Promise<unknown[]> => {
        const path = `${disk.id}::/outer/${name}/`;
        const listed = await bob.post('/directory/list', { path });
        const payload = { id: moved.id, destination_folder_path: path };
        const { error } = await act(bob, 'MOVE_FOLDER', payload);
        const { request_id: _, ...err } = listed.body.err;
        return [listed.status, err, error];
      };
      expect(await answers('inner')).toEqual(await answers('other'));
    });
  });
});
