import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Organization } from '../support/client.js';
import { makeDisk, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

describe('the buses of commands and queries', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;
  const seen: string[] = [];

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
    disk = await makeDisk(org);
    const { app } = service.server;
    for (const bus of [app.get(CommandBus), app.get(QueryBus)])
      bus.subscribe((message: object) => seen.push(message.constructor.name));
  });
  beforeEach(() => {
    seen.length = 0;
  });
  afterAll(() => service.stop());

  it('see commands and questions of routes', async () => {
    const { data } = await org.admin.post('/groups/create', { name: 'Team' });
    await org.admin.get(`/groups/get/${data.id}`);
    await org.admin.post('/organization/replay');
    expect(seen).toEqual(['CreateGroup', 'GetGroup', 'Replay']);
  });

  it('see a transaction', async () => {
    const commands = [{ path: 'groups/create', body: { name: 'Team' } }];
    expect((await org.admin.post('/transaction', { commands })).status).toBe(200);
    expect(seen).toEqual(['RunTransaction']);
  });

  it('see directory actions, those that change something and those that read', async () => {
    const place = { name: 'Plans', parent_folder_uuid: disk.root_folder, disk_id: disk.id };
    const change = { action: 'CREATE_FOLDER', payload: place };
    const read = { action: 'GET_FOLDER', payload: { id: disk.root_folder } };
    await org.admin.post('/directory/action', { actions: [change] });
    await org.admin.post('/directory/action', { actions: [read] });
    expect(seen).toEqual(['RunActions', 'ReadActions']);
  });

  it('see the question whether a caller may listen to the feed', async () => {
    const url = `${service.url}/v1/drive/${org.drive_id}/organization/events?from=999`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${org.admin.token}` } });
    expect(answer.status).toBe(400);
    expect(seen).toEqual(['BeginFeed']);
  });
});
