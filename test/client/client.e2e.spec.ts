import {
  connect,
  connectFactory,
  type Drive,
  DriveError,
  isDriveError,
  type VerifyProgress,
} from '../../libs/client/src/index.js';
import { TestService } from '../support/service.js';

describe('the client', () => {
  let service: TestService;
  let drive: Drive;
  let bob: string;

  beforeAll(async () => {
    service = await TestService.start({ DEFAULT_DISK: 'Files' });
    const factory = connectFactory({ url: service.url });
    const body = { org_name: 'Acme', members: [{ name: 'Bob' }] };
    const { organization, admin, members } = await factory.quickstart(body);
    drive = connect({
      url: service.url,
      drive_id: organization.drive_id,
      api_key: admin.api_key_value,
    });
    bob = members[0]!.user_id;
  });
  afterAll(() => service.stop());

  it('creates, reads, updates and deletes', async () => {
    const created = await drive.groups.create({ name: 'Finance' }, { audit_reason: 'Zweck: Ü€' });
    const { data, etag, revision } = await drive.groups.get(created.id).withResponse();
    expect(data).toEqual(created);
    expect(drive.revision).toBe(revision);
    expect(revision).toBeGreaterThan(0);
    const change = { id: created.id, name: 'Money' };
    const updated = await drive.groups.update(change, { if_match: etag! });
    expect(updated.name).toBe('Money');
    const late = drive.groups.update(change, { if_match: etag! });
    await expect(late).rejects.toMatchObject({ type: 'request.precondition-failed', status: 412 });
    await drive.groups.delete({ id: created.id });
    const { items } = await drive.organization.history({ resource_id: created.id });
    expect(items.map(({ type, reason }) => [type, reason])).toEqual([
      ['GroupDeleted', null],
      ['GroupUpdated', null],
      ['GroupCreated', 'Zweck: Ü€'],
    ]);
  });

  it('throws errors by type', async () => {
    const failure = await drive.groups.get('GroupID_none').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DriveError);
    if (!isDriveError(failure, 'group.not-found')) throw failure;
    expect([failure.status, failure.request_id]).toEqual([404, expect.any(String)]);
    expect(isDriveError(failure, 'permission.denied')).toBe(false);
    const invalid = drive.disks.create({ name: '' } as never);
    await expect(invalid).rejects.toMatchObject({
      type: 'request.invalid',
      details: expect.arrayContaining([expect.objectContaining({ pointer: '/name' })]),
    });
  });

  it('decides without storing in a dry run', async () => {
    const before = await drive.groups.list();
    const { data, dry_run } = await drive.groups
      .create({ name: 'Plan' }, { dry_run: true })
      .withResponse();
    expect(data.name).toBe('Plan');
    expect(dry_run?.events.map(({ type }) => type)).toContain('GroupCreated');
    expect((await drive.groups.list()).total).toBe(before.total);
  });

  it('repeats a command under its key without a second effect', async () => {
    const options = { idempotency_key: 'one-group' };
    const first = await drive.groups.create({ name: 'Once' }, options).withResponse();
    const second = await drive.groups.create({ name: 'Once' }, options).withResponse();
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(second.data).toEqual(first.data);
  });

  it('pages through lists', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      await drive.labels.create({ value: name });
    const names: string[] = [];
    for await (const label of drive.labels.list({ page_size: 2 })) names.push(label.value);
    expect(names).toEqual(['one', 'two', 'three', 'four', 'five']);
    const sizes: number[] = [];
    for await (const { items } of drive.labels.list({ page_size: 2, direction: 'DESC' }).pages())
      sizes.push(items.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('answers for the past, and as a person', async () => {
    const { id } = await drive.groups.create({ name: 'Before' });
    const revision = drive.revision!;
    await drive.groups.update({ id, name: 'After' });
    const past = drive.asOf({ revision });
    expect((await past.groups.get(id)).name).toBe('Before');
    expect((await drive.groups.get(id)).name).toBe('After');
    const as_bob = drive.asOf({ revision }, { as_user: bob });
    await expect(as_bob.groups.get(id)).rejects.toMatchObject({ type: 'permission.denied' });
    // @ts-expect-error a past client has no commands
    expect(past.groups.create).toBeUndefined();
    const { name } = await drive.bookmarks.create({ name: 'audit', revision });
    expect((await drive.asOf(`@${name}`).groups.get(id)).name).toBe('Before');
  });

  it('asks with ids in the path and in the query', async () => {
    const { size } = await drive.organization.digest({}, { signal: AbortSignal.timeout(10_000) });
    const proof = await drive.organization.proof({ revision: 0, size });
    expect(proof.size).toBe(size);
    // @ts-expect-error the fields of the query have types
    const malformed = drive.organization.proof({ revision: 'first' });
    await expect(malformed).rejects.toMatchObject({ type: 'request.invalid' });
    const keys = await drive.api_keys.list(bob);
    expect(keys.map(({ user_id }) => user_id)).toEqual([bob]);
    const { id } = await drive.groups.create({});
    await drive.permissions.system.create({
      resource_id: id,
      granted_to: bob,
      permission_types: ['VIEW'],
    });
    const { permissions } = await drive.organization.explain({ grantee_id: bob, resource_id: id });
    expect(permissions).toEqual(['VIEW']);
    expect((await drive.organization.verify()).valid).toBe(true);
    const seen: VerifyProgress[] = [];
    const on_progress = (progress: VerifyProgress): void => void seen.push(progress);
    const { valid, checked_events } = await drive.organization.verify({}, { on_progress });
    expect(valid).toBe(true);
    expect(seen[0]).toEqual({ checked_events: 0, events_total: checked_events });
  });

  it('follows the live feed', async () => {
    const from = drive.revision!;
    const { id } = await drive.groups.create({ name: 'Heard' });
    for await (const event of drive.events({ from })) {
      expect([event.type, event.resource_ids]).toEqual([
        'GroupCreated',
        expect.arrayContaining([id]),
      ]);
      break;
    }
  });

  it('follows the live feed from now, and ends by signal', async () => {
    const closing = new AbortController();
    const feed = drive.events({
      signal: closing.signal,
      on_state: () => void drive.groups.create({ name: 'New' }),
    });
    const { value } = await feed.next();
    expect(value).toMatchObject({ type: 'GroupCreated' });
    const next = feed.next();
    closing.abort();
    await expect(next).rejects.toThrow('aborted');
  });

  describe('stores files', () => {
    let folder: { id: string; disk_id: string };

    beforeAll(async () => {
      const [disk] = (await drive.disks.list()).items;
      folder = { id: disk!.root_folder, disk_id: disk!.id };
    });

    const create = async (name: string) => {
      const { file } = await drive.directory.run('CREATE_FILE', {
        name,
        parent_folder_uuid: folder.id,
        disk_id: folder.disk_id,
        file_size: 0,
      });
      return file;
    };

    it('create and replace a file by its name', async () => {
      const { id } = await drive.directory.put(folder.id, 'by name é.txt', new Blob(['one']));
      const bytes = new TextEncoder().encode('two');
      const options = { media_type: 'text/csv', audit_reason: 'Correction' };
      const again = await drive.directory.put(folder.id, 'by name é.txt', bytes, options);
      expect(again).toMatchObject({ id, file_version: 2, media_type: 'text/csv' });
      expect(await (await drive.directory.download(id)).text()).toBe('two');
      await expect(drive.directory.put(folder.id, 'a/b', bytes)).rejects.toMatchObject({
        type: 'request.invalid',
      });
    });

    it('in one request', async () => {
      const { id } = await create('small.txt');
      const sent: number[] = [];
      const stored = await drive.directory.upload(id, new Blob(['hello'], { type: 'text/plain' }), {
        on_progress: (progress) => sent.push(progress.sent),
      });
      expect([stored.file_size, stored.media_type, sent]).toEqual([5, 'text/plain', [0, 5]]);
      expect(await (await drive.directory.download(id)).text()).toBe('hello');
      const range = await drive.directory.download(id, { range: 'bytes=1-2' });
      expect(await range.text()).toBe('el');
      const link = await drive.directory.link(id);
      expect(await (await fetch(link!.url)).text()).toBe('hello');
      const revision = drive.revision!;
      await drive.directory.upload(id, new TextEncoder().encode('again'));
      const past = drive.asOf({ revision });
      expect(await (await past.directory.download(id)).text()).toBe('hello');
      expect((await past.directory.get_file(id)).file.file_version).toBe(1);
      const { items } = await drive.directory.versions({ file_id: id });
      expect(items).toHaveLength(2);
    });

    it.each([
      ['a blob', (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]), 2500],
      [
        'a stream',
        (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
        null,
      ],
    ])('in parts: %s', async (name, content, total) => {
      const { id } = await create(`${name}.bin`);
      const bytes = crypto.getRandomValues(new Uint8Array(2500));
      const progress: object[] = [];
      const stored = await drive.directory.upload(id, content(bytes), {
        part_bytes: 1000,
        on_progress: (now) => progress.push(now),
      });
      expect(stored.file_size).toBe(2500);
      expect(progress[0]).toEqual({ sent: 0, total });
      expect(progress.at(-1)).toEqual({ sent: 2500, total: 2500 });
      const answer = await drive.directory.download(id);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    });

    it('and throws the error of an action', async () => {
      await expect(drive.directory.get_file('FileID_none')).rejects.toMatchObject({
        name: 'DriveError',
        type: 'file.not-found',
      });
      const listed = await drive.directory.list({ folder_id: folder.id });
      expect(listed.files.map(({ name }) => name)).toContain('small.txt');
    });
  });

  it('runs transactions', async () => {
    const { results } = await drive.transaction({
      commands: [
        { path: 'groups/create', body: { name: 'Both' } },
        { path: 'groups/update', body: { id: '$0.id', name: 'Done' } },
      ],
    });
    expect(results).toHaveLength(2);
    const failing = drive.transaction({
      commands: [{ path: 'groups/update', body: { id: 'GroupID_none', name: 'x' } }],
    });
    await expect(failing).rejects.toMatchObject({ type: 'group.not-found', index: 0 });
  });
});
