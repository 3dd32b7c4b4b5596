/** The family of the guide, built from nothing but its text. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../tools/build.js';
import { Client, type Organization, organizationOf } from '../support/client.js';
import { documented } from '../support/documented.js';
import { ServiceProcess } from '../support/processes.js';
import { readGuide, writeFamily } from './guide.js';

const MOST_FILES = 8;
const MOST_LINES = 3;

describe('the family of the guide', () => {
  const guide = readGuide();
  let root: string;
  let service: ServiceProcess;
  let org: Organization;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'example-family-'));
    writeFamily(root, guide);
    await build(root);
    service = await ServiceProcess.start('api', { DATA_DIR: join(root, 'data') }, root);
    documented.serve(service.url);
    const body = { org_name: 'Example', admin: { name: 'Ada' }, members: [{ name: 'Ben' }] };
    const { data } = await new Client(service.url).post('/v1/factory/quickstart', body);
    org = organizationOf(service.url, data);
  });
  afterAll(async () => {
    await service?.kill('SIGTERM');
    rmSync(root, { recursive: true, force: true });
  });

  const create = (title: string, more: object = {}) =>
    org.admin.post('/notes/create', { title, ...more });

  it('takes few files, and few lines elsewhere', () => {
    expect(guide.files.size).toBeGreaterThan(0);
    expect(guide.files.size).toBeLessThanOrEqual(MOST_FILES);
    expect(guide.lines.length).toBeGreaterThan(0);
    expect(guide.lines.length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('creates, shows, lists and deletes records', async () => {
    const { status, data } = await create('Minutes~', { text: 'All were there' });
    expect(status).toBe(200);
    expect(data).toMatchObject({ title: 'Minutes~', text: 'All were there', labels: [] });
    expect(data.id).toMatch(/^NoteID_/);
    expect((await org.admin.get(`/notes/get/${data.id}`)).data).toEqual(data);
    const page = await org.admin.post('/notes/list', { filters: 'minutes~' });
    expect(page.data.items).toEqual([data]);
    const deleted = await org.admin.post('/notes/delete', { id: data.id });
    expect(deleted.data).toEqual({ id: data.id, deleted: true });
    const gone = await org.admin.get(`/notes/get/${data.id}`);
    expect([gone.status, gone.err.type ?? gone.err.code]).toEqual([404, 'note.not-found']);
  });

  it('checks bodies, permissions and ids', async () => {
    const bad = await create('');
    expect([bad.status, JSON.stringify(bad.err)]).toEqual([400, expect.stringContaining('title')]);
    const { data } = await create('Secret');
    const [ben] = org.members;
    expect((await ben!.get(`/notes/get/${data.id}`)).status).toBe(403);
    expect((await ben!.post('/notes/create', { title: 'Mine' })).status).toBe(403);
    expect((await ben!.post('/notes/list')).data.items).toEqual([]);
    expect((await create('Again', { id: data.id })).status).toBe(400);
  });

  it('grants, labels and finds records', async () => {
    const { data } = await create('Harvest', { text: 'ripe apples' });
    const [ben] = org.members;
    await org.admin.post('/permissions/system/create', {
      resource_id: data.id,
      granted_to: ben!.user_id,
      permission_types: ['VIEW'],
    });
    expect((await ben!.post('/notes/list')).data.items).toMatchObject([{ title: 'Harvest' }]);
    const label = await org.admin.post('/labels/create', { value: 'autumn' });
    const pin = { resource_id: data.id, label_id: label.data.id, add: true };
    expect((await org.admin.post('/labels/pin', pin)).status).toBe(200);
    expect((await org.admin.get(`/notes/get/${data.id}`)).data.labels).toEqual(['autumn']);
    const found = await ben!.post('/organization/search', { query: 'ripe apples' });
    expect(found.data.items).toMatchObject([{ resource_id: data.id, category: 'NOTES' }]);
  });

  it('replays, explains and verifies its history', async () => {
    const { data, headers } = await create('Draft');
    const revision = Number(headers.get('drive-revision'));
    await org.admin.post('/notes/delete', { id: data.id });
    const past = await org.admin.get(`/notes/get/${data.id}?as_of=r${revision}`);
    expect(past.data).toEqual(data);
    const replay = await org.admin.post('/organization/replay', { revision, include: ['notes'] });
    expect(JSON.stringify(replay.data.state.notes)).toContain(data.id);
    const history = await org.admin.post('/organization/history', { concerning: data.id });
    expect(history.data.items.map(({ summary }: { summary: string }) => summary)).toEqual(
      expect.arrayContaining(['Ada created the note Draft', 'Ada deleted the note Draft']),
    );
    const verify = await org.admin.post('/organization/verify');
    expect(verify.data).toMatchObject({ valid: true, drift_documents: 0 });
  });

  it('stands in transactions and in dry runs', async () => {
    const commands = [
      { path: 'notes/create', body: { title: 'One' } },
      { path: 'notes/delete', body: { id: '$0.id' } },
    ];
    expect((await org.admin.post('/transaction', { commands })).status).toBe(200);
    const dry = await org.admin.post('/notes/create', { title: 'Dry run~' }, { 'dry-run': 'true' });
    expect(dry.status).toBe(200);
    const { data } = await org.admin.post('/notes/list', { filters: 'dry run~' });
    expect(data.items).toEqual([]);
  });
});
