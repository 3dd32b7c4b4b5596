import type { Answer, Client, Organization } from '../support/client.js';
import { makeDisk, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const STRICT = { prefer: 'handling=strict' };

describe('Prefer: handling=strict', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;
  let admin: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
    admin = org.admin;
    disk = await makeDisk(org);
  });
  afterAll(() => service.stop());

  const strictly = (path: string, body: object): Promise<Answer> => admin.post(path, body, STRICT);
  const expectBlamed = ({ status, headers, err }: Answer, ...details: string[][]): void => {
    expect([status, err.type]).toEqual([400, 'request.invalid']);
    expect(headers.get('preference-applied')).toBe('handling=strict');
    expect(err.details).toEqual(details.map(([pointer, reason]) => ({ pointer, reason })));
  };
  const unknown = (nearest: string): string => `is unknown; the nearest known field is ${nearest}`;

  it('refuses unknown fields, each named with the nearest known one', async () => {
    const body = { nmae: 'x', publicNote: 'y' };
    expectBlamed(
      await strictly('/groups/create', body),
      ['/nmae', unknown('name')],
      ['/publicNote', unknown('public_note')],
    );
    const { status, headers, data } = await admin.post('/groups/create', body);
    expect([status, headers.get('preference-applied')]).toEqual([200, null]);
    expect(data.public_note).toBe('');
  });

  it('says on a success that it was heeded', async () => {
    const { status, headers } = await strictly('/groups/create', { name: 'Fine' });
    expect([status, headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
    const read = await admin.get('/organization/about', STRICT);
    expect([read.status, read.headers.get('preference-applied')]).toEqual([200, null]);
  });

  it('adds to what is wrong otherwise', async () => {
    const { err } = await strictly('/groups/create', { avatar: 5, nmae: 'x' });
    expect(err.details.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/avatar',
      '/nmae',
    ]);
  });

  it('checks the forms of a system resource that are objects', async () => {
    const grant = (resource_id: object) => ({ resource_id, permission_types: ['VIEW'] });
    const right = { type: 'Table', value: 'DISKS' };
    expectBlamed(await strictly('/permissions/system/create', grant({ ...right, vaule: 'x' })), [
      '/resource_id/vaule',
      unknown('value'),
    ]);
    expectBlamed(
      await strictly('/permissions/system/create', grant({ Table: 'DISKS', tabel: 'x' })),
      ['/resource_id/tabel', unknown('Table')],
    );
    expect((await strictly('/permissions/system/create', grant(right))).status).toBe(200);
    expect((await strictly('/permissions/system/create', grant({ Table: 'DISKS' }))).status).toBe(
      200,
    );
  });

  it('checks them in access questions too', async () => {
    const ask = (resource_id: object) => strictly('/organization/who', { resource_id });
    const right = { type: 'Table', value: 'DISKS' };
    expectBlamed(await ask({ ...right, vaule: 'x' }), ['/resource_id/vaule', unknown('value')]);
    expect((await ask(right)).status).toBe(200);
  });

  it('checks the filter of labels that is an object', async () => {
    const list = (filters: unknown) => strictly('/labels/list', { filters });
    expectBlamed(await list({ prefix: 'a', prefxi: 'b' }), ['/filters/prefxi', unknown('prefix')]);
    for (const filters of ['a', {}, { prefix: 'a' }])
      expect((await list(filters)).status).toBe(200);
  });

  it('checks nested objects', async () => {
    const list = { filters: { resource_id: disk.root_folder, resourceid: 'x' } };
    expectBlamed(await strictly('/permissions/directory/list', list), [
      '/filters/resourceid',
      unknown('resource_id'),
    ]);
    const quickstart = { org_name: 'O', members: [{ name: 'Bob', emial: 'x' }] };
    const { status, err } = await service
      .client()
      .post('/v1/factory/quickstart', quickstart, STRICT);
    expect([status, err.details[0].pointer]).toEqual([400, '/members/0/emial']);
  });

  it('checks the payloads of directory actions, and then runs none of them', async () => {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const make = (name: string, more: object = {}) => ({
      action: 'CREATE_FOLDER',
      payload: { name, ...place, ...more },
    });
    const actions = [make('first'), make('second', { lables: [] })];
    expectBlamed(await strictly('/directory/action', { actions }), [
      '/actions/1/payload/lables',
      unknown('labels'),
    ]);
    const listed = await admin.post('/directory/list', { folder_id: disk.root_folder });
    expect(listed.body.folders).toEqual([]);
    expect((await strictly('/directory/action', { actions: [make('third')] })).status).toBe(200);
  });

  it('checks the commands of a transaction, and then runs none of them', async () => {
    const commands = [
      { path: 'groups/create', body: { name: 'Transacted' } },
      { path: 'groups/invites/create', body: { group_id: '$0.id', rol: 'MEMBER', role: 'MEMBER' } },
    ];
    const answer = await strictly('/transaction', { commands });
    expectBlamed(answer, ['/commands/1/body/rol', unknown('role')]);
    const { data } = await admin.post('/groups/list', { filters: 'Transacted' });
    expect(data.items).toEqual([]);
    expectBlamed(await strictly('/transaction', { commands: [{ path: 'x', bdy: {} }] }), [
      '/commands/0/bdy',
      unknown('body'),
    ]);
  });

  it('demands in updates what is else left as it is', async () => {
    expectBlamed(await strictly('/disks/update', { id: disk.id, public_note: 'x' }), [
      '/name',
      'is required with strict handling',
    ]);
    const grant = await admin.post('/permissions/directory/create', {
      resource_id: disk.root_folder,
      permission_types: ['VIEW'],
    });
    const { id } = grant.data.permission;
    expectBlamed(await strictly('/permissions/directory/update', { id, note: 'x' }), [
      '/permission_types',
      'is required with strict handling',
    ]);
  });

  it('is checked after the token', async () => {
    const { status } = await org.as('nonsense').post('/groups/create', { nmae: 1 }, STRICT);
    expect(status).toBe(401);
  });

  it('is documented for all bodies', async () => {
    const { body } = await service.client().get('/openapi.json');
    expect(body.info.description).toContain('With `Prefer: handling=strict`');
  });
});
