import { BUCKET, makeClosedDisk, makeDisk, makeFile, makeFolder } from '../support/directory.js';
import { given, granted } from '../support/facts.js';
import { Signer } from '../support/signer.js';
import type { Answer, Client, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

const DRY = { 'Dry-Run': 'true' };

describe('Dry-Run over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  const replay = async (): Promise<{ revision: number; state_hash: string }> => {
    const { revision, state_hash } = (await org.admin.post('/organization/replay')).data;
    return { revision, state_hash };
  };
  /** Tries a call and makes sure that nothing came of it. */
  const tried = async (path: string, body: object, who: Client = org.admin): Promise<Answer> => {
    const before = await replay();
    const answer = await who.post(path, body, DRY);
    expect(await replay()).toEqual(before);
    if (answer.status === 200) expect(answer.body.ok.dry_run.revision).toBe(before.revision);
    expect(Number(answer.headers.get('drive-revision'))).toBe(before.revision);
    return answer;
  };
  const made = async (path: string, body: object): Promise<any> =>
    (await org.admin.post(path, body)).data;
  const PREVIEW = /preview-[0-9a-f-]{36}$/;

  it('answers status and body of the call, generated ids marked as previews', async () => {
    const { status, body } = await tried('/groups/create', { name: 'Tried' });
    expect(status).toBe(200);
    expect(body.ok.data).toMatchObject({ name: 'Tried', owner: org.admin.user_id });
    expect(body.ok.data.id).toMatch(/^GroupID_preview-/);
    expect((await org.admin.get(`/groups/get/${body.ok.data.id}`)).status).toBe(404);
    const { data } = await org.admin.post('/groups/create', { name: 'Tried' });
    expect(Object.keys(data)).toEqual(Object.keys(body.ok.data));
  });

  it('shows the event records that the call would have created', async () => {
    const headers = { ...DRY, 'Audit-Reason': 'only looking', 'X-Request-Id': 'try-1' };
    const { revision } = await replay();
    const { body } = await org.admin.post('/groups/create', { name: 'Tried' }, headers);
    expect(body.ok.dry_run).toEqual({
      revision,
      events: [
        {
          revision: revision + 1,
          event_id: expect.stringMatching(PREVIEW),
          type: 'GroupCreated',
          version: 1,
          timestamp_ms: expect.any(Number),
          actor: { user_id: org.admin.user_id, api_key_id: expect.any(String), via: 'API_KEY' },
          command: 'CreateGroup',
          correlation_id: 'try-1',
          allowed_by: ['OWNER'],
          reason: 'only looking',
          resource_ids: expect.arrayContaining([body.ok.data.id]),
          resource_count: 2,
          data: expect.objectContaining({ group_id: body.ok.data.id, name: 'Tried' }),
          hash: null,
        },
      ],
    });
  });

  it.each([
    ['/contacts/create', { is_placeholder: true, name: 'Pat' }, 'UserID_preview-'],
    ['/disks/create', { name: 'Disk', disk_type: 'LOCAL_SSD' }, 'DiskID_preview-'],
    ['/api_keys/create', { name: 'Key' }, 'ApiKeyID_preview-'],
    [
      '/permissions/system/create',
      { resource_id: 'TABLE_DISKS', permission_types: ['VIEW'] },
      'SystemPermissionID_preview-',
    ],
  ])('%s makes nothing', async (path, body, id) => {
    const answer = await tried(path, body);
    expect([answer.status, answer.data.id.slice(0, id.length)]).toEqual([200, id]);
  });

  it('hands out no secret that works, and shows none in events', async () => {
    const key = await tried('/api_keys/create', { name: 'Key' });
    expect(key.data.value).toMatch(PREVIEW);
    expect((await org.as(key.data.value).get('/organization/whoami')).status).toBe(401);
    expect(key.body.ok.dry_run.events[0].data.digest).toBe('***');
    const { data: group } = await org.admin.post('/groups/create');
    const invite = await tried('/groups/invites/create', { group_id: group.id, role: 'MEMBER' });
    expect(invite.data.redeem_code).toMatch(/^RedeemTokenID_preview-/);
    expect(invite.body.ok.dry_run.events[0].data).toMatchObject({
      redeem_code: '***',
      redeem_digest: '***',
    });
    const link = await tried('/organization/shortlink', { original_url: 'https://a.example' });
    expect(link.data.slug).toMatch(PREVIEW);
  });

  it('names the outcomes of actions as previews too', async () => {
    const actions = [{ action: 'GET_FOLDER', payload: { id: 'FolderID_none' } }];
    const { body } = await tried('/directory/action?envelope=ok', { actions });
    expect(body.ok.data[0].id).toMatch(/^DirectoryActionOutcomeID_preview-/);
  });

  it('marks the ids of all that a copy would take along', async () => {
    const disk = await makeDisk(org);
    const source = await makeFolder(org.admin, disk, 'source');
    const place = { parent_folder_uuid: source.id };
    await makeFolder(org.admin, disk, 'below', place);
    const file = await makeFile(org.admin, disk, 'a.txt', place);
    const copied = async (action: string, id: string): Promise<any> => {
      const payload = { id, destination_folder_id: disk.root_folder };
      const actions = [{ action, payload }];
      return (await tried('/directory/action?envelope=ok', { actions })).body.ok.data[0].response;
    };
    const folder = (await copied('COPY_FOLDER', source.id)).result;
    const copy = (await copied('COPY_FILE', file.id)).result;
    const ids = [...folder.subfolder_uuids, ...folder.file_uuids, copy.version_id];
    expect(ids).toEqual(ids.map(() => expect.stringMatching(PREVIEW)));
    expect([folder.subfolder_uuids.length, folder.file_uuids.length]).toEqual([1, 1]);
  });

  it('does not name what a copy leaves out, because the caller may not view it', async () => {
    const disk = await makeDisk(org);
    const source = await makeFolder(org.admin, disk, 'shared');
    const place = { parent_folder_uuid: source.id };
    const hidden = await makeFolder(org.admin, disk, 'hidden', {
      ...place,
      has_sovereign_permissions: true,
    });
    const payload = { id: source.id, destination_folder_id: disk.root_folder };
    const actions = [{ action: 'COPY_FOLDER', payload }];
    const { body } = await tried('/directory/action?envelope=ok', { actions }, org.members[0]);
    expect(body.ok.data[0].response.result.name).toBe('shared (2)');
    expect(body.ok.dry_run.events).toMatchObject([{ type: 'ItemCopied', data: { left_out: [] } }]);
    expect(JSON.stringify(body)).not.toContain(hidden.id);
  });

  it('names records besides those in the events to auditors only', async () => {
    const other = await service.organization('Bob', 'Eve');
    const [bob, eve] = other.members as [Client, Client];
    const disk = await makeClosedDisk(other);
    const grants = [
      granted(other, bob.user_id, 'TABLE_LABELS', 'VIEW', 'DELETE'),
      granted(other, eve.user_id, 'TABLE_LABELS', 'VIEW', 'DELETE'),
      granted(other, eve.user_id, 'TABLE_AUDIT', 'VIEW'),
    ];
    await given(service, other, ...grants);
    const { data: label } = await other.admin.post('/labels/create', { value: 'secret' });
    const hidden = await makeFolder(other.admin, disk, 'hidden', { labels: ['secret'] });
    const named = async (who: Client) => {
      const { body } = await who.post('/labels/delete', { id: label.id }, DRY);
      const [{ resource_ids, resource_count }] = body.ok.dry_run.events;
      return [resource_ids.toSorted(), resource_count];
    };
    expect(await named(bob)).toEqual([[label.id], 1]);
    const all = [[hidden.id, label.id].toSorted(), 2];
    expect([await named(eve), await named(other.admin)]).toEqual([all, all]);
  });

  it('hands out no form that is accepted', async () => {
    const auth_json = JSON.stringify(BUCKET);
    const [disk, bucket] = [
      await makeDisk(org),
      await makeDisk(org, { disk_type: 'AWS_BUCKET', auth_json }),
    ];
    const form = async (action: string, payload: object, headers = {}) => {
      const body = { actions: [{ action, payload }] };
      const answer = await org.admin.post('/directory/action?envelope=ok', body, headers);
      return answer.body.ok.data[0].response.result.upload;
    };
    const payload = { name: 'a.bin', file_size: 4 };
    const place = { disk_id: bucket.id, parent_folder_uuid: bucket.root_folder };
    const signature = 'X-Amz-Signature';
    const of_bucket = await form('CREATE_FILE', { ...payload, ...place }, DRY);
    expect(of_bucket.fields[signature]).toMatch(PREVIEW);
    const real = await form('CREATE_FILE', { ...payload, ...place });
    expect(Object.keys(of_bucket.fields)).toEqual(Object.keys(real.fields));
    const file = await makeFile(org.admin, disk, 'b.bin');
    const { url, fields } = await form(
      'UPDATE_FILE',
      { id: file.id, request_presigned_url: true },
      DRY,
    );
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value as string);
    body.append('file', new Blob(['text']), 'b.bin');
    expect((await fetch(url, { method: 'POST', body })).status).toBe(403);
  });

  it('tries updates and deletions', async () => {
    const { id } = await made('/groups/create', { name: 'Kept' });
    expect((await tried('/groups/update', { id, name: 'Other' })).data.name).toBe('Other');
    expect((await tried('/groups/delete', { id })).data).toEqual({ id, deleted: true });
    expect((await org.admin.get(`/groups/get/${id}`)).data.name).toBe('Kept');
  });

  it('refuses what the call would refuse', async () => {
    const [bob] = org.members;
    expect((await tried('/groups/create', {}, bob)).err).toMatchObject({ code: 403 });
    expect((await tried('/groups/create', { name: '' })).err).toMatchObject({ code: 400 });
    const { id } = await made('/groups/create', {});
    expect((await tried('/groups/create', { id })).err.type).toBe('request.id-in-use');
  });

  it('keeps a code, a key and an owner as they are', async () => {
    const { id: group_id } = await made('/groups/create', {});
    const invite = await made('/groups/invites/create', { group_id, role: 'MEMBER' });
    const redeem = { invite_id: invite.id, redeem_code: invite.redeem_code };
    expect((await tried('/groups/invites/redeem', redeem, org.members[0])).status).toBe(200);
    expect((await org.members[0]!.post('/groups/invites/redeem', redeem)).status).toBe(200);
    const swap = { current_user_id: org.members[0]!.user_id, new_user_id: 'UserID_other' };
    expect((await tried('/organization/superswap_user', swap)).data.updated_count).toBeGreaterThan(
      0,
    );
    const next = { next_owner_id: org.members[0]!.user_id };
    expect((await tried('/organization/transfer_ownership', next)).data.status).toBe('REQUESTED');
  });

  it('does not let a signature sign-in end a code', async () => {
    const nina = new Signer();
    await made('/contacts/create', { id: nina.user_id, name: 'Nina' });
    const { revision } = await replay();
    const signed = nina.in(org);
    expect((await signed.post('/groups/create', {}, DRY)).status).toBe(403);
    expect((await replay()).revision).toBe(revision);
    expect((await signed.get('/organization/whoami')).status).toBe(200);
    expect((await replay()).revision).toBe(revision + 1);
  });

  it('tries a rebuild without rebuilding', async () => {
    const { data } = await tried('/organization/reindex', {});
    expect(data).toMatchObject({ success: true, job_id: expect.stringMatching(PREVIEW) });
    expect((await org.admin.get(`/organization/reindex/${data.job_id}`)).status).toBe(404);
    const later = await tried('/organization/reindex', { async: true });
    expect(later.data).toMatchObject({ state: 'RUNNING', job_id: expect.stringMatching(PREVIEW) });
    const refused = await tried('/organization/reindex', {}, org.members[0]);
    expect(refused.status).toBe(403);
  });

  it('is off with false and refused 400 when it is neither', async () => {
    const create = (dry_run: string) =>
      org.admin.post('/groups/create', {}, { 'Dry-Run': dry_run });
    const done = await create('false');
    expect([done.status, done.body.ok.dry_run]).toEqual([200, undefined]);
    const before = await replay();
    for (const unclear of ['yes', '1', 'true, false'])
      expect((await create(unclear)).err).toMatchObject({
        code: 400,
        type: 'request.invalid-header',
      });
    expect(await replay()).toEqual(before);
    expect((await create('TRUE')).body.ok.dry_run).toBeDefined();
  });
});
