import { Drives } from '../../libs/engine/drives/drives.js';
import type { Answer, Organization } from '../support/client.js';
import { makeDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { Receiver } from '../support/receiver.js';
import { TestService } from '../support/service.js';

interface Action {
  action: string;
  payload: object;
}

describe('GET_FILE and GET_FOLDER', () => {
  let service: TestService;
  let receiver: Receiver;
  let org: Organization;
  let disk: TestDisk;
  let folder: any;
  let file: any;

  beforeAll(async () => {
    service = await TestService.start();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    org = await service.organization('Bob');
    disk = await makeDisk(org);
    folder = await makeFolder(org.admin, disk, 'Folder');
    file = await makeFile(org.admin, disk, 'a.txt', { parent_folder_uuid: folder.id });
  });

  const read = (id: string): Action => ({
    action: id.startsWith('FileID_') ? 'GET_FILE' : 'GET_FOLDER',
    payload: { id },
  });
  const rename = (id: string, name: string): Action => ({
    action: id.startsWith('FileID_') ? 'UPDATE_FILE' : 'UPDATE_FOLDER',
    payload: { id, name },
  });
  const send = (actions: readonly Action[], headers: Record<string, string> = {}, query = '') =>
    org.admin.post(`/directory/action${query}`, { actions }, headers);
  /** Names of what was answered, or the code of what was not. */
  const shown = (answer: Answer): unknown[] =>
    answer.body.map(
      ({ response: { result, error } }: any) => error?.code ?? (result.file ?? result.folder).name,
    );
  const revision = async (): Promise<number> =>
    (await org.admin.post('/organization/replay')).data.revision;
  const drives = (): Drives => service.server.app.get(Drives);

  it('do not wait for the commands of the organization', async () => {
    const drive = await drives().open(org.drive_id);
    const held = Promise.withResolvers<void>();
    const holding = drive.exclusively(() => held.promise);
    const waiting = send([rename(file.id, 'b.txt')]);
    expect(shown(await send([read(folder.id), read(file.id)]))).toEqual(['Folder', 'a.txt']);
    held.resolve();
    await holding;
    expect(shown(await waiting)).toEqual(['b.txt']);
  });

  describe('in an organization that can only be read', () => {
    beforeEach(async () => {
      // As after an event of a newer release.
      (await drives().open(org.drive_id)).state.unknown_events.add('FromTheFuture');
    });

    it('are answered', async () => {
      const answer = await send([read(folder.id), read(file.id), read('FileID_none')]);
      expect([answer.status, shown(answer)]).toEqual([200, ['Folder', 'a.txt', 404]]);
    });

    it('are answered among commands, which are 503 each', async () => {
      const actions = [read(file.id), rename(file.id, 'b.txt'), read(file.id), read('FileID_none')];
      const answer = await send(actions);
      expect([answer.status, shown(answer)]).toEqual([200, ['a.txt', 503, 'a.txt', 404]]);
      const { error } = answer.body[1].response;
      expect(error.type).toBe('drive.closed');
    });

    it('leave a request of commands alone 503 as a whole', async () => {
      const { status, err } = await send([rename(file.id, 'b.txt')]);
      expect([status, err.type]).toEqual([503, 'drive.closed']);
    });
  });

  it('see the effects of earlier actions of their request, and not those of later ones', async () => {
    const answer = await send([
      read(file.id),
      rename(file.id, 'b.txt'),
      read(file.id),
      { action: 'DELETE_FILE', payload: { id: file.id, permanent: true } },
      read(file.id),
      read(folder.id),
    ]);
    expect(
      shown({ ...answer, body: answer.body.filter((_: any, at: number) => at !== 3) }),
    ).toEqual(['a.txt', 'b.txt', 'b.txt', 404, 'Folder']);
  });

  it('among commands are repeated as they were, under an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'mixed' };
    const actions = [read(file.id), rename(file.id, 'b.txt'), read(file.id)];
    const first = await send(actions, key);
    await send([rename(file.id, 'c.txt')]);
    const again = await send(actions, key);
    expect(shown(again)).toEqual(['a.txt', 'b.txt', 'b.txt']);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('alone are read again under an Idempotency-Key, which identifies one request', async () => {
    const key = { 'Idempotency-Key': 'reads' };
    expect(shown(await send([read(file.id)], key))).toEqual(['a.txt']);
    await send([rename(file.id, 'b.txt')]);
    const again = await send([read(file.id)], key);
    expect([shown(again), again.headers.has('idempotent-replayed')]).toEqual([['b.txt'], false]);
    await send([rename(file.id, 'c.txt')], key);
    const { status, err } = await send([read(file.id)], key);
    expect([status, err.type]).toEqual([422, 'request.idempotency-key-reused']);
  });

  it('create no event, and none in a dry run', async () => {
    const before = await revision();
    const answer = await send([read(file.id)], { 'Dry-Run': 'true' }, '?envelope=ok');
    expect(answer.body.ok.data[0].response.result.file.name).toBe('a.txt');
    expect(answer.body.ok.dry_run).toEqual({ revision: before, events: [] });
    const real = await send([read(file.id)]);
    expect(Number(real.headers.get('drive-revision'))).toBe(before);
    expect(await revision()).toBe(before);
  });

  it('are sent to webhooks once each: not of dry runs, past states or repetitions', async () => {
    const watched = { event: 'file.viewed', alt_index: file.id, url: receiver.url('/viewed') };
    expect((await org.admin.post('/webhooks/create', watched)).status).toBe(200);
    const at = await revision();
    await send([read(file.id)]);
    const key = { 'Idempotency-Key': 'viewed' };
    const mixed = [rename(folder.id, 'Renamed'), read(file.id)];
    await send(mixed, key);
    await send(mixed, key);
    await send([read(file.id)], { 'Dry-Run': 'true' });
    await send(mixed, { 'Dry-Run': 'true' });
    await send([read(file.id)], {}, `?as_of=r${at}`);
    await service.server.webhooks.idle();
    const arrived = receiver.at('/viewed').map(({ body }) => (body as any).event);
    expect(arrived).toEqual(['file.viewed', 'file.viewed']);
  });

  it('are refused without the permission, and without a caller', async () => {
    const hidden = await makeFolder(org.admin, disk, 'Hidden', { has_sovereign_permissions: true });
    const [bob] = org.members;
    const { body } = await bob!.post('/directory/action', { actions: [read(hidden.id)] });
    expect(body[0].response.error.code).toBe(403);
    expect((await org.as().post('/directory/action', { actions: [read(file.id)] })).status).toBe(
      401,
    );
  });
});
