import { Body, Controller, Get, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Id, ListBody, ListOf, Nested, Text, Timestamp, Url } from '../requests/fields.js';
import { JsonLogger } from '../logs/logging.js';
import type { Operation, OperationFacts } from './document.js';
import { buildOpenApi } from './openapi.js';
import { serveOpenApi } from './serve-openapi.js';
import {
  ApiData,
  ApiNoToken,
  ApiRead,
  Operation as Documented,
  page,
} from './openapi-decorators.js';
import { id } from '../requests/rules.js';
import { flag, text, view } from '../../../../libs/domain/kernel/view.js';
import { configureApp, createFastifyAdapter } from '../server.js';
import { loadSettings } from '../settings/settings.js';
import { Registered } from '../controllers.js';
import { resolved } from '../../../../test/support/openapi.js';

class Owner {
  @Text({ required: true }) name!: string;
}

class DiskBody {
  @Text({ min: 1, max: 256, required: true, example: 'Archive' }) name!: string;
  @Url({ max: 2048, null: 'clears' }) avatar?: string | null;
  @Timestamp({ expiry: true, default: -1 }) expires_at?: number;
  @Nested(() => Owner, { required: true }) owner!: Owner;
  @ListOf(() => Owner, { max: 9 }) others?: Owner[];
  @ListOf(id('LabelID_')) labels?: string[];
  @Id('DiskID_', { null: 'refused' }) id?: string;
}

const diskView = view('DiskRecord', { id: text() });

const ERRORS = { 'disk.in-use': { status: 409, title: 'The disk is in use.' } };
const OPTIONS = {
  title: 'Throwaway',
  version: '1.2.3',
  licence: 'Apache-2.0',
  errors: ERRORS,
  headers: { 'Made-Up': { schema: { type: 'string' } } },
  complete(path: string, operation: Operation, { method, commands, errors }: OperationFacts) {
    operation.parameters = [{ name: `${method} ${path} ${commands}`, in: 'header' }];
    if (commands) errors.push('disk.in-use');
  },
};

@Registered
@Controller('disks')
class Disks {
  @Post(['create', 'make'])
  @Documented({
    id: 'createDisk',
    aliases: { make: 'makeDisk' },
    summary: 'Make a disk',
    description: 'With its folders.',
  })
  @ApiData(diskView)
  create(@Body() body: DiskBody) {
    return body;
  }

  @Post('list')
  @Documented({ id: 'listDisks', summary: 'List disks' })
  @ApiRead()
  @ApiData(page(diskView))
  list(@Body() body: ListBody) {
    return body;
  }

  @Get('open')
  @Documented({ id: 'openDisk', summary: 'Needs no token' })
  @ApiNoToken()
  @ApiData(flag())
  open() {
    return true;
  }
}

@Registered
@Controller()
class Wrong {
  @Get('wrong')
  @Documented({ id: 'getWrong', summary: 'Names an unknown error', errors: ['no.such-slug'] })
  wrong() {
    return 1;
  }
}

async function boot(controller: typeof Disks | typeof Wrong): Promise<NestFastifyApplication> {
  const logger = new JsonLogger('silent');
  const module = await Test.createTestingModule({ controllers: [controller] }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(
    createFastifyAdapter(loadSettings({}), logger),
    { logger },
  );
  configureApp(app, logger);
  return app;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Written>>;
  components: { schemas: Record<string, Record<string, unknown>>; headers: object };
  [member: string]: unknown;
}
interface Written {
  operationId: string;
  responses: Record<string, { description?: string; $ref?: string }>;
  security?: object[];
  parameters: { name: string; in: string }[];
  requestBody?: { required?: boolean };
}

describe('OpenAPI', () => {
  let app: NestFastifyApplication;
  let base: string;
  let document: Document;
  let raw: Document;

  beforeAll(async () => {
    app = await boot(Disks);
    serveOpenApi(app, OPTIONS);
    await app.listen(0, '127.0.0.1');
    base = await app.getUrl();
    raw = (await (await fetch(`${base}/openapi.json`)).json()) as Document;
    document = resolved(raw);
  });
  afterAll(() => app.close());

  it('is a valid 3.1 document', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document['info']).toMatchObject({ title: 'Throwaway', version: '1.2.3' });
    expect(document['servers']).toEqual([{ url: '/', description: 'This service' }]);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(4);
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      'createDisk',
      'makeDisk',
      'listDisks',
      'openDisk',
    ]);
    for (const { responses } of operations) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', 'default']));
      for (const response of Object.values(responses)) expect(response.description).toBeTruthy();
    }
    const json = JSON.stringify(document);
    expect(json).not.toMatch(/"nullable"|x-(?:aliases|errors|open|read|command|never|unlimited)/);
    for (const [, reference = ''] of json.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
  });

  it('describes every field by its rule', () => {
    expect(document.components.schemas['DiskBody']).toEqual({
      type: 'object',
      required: ['name', 'owner'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 256, example: 'Archive' },
        avatar: { type: ['string', 'null'], format: 'uri', maxLength: 2048 },
        expires_at: {
          default: -1,
          anyOf: [
            {
              oneOf: [
                { type: 'integer', format: 'int64', minimum: -1 },
                { type: 'string', pattern: '^-?\\d+$' },
              ],
            },
            { type: 'null' },
          ],
        },
        owner: { $ref: '#/components/schemas/Owner' },
        others: {
          type: ['array', 'null'],
          maxItems: 9,
          items: { $ref: '#/components/schemas/Owner' },
        },
        labels: {
          type: ['array', 'null'],
          items: { type: 'string', pattern: '^LabelID_[A-Za-z0-9_-]{1,128}$' },
        },
        id: { type: 'string', pattern: '^DiskID_[A-Za-z0-9_-]{1,128}$' },
      },
    });
  });

  it('requires a body if a field of the body is required', () => {
    const isNeeded = (path: string) => document.paths[path]!['post']!.requestBody?.required;
    expect([isNeeded('/disks/create'), isNeeded('/disks/list')]).toEqual([true, undefined]);
  });

  it('documents responses in their envelope and errors by slug', () => {
    const { responses, parameters, security } = document.paths['/disks/create']!['post']!;
    expect(responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              ok: { properties: { data: { $ref: '#/components/schemas/DiskRecord' } } },
            },
          },
        },
      },
    });
    expect(responses['409']).toMatchObject({
      description: 'Conflict: `disk.in-use`, or x-error-types of the operation',
      'x-error-types': ['disk.in-use'],
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
    });
    expect(raw.paths['/disks/create']!['post']!.responses['409']).toEqual({
      $ref: '#/components/responses/E409',
    });
    expect(raw.paths['/disks/make']!['post']!.responses).toEqual(
      raw.paths['/disks/create']!['post']!.responses,
    );
    expect(Object.keys(responses)).not.toContain('201');
    expect(parameters.map(({ name }) => name)).toEqual(['post /disks/create true']);
    expect(security ?? document['security']).toEqual([{ bearer: [] }, { auth: [] }]);
    const { enum: slugs } = document.components.schemas['ErrorType'] as { enum: string[] };
    expect(slugs).toEqual(expect.arrayContaining(['disk.in-use', 'request.invalid']));
  });

  it('tells `complete` whether an operation is a command', () => {
    const names = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ parameters }) => parameters.map(({ name }) => name));
    expect(names).toEqual([
      'post /disks/create true',
      'post /disks/make true',
      'post /disks/list false',
      'get /disks/open false',
    ]);
    expect(document.components.headers).toMatchObject({ 'Made-Up': {}, 'Retry-After': {} });
  });

  it('requires no token for open operations', () => {
    expect(document.paths['/disks/open']!['get']!.security).toEqual([]);
  });

  it('is compressed as the client accepts, and sent once', async () => {
    const get = (headers: Record<string, string>) => fetch(`${base}/openapi.json`, { headers });
    const plain = await get({ 'accept-encoding': 'identity' });
    const json = await plain.text();
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const encoding of ['br', 'gzip']) {
      const answer = await get({ 'accept-encoding': `${encoding}, identity;q=0.5` });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(json.length / 2);
      expect(await answer.text()).toBe(json);
    }
    const known = { 'if-none-match': plain.headers.get('etag')! };
    expect((await get(known)).status).toBe(304);
  });

  it('serves a page that needs no other host', async () => {
    const docs = await fetch(`${base}/docs`);
    expect(docs.headers.get('content-type')).toMatch(/^text\/html/);
    const html = await docs.text();
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset!);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      const url = new URL(asset, `${base}/docs`);
      expect(url.origin).toBe(base);
      const answer = await fetch(url);
      await answer.arrayBuffer();
      expect([asset, answer.status]).toEqual([asset, 200]);
    }
    const missing = await fetch(`${base}/docs/none.js`);
    expect(await missing.json()).toMatchObject({ err: { type: 'route.unknown' } });
  });

  it('is not built with an undefined slug', async () => {
    const wrong = await boot(Wrong);
    await wrong.init();
    expect(() => buildOpenApi(wrong, OPTIONS)).toThrow('no.such-slug');
    await wrong.close();
  });
});
