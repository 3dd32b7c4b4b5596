import { Client } from '../support/client.js';
import { raw } from '../support/content.js';
import { TestService } from '../support/service.js';
import { resolved } from '../support/openapi.js';

const FACTORY_ADMIN_KEY = 'administrator-of-the-factory-0123456789';

/** Operations of an older interface that never succeed; the document does not name them. */
const RAW_TRANSFERS = [
  'POST directory/raw_upload/chunk',
  'POST directory/raw_upload/complete',
  'GET directory/raw_download/meta',
  'GET directory/raw_download/chunk',
];

/** The operations of the interface: method, path below the drive (or whole), as clients know them. */
const DRIVE_OPERATIONS = [
  'GET organization/about',
  'GET organization/snapshot',
  'POST organization/replay',
  'POST organization/history',
  'POST organization/timeline',
  'POST organization/compare',
  'POST organization/explain',
  'POST organization/who',
  'POST organization/reach',
  'POST organization/check_many',
  'POST organization/access_timeline',
  'POST organization/access_diff',
  'POST organization/bookmarks',
  'POST organization/bookmarks/list',
  'POST organization/bookmarks/delete',
  'GET organization/events',
  'GET organization/webrtc',
  'GET organization/digest',
  'GET organization/proof',
  'GET organization/consistency',
  'POST organization/record_proof',
  'POST organization/verify',
  'POST organization/search',
  'POST organization/reindex',
  'GET organization/reindex/{job_id}',
  'POST organization/transfer_ownership',
  'POST organization/update_allowed_domains',
  'GET organization/whoami',
  'POST organization/superswap_user',
  'POST organization/superswap',
  'POST organization/redeem',
  'POST organization/external_id',
  'POST organization/inbox',
  'POST organization/shortlink',
  'GET groups/get/{group_id}',
  'POST groups/list',
  'POST groups/create',
  'POST groups/update',
  'POST groups/delete',
  'POST groups/validate',
  'GET groups/invites/get/{invite_id}',
  'POST groups/invites/list',
  'POST groups/invites/create',
  'POST groups/invites/update',
  'POST groups/invites/delete',
  'POST groups/invites/redeem',
  'GET disks/get/{disk_id}',
  'POST disks/list',
  'POST disks/create',
  'POST disks/update',
  'POST disks/delete',
  'POST directory/list',
  'POST directory/action',
  'GET directory/asset/{file_id_with_extension}',
  'PUT directory/content/{file_id}',
  'PUT directory/content/{folder_id}/{name}',
  'POST directory/content',
  'POST directory/versions',
  'GET directory/usage',
  'POST directory/uploads',
  'HEAD directory/uploads/{upload_id}',
  'PATCH directory/uploads/{upload_id}',
  'DELETE directory/uploads/{upload_id}',
  'OPTIONS directory/uploads',
  'OPTIONS directory/uploads/{upload_id}',
  'GET permissions/directory/get/{directory_permission_id}',
  'POST permissions/directory/create',
  'POST permissions/directory/update',
  'POST permissions/directory/delete',
  'POST permissions/directory/check',
  'POST permissions/directory/redeem',
  'POST permissions/directory/list',
  'GET permissions/system/get/{system_permission_id}',
  'POST permissions/system/create',
  'POST permissions/system/update',
  'POST permissions/system/delete',
  'POST permissions/system/check',
  'POST permissions/system/redeem',
  'POST permissions/system/list',
  'GET contacts/get/{contact_id}',
  'POST contacts/list',
  'POST contacts/create',
  'POST contacts/update',
  'POST contacts/delete',
  'POST contacts/erase',
  'POST contacts/redeem',
  'POST contacts/helpers/generate-auto-login-link',
  'POST contacts/helpers/generate-crypto-identity',
  'GET labels/get/{label_id_or_value}',
  'POST labels/list',
  'POST labels/create',
  'POST labels/update',
  'POST labels/delete',
  'POST labels/pin',
  'GET purchases/get/{purchase_id}',
  'POST purchases/list',
  'POST purchases/create',
  'POST purchases/update',
  'POST purchases/delete',
  'GET drives/get/{drive_id}',
  'POST drives/list',
  'POST drives/create',
  'POST drives/update',
  'POST drives/delete',
  'GET api_keys/get/{api_key_id}',
  'POST api_keys/list/{user_id}',
  'POST api_keys/create',
  'POST api_keys/update',
  'POST api_keys/delete',
  'GET webhooks/get/{webhook_id}',
  'POST webhooks/list',
  'POST webhooks/create',
  'POST webhooks/update',
  'POST webhooks/delete',
  'POST webhooks/deliveries',
  'POST webhooks/replay',
  'POST webhooks/test',
  'POST transaction',
].map((operation) => operation.replace(' ', ' /v1/drive/{organization_id}/'));

const OTHER_OPERATIONS = [
  'POST /v1/factory/quickstart',
  'POST /v1/factory/helpers/generate-crypto-identity',
  'POST /v1/factory/helpers/migrate',
  'GET /v1/factory/snapshot',
  'POST /v1/factory/giftcards/spawnorg/create',
  'POST /v1/factory/giftcards/spawnorg/upsert',
  'POST /v1/factory/giftcards/spawnorg/redeem',
  'GET /v1/factory/giftcards/spawnorg/get/{giftcard_id}',
  'POST /v1/factory/giftcards/spawnorg/list',
  'POST /v1/factory/giftcards/spawnorg/update',
  'POST /v1/factory/giftcards/spawnorg/delete',
  'GET /health',
  'GET /ready',
  'GET /',
];

/** Operations that need no token. */
const OPEN = [
  'directory/content',
  'directory/asset/{file_id_with_extension}',
  'organization/redeem',
  'organization/shortlink',
  'factory',
  'health',
  'ready',
];

const VERB_AND_NOUN =
  /^(?:check|compare|count|create|delete|describe|erase|explain|export|find|generate|get|list|migrate|open|pin|prove|redeem|reindex|replace|replay|resolve|resume|run|search|send|stream|superswap|test|transfer|update|upload|upsert|validate|verify)(?:[A-Z][a-z]+)+$/;

describe('the interface', () => {
  let service: TestService;
  let document: any;
  let document_as_sent: Parameters<typeof resolved>[0];

  beforeAll(async () => {
    service = await TestService.start({ FACTORY_ADMIN_KEYS: FACTORY_ADMIN_KEY });
    document_as_sent = (await service.client().get('/openapi.json')).body;
    document = resolved(document_as_sent);
  });
  afterAll(() => service.stop());

  const documented = (): string[] =>
    Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );

  it('is documented operation by operation, no more and no less', () => {
    const all = [...DRIVE_OPERATIONS, ...OTHER_OPERATIONS];
    expect(new Set(documented())).toEqual(new Set(all));
  });

  it('documents body, answer, errors and parameters of every operation', () => {
    const ids = new Set<string>();
    for (const [path, methods] of Object.entries<any>(document.paths)) {
      for (const [method, operation] of Object.entries<any>(methods)) {
        const where = `${method} ${path}`;
        expect([where, operation.operationId]).toEqual([
          where,
          expect.stringMatching(VERB_AND_NOUN),
        ]);
        ids.add(operation.operationId);
        expect([where, typeof operation.summary]).toEqual([where, 'string']);
        const successes = ['101', '200', '201', '204', '302'];
        const succeeds = successes.some((status) => status in operation.responses);
        expect([where, succeeds]).toEqual([where, true]);
        const may_not_serve = path.includes('/directory/asset/');
        expect([where, !!operation.responses['501']]).toEqual([where, may_not_serve]);
        for (const [, name] of path.matchAll(/\{(\w+)\}/g))
          expect(operation.parameters.map((parameter: any) => parameter.name)).toContain(name);
      }
    }
    expect(ids.size).toBe(documented().length);
  });

  it('declares every tag in one group', () => {
    const paths = [...Object.values<any>(document.paths), ...Object.values<any>(document.webhooks)];
    const used = paths.flatMap((methods) =>
      Object.values<any>(methods).flatMap(({ tags }) => tags as string[]),
    );
    const declared: string[] = document.tags.map(({ name }: { name: string }) => name);
    expect(new Set(declared)).toEqual(new Set(used));
    expect(document['x-tagGroups'].flatMap(({ tags }: { tags: string[] }) => tags)).toEqual(
      declared,
    );
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
  });

  it('describes every field and every parameter', () => {
    const missing: string[] = [];
    for (const [name, { properties = {} }] of Object.entries<any>(document.components.schemas))
      for (const [field, property] of Object.entries<any>(properties)) {
        const shared = document.components.schemas[property.$ref?.split('/').at(-1)];
        if (!property.description && !shared?.description) missing.push(`${name}.${field}`);
      }
    for (const parameter of Object.values<any>(document.components.parameters))
      if (!parameter.description) missing.push(parameter.name);
    expect(missing).toEqual([]);
  });

  it('is small enough to read at once', () => {
    expect(JSON.stringify(document_as_sent).length).toBeLessThan(460_000);
  });

  it('names its licence and its server', () => {
    expect(document.info.license.identifier).toBe('Apache-2.0');
    expect(document.servers).toEqual([{ url: '/', description: 'This service' }]);
  });

  it('has no reference that leads nowhere', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      let found = document;
      for (const part of reference.split('/')) found = found?.[part];
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
  });

  it('offers a value as one of several kinds only where it cannot be two of them', () => {
    const kindsOf = (schema: any): string[] =>
      schema.oneOf ? schema.oneOf.flatMap(kindsOf) : [schema.type].flat();
    const met: string[][] = [];
    JSON.stringify(document.components.schemas, (_, schema) => {
      if (schema?.oneOf) met.push(kindsOf(schema).filter((kind) => kind !== 'object'));
      return schema;
    });
    expect(met.length).toBeGreaterThan(0);
    for (const kinds of met) expect(kinds).toEqual([...new Set(kinds)]);
  });

  it('requires a token in every drive operation except those that a code authorizes', async () => {
    const org = await service.organization();
    for (const operation of DRIVE_OPERATIONS) {
      const [method, path] = operation.split(' ') as [string, string];
      if (method === 'OPTIONS' || OPEN.some((open) => path.endsWith(open))) continue;
      const url = path
        .replace('{organization_id}', org.drive_id)
        .replaceAll(/\{\w+\}/g, 'UserID_x');
      const body = method === 'POST' ? '{}' : undefined;
      const { status } = await service.client().send(method, url, body);
      expect([operation, status]).toEqual([operation, 401]);
    }
  });

  it('refuses 400 a body that is no JSON object, also where none is needed', async () => {
    const org = await service.organization();
    const admin = new Client(service.url, FACTORY_ADMIN_KEY);
    const operations = [
      [org.admin, `/api_keys/list/${org.admin.user_id}`],
      [admin, '/v1/factory/helpers/migrate'],
    ] as const;
    for (const [client, path] of operations) {
      const types = [];
      for (const body of [undefined, '{}', '{', '[]'])
        types.push((await client.send('POST', path, body)).err?.type);
      expect([path, ...types]).toEqual([
        path,
        undefined,
        undefined,
        'request.malformed-json',
        'request.invalid',
      ]);
    }
  });

  it('answers raw transfers 501, in the error envelope', async () => {
    const org = await service.organization();
    for (const operation of RAW_TRANSFERS) {
      const [method, path] = operation.split(' ') as [string, string];
      const body = method === 'POST' ? '{}' : undefined;
      const {
        status,
        body: { err },
      } = await raw(org.admin, `/${path}`, { method, ...(body && { body }) });
      expect([operation, status, err]).toEqual([
        operation,
        501,
        {
          code: 501,
          message: expect.any(String),
          type: 'server.not-implemented',
          request_id: expect.any(String),
          details: [],
        },
      ]);
    }
  });

  it('answers unknown routes 404 in the error envelope', async () => {
    const org = await service.organization();
    const answers = [
      await service.client().get('/nowhere'),
      await org.admin.post('/groups/nonsense'),
      await org.admin.post('/giftcards/redeem'),
    ];
    for (const { status, err } of answers)
      expect([status, err.type, err.details]).toEqual([404, 'route.unknown', []]);
  });
});
