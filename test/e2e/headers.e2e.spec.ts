import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Answer, Client, Organization } from '../support/client.js';
import { makeDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { resolved } from '../support/openapi.js';

/** What handlers say by themselves to read or store, where they do not go through `api.query` or `api.run`. */
const BY_HAND: Readonly<Record<string, 'reads' | 'stores'>> = {
  'get organization/events': 'reads',
  'get organization/webrtc': 'reads',
  'post organization/reindex': 'stores',
  'post directory/list': 'reads',
  'post directory/action': 'stores',
  'get directory/asset/{file_id_with_extension}': 'reads',
  'post transaction': 'stores',
  'put directory/content/{file_id}': 'stores',
  'put directory/content/{folder_id}/{name}': 'stores',
  'post directory/content': 'stores',
};

const NAMES = ['ETag'];
const STORING = ['Audit-Reason', 'Idempotency-Key', 'Dry-Run'];

describe('headers in the OpenAPI document', () => {
  let service: TestService;
  let org: Organization;
  let document: any;

  beforeAll(async () => {
    service = await TestService.start({ RATE_LIMITS: 'on' });
    org = await service.organization('Bob');
    document = resolved((await service.client().get('/openapi.json')).body);
  });
  afterAll(() => service.stop());

  const IN_DRIVE = '/v1/drive/{organization_id}/';
  const operation = (method: string, path: string): any => document.paths[IN_DRIVE + path][method];
  const honoured = (found: any): string[] =>
    (found.parameters ?? [])
      .filter((parameter: any) => parameter.in === 'header')
      .map(({ name }: any) => name as string);
  const answered = (found: any): string[] => Object.keys(found.responses['200']?.headers ?? {});

  /** What the handler of each drive operation does, told by its code. */
  function kinds(): Map<string, { reads: boolean; stores: boolean }> {
    const found = new Map<string, { reads: boolean; stores: boolean }>();
    const scanner = new MetadataScanner();
    for (const module of service.server.app.get(ModulesContainer).values())
      for (const { metatype } of module.controllers.values()) {
        const base = String(Reflect.getMetadata(PATH_METADATA, metatype!));
        if (!base.startsWith('v1/drive/:organization_id')) continue;
        const prototype = metatype!.prototype as Record<string, () => void>;
        for (const name of scanner.getAllMethodNames(prototype)) {
          const handler = prototype[name]!;
          const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
          if (method === undefined) continue;
          const code = handler.toString();
          const own = [Reflect.getMetadata(PATH_METADATA, handler)].flat() as string[];
          for (const path of own) {
            const whole = `${base}/${path}`
              .replace(/^v1\/drive\/:organization_id\//, '')
              .replaceAll(/:(\w+)/g, '{$1}')
              .replace(/\/+$/, '');
            const key = `${RequestMethod[method].toLowerCase()} ${whole}`;
            const by_hand = BY_HAND[key];
            found.set(key, {
              reads: by_hand === 'reads' || code.includes('api.query('),
              stores: by_hand === 'stores' || code.includes('api.run('),
            });
          }
        }
      }
    return found;
  }

  it('has the headers of commands on what stores something, and on nothing else', () => {
    // Resumable uploads have the headers of their protocol.
    const all = [...kinds()].filter(([key]) => !/\/raw_|directory\/uploads/.test(key));
    expect(all.length).toBeGreaterThan(95);
    for (const [key, { reads, stores }] of all) {
      expect([key, reads || stores]).toEqual([key, true]);
      const [method, path] = key.split(' ') as [string, string];
      const headers = honoured(operation(method, path));
      expect([key, ...STORING.filter((name) => headers.includes(name))]).toEqual([
        key,
        ...(stores ? STORING : []),
      ]);
      expect([key, headers]).toEqual([key, expect.arrayContaining(['Min-Drive-Revision'])]);
      const answers = answered(operation(method, path));
      expect([key, answers.includes('Idempotent-Replayed')]).toEqual([
        key,
        stores && operation(method, path).responses['200'] !== undefined,
      ]);
    }
  });

  it('lists no header of drives on the factory and the rest', () => {
    for (const [path, methods] of Object.entries<any>(document.paths)) {
      if (path.startsWith(IN_DRIVE)) continue;
      for (const [method, found] of Object.entries<any>(methods)) {
        const stores = /quickstart|spawnorg\/(?:create|upsert|redeem|update|delete)/.test(path);
        const expected = stores ? ['Audit-Reason'] : [];
        expect([method, path, honoured(found)]).toEqual([method, path, expected]);
      }
    }
  });

  it('documents limits, outages and missing tokens', () => {
    const below = Object.entries<any>(document.paths).filter(([path]) => path.startsWith('/v1/'));
    for (const [path, methods] of below)
      for (const [method, { responses }] of Object.entries<any>(methods))
        for (const [status, header] of [
          ['429', 'RateLimit'],
          ['429', 'RateLimit-Policy'],
          ['429', 'Retry-After'],
          ['503', 'Retry-After'],
          ['401', 'WWW-Authenticate'],
        ] as const) {
          const { headers } = responses[status] ?? responses.default;
          expect([method, path, status, header, header in headers]).toEqual([
            ...[method, path, status, header],
            true,
          ]);
        }
  });

  /** Calls one operation and compares what came with what the document says of it. */
  async function expectAsDocumented(
    method: 'get' | 'post',
    path: string,
    { body = {}, place = path }: { body?: object; place?: string } = {},
  ): Promise<any> {
    const found = operation(method, path);
    const stores = honoured(found).includes('Idempotency-Key');
    const is_tagged = honoured(found).includes('If-None-Match');
    const send = (headers: Record<string, string>): Promise<Answer> =>
      method === 'get'
        ? org.admin.get(`/${place}`, headers)
        : org.admin.post(`/${place}`, body, headers);
    const name = `${path} ${JSON.stringify(body)}`.replaceAll(/[^!-~]/g, '');
    const key: Record<string, string> = stores ? { 'Idempotency-Key': name } : {};
    const tried = stores ? (await send({ 'Dry-Run': 'true' })).body.ok : {};
    const answer = await send(key);
    const repeated = stores ? await send(key) : answer;
    const known = is_tagged
      ? (await send({ 'If-None-Match': answer.headers.get('etag')! })).status
      : null;
    const schema = found.responses['200'].content['application/json'].schema;
    expect({
      path,
      status: answer.status,
      headers: NAMES.filter((header) => answer.headers.has(header)),
      has_revision: answer.headers.has('Drive-Revision'),
      is_repeated: repeated.headers.has('idempotent-replayed'),
      has_dry_run: Array.isArray(tried.dry_run?.events),
      known,
    }).toEqual({
      path,
      status: 200,
      headers: NAMES.filter((header) => answered(found).includes(header)),
      has_revision: true,
      is_repeated: answered(found).includes('Idempotent-Replayed'),
      has_dry_run: 'dry_run' in schema.properties.ok.properties,
      known: '304' in found.responses ? 304 : null,
    });
    return answer.data;
  }

  it.each([
    ['groups', { name: 'G' }, { name: 'H' }, 'group_id'],
    ['contacts', { is_placeholder: true, name: 'P' }, { name: 'Q' }, 'contact_id'],
    ['disks', { name: 'D', disk_type: 'LOCAL_SSD' }, { name: 'E' }, 'disk_id'],
    ['labels', { value: 'one' }, { value: 'two' }, 'label_id_or_value'],
    ['purchases', { title: 'T' }, { title: 'U' }, 'purchase_id'],
    ['api_keys', { name: 'K' }, { name: 'L' }, 'api_key_id'],
    [
      'webhooks',
      { alt_index: 'ALL_FILES', event: 'file.created', url: 'https://a.example' },
      { note: 'n' },
      'webhook_id',
    ],
    [
      'permissions/system',
      { resource_id: 'TABLE_DISKS', permission_types: ['VIEW'] },
      { note: 'n' },
      'system_permission_id',
    ],
  ])('is as documented of %s', async (family, made, changed, id_name) => {
    const data = await expectAsDocumented('post', `${family}/create`, { body: made });
    const { id } = data;
    const get = { place: `${family}/get/${id}` };
    await expectAsDocumented('get', `${family}/get/{${id_name}}`, get);
    await expectAsDocumented('post', `${family}/update`, { body: { id, ...changed } });
    for (const change of ['update', 'delete']) {
      const found = operation('post', `${family}/${change}`);
      expect([change, honoured(found).includes('If-Match')]).toEqual([change, true]);
      const body = { id, permission_id: id, ...changed };
      const { status } = await org.admin.post(`/${family}/${change}`, body, { 'If-Match': '"0"' });
      expect([change, status, '412' in found.responses]).toEqual([change, 412, true]);
    }
    await expectAsDocumented('post', `${family}/delete`, { body: { id } });
  });

  it('is as documented of invites, grants, pins, bookmarks and the organization', async () => {
    const { id: group_id } = (await org.admin.post('/groups/create')).data;
    const invite = await expectAsDocumented('post', 'groups/invites/create', {
      body: { group_id, role: 'MEMBER' },
    });
    await expectAsDocumented('get', 'groups/invites/get/{invite_id}', {
      place: `groups/invites/get/${invite.id}`,
    });
    await expectAsDocumented('post', 'groups/invites/update', {
      body: { id: invite.id, note: 'n' },
    });
    await expectAsDocumented('post', 'groups/invites/redeem', {
      body: { invite_id: invite.id, redeem_code: invite.redeem_code },
    });
    const disk = await makeDisk(org);
    const grant = await expectAsDocumented('post', 'permissions/directory/create', {
      body: { resource_id: disk.root_folder, permission_types: ['VIEW'] },
    });
    await expectAsDocumented('get', 'permissions/directory/get/{directory_permission_id}', {
      place: `permissions/directory/get/${grant.id}`,
    });
    const label = await expectAsDocumented('post', 'labels/create', { body: { value: 'pinned' } });
    const pin = { label_id: label.id, resource_id: disk.id, add: true };
    await expectAsDocumented('post', 'labels/pin', { body: pin });
    await expectAsDocumented('post', 'organization/bookmarks', { body: { name: 'here' } });
    await expectAsDocumented('post', 'organization/inbox', { body: { topic: 't' } });
    await expectAsDocumented('post', 'organization/update_allowed_domains', {
      body: { allowed_domains: 'a.example' },
    });
    for (const path of ['about', 'whoami', 'digest'])
      await expectAsDocumented('get', `organization/${path}`);
    for (const path of ['search', 'history', 'compare', 'replay'])
      await expectAsDocumented('post', `organization/${path}`, {
        body: { query: '~x', from: { revision: 0 }, resource_id: disk.id },
      });
    const hook = { event: 'drive.state_diffs', alt_index: 'STATE_DIFFS', active: false };
    // Nobody listens there.
    const { id } = (
      await org.admin.post('/webhooks/create', { ...hook, url: 'http://127.0.0.1:1/' })
    ).data;
    await expectAsDocumented('post', 'webhooks/test', { body: { id } });
    await expectAsDocumented('post', 'transaction', {
      body: { commands: [{ path: 'groups/create', body: {} }] },
    });
    await expectAsDocumented('post', 'groups/list');
    await expectAsDocumented('post', 'groups/validate', {
      body: { group_id, user_id: org.admin.user_id },
    });
  });

  it('is as documented of file actions: what a trial would store stands beside `data`', async () => {
    const disk = await makeDisk(org, { name: 'Files' });
    const create = (name: string) => ({
      action: 'CREATE_FOLDER',
      payload: { name, parent_folder_uuid: disk.root_folder, disk_id: disk.id },
    });
    const body = { actions: [create('A'), create('/'), create('A'), create('B')] };
    const dry = { 'Dry-Run': 'true' };
    const { revision } = (await org.admin.post('/organization/replay')).data;
    const { ok } = (await org.admin.post('/directory/action?envelope=ok', body, dry)).body;
    expect(ok.data.map(({ success }: any) => success)).toEqual([true, false, true, true]);
    expect(ok.dry_run.revision).toBe(revision);
    expect(
      ok.dry_run.events.map(({ type, revision: at, hash, data }: any) => [
        type,
        at,
        hash,
        data.name,
      ]),
    ).toEqual([
      ['FolderCreated', revision + 1, null, 'A'],
      ['FolderCreated', revision + 2, null, 'A (2)'],
      ['FolderCreated', revision + 3, null, 'B'],
    ]);
    expect((await org.admin.post('/organization/replay')).data.revision).toBe(revision);
    const bare = await org.admin.post('/directory/action', body, dry);
    expect(bare.body.map(({ success }: any) => success)).toEqual([true, false, true, true]);
    const key = { 'Idempotency-Key': 'files' };
    const done = await org.admin.post('/directory/action?envelope=ok', body, key);
    expect(Object.keys(done.body.ok)).toEqual(['data']);
    expect(done.headers.has('idempotent-replayed')).toBe(false);
    const again = await org.admin.post('/directory/action', body, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body[0].response.result.folder.id).toBe(done.data[0].response.result.folder.id);
  });

  it('discloses nothing about the organization to strangers', async () => {
    const about = (client: Client, headers: Record<string, string> = {}) =>
      client.get('/organization/about', headers);
    const key = JSON.stringify({ auth_type: 'API_KEY', value: '0'.repeat(64) });
    const unknown = org.as(Buffer.from(key).toString('base64'));
    const strangers = [
      await about(org.as()),
      await about(unknown),
      await about(unknown, { 'Min-Drive-Revision': '1' }),
      await about(unknown, { 'Min-Drive-Revision': '999999' }),
      await unknown.post('/groups/create', {}, { 'Idempotency-Key': 'stranger' }),
      // Routes that take callers without a token, too.
      await unknown.post('/organization/shortlink', { original_url: 'https://a.example' }),
    ];
    for (const { status, headers } of strangers) {
      expect(status).toBe(401);
      for (const name of ['Drive-Revision', 'ETag', 'Idempotent-Replayed'])
        expect([name, headers.has(name)]).toEqual([name, false]);
      for (const name of ['RateLimit', 'X-Request-Id'])
        expect([name, headers.has(name)]).toEqual([name, true]);
    }
    expect((await about(org.admin)).headers.has('Drive-Revision')).toBe(true);
    // Whoever the organization knows is told where its stream stands, whatever it may do there.
    const refused = await org.members[0]!.post('/groups/create', {});
    expect([refused.status, refused.headers.has('Drive-Revision')]).toEqual([403, true]);
  });
});
