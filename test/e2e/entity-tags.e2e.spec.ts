import { createHash } from 'node:crypto';
import type { Answer, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

const FORM = /^"(\d+)\.([0-9a-f]{16})"$/;

interface Tag {
  readonly text: string;
  readonly revision: number;
  readonly hash: string;
}

function tagOf({ headers }: Answer): Tag {
  const text = headers.get('etag')!;
  expect(text).toMatch(FORM);
  const [, revision, hash] = FORM.exec(text)!;
  return { text, revision: Number(revision), hash: hash! };
}

describe('ETag, If-Match and If-None-Match over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  const revision = async (): Promise<number> =>
    (await org.admin.post('/organization/replay')).data.revision;
  const group = async (name = 'Group'): Promise<{ id: string; tag: Tag }> => {
    const answer = await org.admin.post('/groups/create', { name });
    return { id: answer.data.id, tag: tagOf(answer) };
  };
  const update = (body: object, if_match: string) =>
    org.admin.post('/groups/update', body, { 'If-Match': if_match });

  it.each([
    ['groups', { name: 'Tagged' }],
    ['disks', { name: 'Tagged', disk_type: 'LOCAL_SSD' }],
    ['contacts', { is_placeholder: true, name: 'Tagged' }],
    ['api_keys', { name: 'Tagged' }],
    ['labels', { value: 'tagged' }],
  ])(
    '%s: answers carry the revision of the record and the hash of the body',
    async (path, body) => {
      const created = await org.admin.post(`/${path}/create`, body);
      const { revision: n } = tagOf(created);
      expect(n).toBe(Number(created.headers.get('drive-revision')));
      const id = created.data.id as string;
      const url = `${org.admin.base}/${path}/get/${id}`;
      const headers = { authorization: `Bearer ${org.admin.token}` };
      const response = await fetch(url, { headers });
      const sent = await response.text();
      const hash = createHash('sha256').update(sent).digest('hex').slice(0, 16);
      expect(response.headers.get('etag')).toBe(`"${n}.${hash}"`);
      const again = await fetch(url, { headers });
      expect(again.headers.get('etag')).toBe(`"${n}.${hash}"`);
      await group();
      expect(tagOf(await org.admin.get(`/${path}/get/${id}`)).revision).toBe(n);
    },
  );

  it('shows a change of a joined name by the hash, of the record’s own fields by the revision', async () => {
    const { id } = await group();
    const read = async () => tagOf(await org.admin.get(`/groups/get/${id}`));
    const first = await read();
    await org.admin.post('/contacts/update', { id: org.admin.user_id, name: 'Renamed' });
    const joined = await read();
    expect([joined.revision, joined.hash === first.hash]).toEqual([first.revision, false]);
    const updated = tagOf(await org.admin.post('/groups/update', { id, name: 'Own' }));
    expect(updated.revision).toBeGreaterThan(first.revision);
    expect((await read()).revision).toBe(updated.revision);
  });

  it('is not sent with lists, deletions, refusals and dry runs', async () => {
    const { id } = await group();
    const dry = { 'Dry-Run': 'true' };
    const untagged = [
      await org.admin.post('/groups/list'),
      await org.admin.post('/groups/update', { id, name: 'Tried' }, dry),
      await org.admin.post('/groups/delete', { id }),
      await org.admin.get(`/groups/get/${id}`),
    ];
    expect(untagged.map(({ headers }) => headers.get('etag'))).toEqual([null, null, null, null]);
  });

  describe('If-None-Match', () => {
    it('answers 304 without a body while revision and hash are the same', async () => {
      const { id } = await group();
      const read = (tag?: string) =>
        org.admin.get(`/groups/get/${id}`, tag === undefined ? {} : { 'If-None-Match': tag });
      const { text } = tagOf(await read());
      for (const header of [text, `W/${text}`, `"1.0123456789abcdef", ${text}`, '*']) {
        const { status, body, headers } = await read(header);
        expect([status, body, headers.get('etag')]).toEqual([304, '', text]);
        expect(Number(headers.get('drive-revision'))).toBeGreaterThan(0);
      }
      const other = text.replace(/.{3}"$/, 'fff"');
      expect((await read(other)).status).toBe(200);
      await org.admin.post('/groups/update', { id, name: 'Other' });
      expect((await read(text)).status).toBe(200);
    });

    it('changes nothing for callers who may not read it, and for commands', async () => {
      const { id } = await group();
      const any = { 'If-None-Match': '*' };
      expect((await org.members[0]!.get(`/groups/get/${id}`, any)).status).toBe(403);
      expect((await org.admin.post('/groups/update', { id, name: 'N' }, any)).status).toBe(200);
    });
  });

  describe('If-Match', () => {
    it('lets a command through while the record has not changed since', async () => {
      const { id, tag } = await group();
      await group('Another');
      const first = await update({ id, name: 'A' }, tag.text);
      expect(first.status).toBe(200);
      const second = await update({ id, name: 'B' }, `"${tagOf(first).revision}"`);
      expect(second.status).toBe(200);
      for (const passing of ['*', `"${tagOf(second).revision + 1_000_000}"`, `"0", *`])
        expect((await update({ id, name: 'C' }, passing)).status).toBe(200);
    });

    it('refuses 412 what changed since, and appends nothing', async () => {
      const { id, tag } = await group();
      await org.admin.post('/groups/update', { id, name: 'Changed' });
      const before = await revision();
      for (const stale of [tag.text, `"${tag.revision}"`, `W/${tag.text}`, `"0"`]) {
        const { status, err } = await update({ id, name: 'Lost' }, stale);
        expect([status, err.type]).toEqual([412, 'request.precondition-failed']);
      }
      const gone = await org.admin.post('/groups/delete', { id }, { 'If-Match': tag.text });
      expect(gone.status).toBe(412);
      expect(await revision()).toBe(before);
    });

    it('succeeds for one of two concurrent callers', async () => {
      const { id, tag } = await group();
      const race = await Promise.all(['A', 'B', 'C'].map((name) => update({ id, name }, tag.text)));
      expect(race.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    });

    it('is checked after existence and permission', async () => {
      const stale = { 'If-Match': '"0"' };
      const { id } = await group();
      expect((await org.members[0]!.post('/groups/delete', { id }, stale)).status).toBe(403);
      const none = { id: 'GroupID_none' };
      expect((await org.admin.post('/groups/delete', none, stale)).status).toBe(404);
    });

    it('applies to permissions too, which are deleted by another name', async () => {
      const created = await org.admin.post('/permissions/system/create', {
        resource_id: 'TABLE_DISKS',
        permission_types: ['VIEW'],
        granted_to: org.members[0]!.user_id,
      });
      const body = { permission_id: created.data.id };
      const remove = (tag: string) =>
        org.admin.post('/permissions/system/delete', body, { 'If-Match': tag });
      expect((await remove('"0"')).status).toBe(412);
      expect((await remove(created.headers.get('etag')!)).status).toBe(200);
    });

    it('refuses 412 where there is no record to match', async () => {
      const any = { 'If-Match': '*' };
      expect((await org.admin.post('/groups/create', {}, any)).status).toBe(412);
      const domains = { allowed_domains: '' };
      const answer = await org.admin.post('/organization/update_allowed_domains', domains, any);
      expect(answer.status).toBe(412);
    });

    it.each(['5', '"x"', '"5', '"5.12"', '', '"5" "6"'])('refuses 400 %j', async (bad) => {
      const { id } = await group();
      const { status, err } = await update({ id, name: 'N' }, bad);
      expect([status, err.type]).toEqual([400, 'request.invalid-header']);
    });

    it('is not checked again for a repeated request', async () => {
      const { id, tag } = await group();
      const headers = { 'If-Match': tag.text, 'Idempotency-Key': 'matched' };
      const send = () => org.admin.post('/groups/update', { id, name: 'Once' }, headers);
      const first = await send();
      const second = await send();
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    });
  });
});
