import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ErrorCatalogue, PLATFORM_ERRORS, TOKEN_ERRORS } from '../errors.js';
import {
  COMMAND_MARK,
  ERRORS_MARK,
  NEVER_MARK,
  OPEN_MARK,
  READ_MARK,
  UNLIMITED_MARK,
  viewNamed,
} from './openapi-decorators.js';
import type { View } from '../../../../libs/domain/kernel/view.js';
import type { Schema } from '../requests/rule.js';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Base URL of the service for clients. */
  readonly server_url?: string;
  /** Errors of the application, beside those of the platform. */
  readonly errors?: ErrorCatalogue;
  /** Error slugs of an operation beside its own. Default: 400, 401, 429 and 500 of the platform. */
  readonly common_errors?: (path: string, method: string) => readonly string[];
  /** Completes an operation for the application; may add error slugs to its facts. */
  readonly complete?: (
    path: string,
    operation: Operation,
    facts: OperationFacts,
    schemas: Readonly<Record<string, Schema>>,
  ) => void;
  /** Response headers to which `complete` refers. */
  readonly headers?: Readonly<Record<string, object>>;
  /** Views that `complete` refers to. */
  readonly views?: readonly View[];
}

/** Properties of an operation, from its decorators. */
export interface OperationFacts {
  readonly method: string;
  /** Whether it may append events. */
  readonly commands: boolean;
  /** It never succeeds. */
  readonly never: boolean;
  /** Error slugs beside those of every operation. */
  readonly errors: string[];
}

const COMMON_ERRORS = ['request.invalid', ...TOKEN_ERRORS, 'rate.limited', 'server.failure'];

const text = (description: string): object => ({ description, schema: { type: 'string' } });

const COMMON_HEADERS = {
  'X-Request-Id': text('Id of the request: the one sent by the client, or a generated one'),
};

/** Response headers of rate-limited operations. */
const RATE_LIMIT_HEADERS = {
  RateLimit: text('Remaining requests per window: `"client";r=599;t=60`'),
  'RateLimit-Policy': text('Limits per window: `"client";q=600;w=60`'),
};

const CHALLENGE = {
  'WWW-Authenticate': text('`Bearer`, with `error="invalid_token"` if a token was sent (RFC 6750)'),
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
};

/** An operation of the document: the parts that are completed here. */
export interface Operation {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content; required?: boolean };
  responses: Record<string, { description: string; headers?: object; content?: Content }>;
  security?: object[];
  [READ_MARK]?: boolean;
  [COMMAND_MARK]?: boolean;
  [UNLIMITED_MARK]?: boolean;
  [ERRORS_MARK]?: readonly string[];
  [OPEN_MARK]?: boolean;
  [NEVER_MARK]?: boolean;
}

/** A parameter of an operation. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: object;
  readonly description?: string;
}

type Content = Record<string, { schema?: object }>;

/**
 * The OpenAPI 3.1 document of all controllers.
 *
 * @throws Error if an operation has no summary or an unknown error slug
 */
export function buildOpenApi(app: INestApplication, options: OpenApiOptions): OpenAPIObject {
  const catalogue: ErrorCatalogue = { ...PLATFORM_ERRORS, ...options.errors };
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(options.title)
    .setDescription(options.description ?? '')
    .setVersion(options.version)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'base64 of JSON' }, 'bearer')
    .addApiKey({ type: 'apiKey', in: 'query', name: 'auth' }, 'auth')
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('auth');
  if (options.server_url) config.addServer(options.server_url);
  const document = SwaggerModule.createDocument(app, config.build(), { operationIdFactory });
  const schemas = {
    ...document.components?.schemas,
    ...viewSchemas(document, options.views),
    ...errorSchemas(catalogue),
  };
  document.components = {
    ...document.components,
    schemas: schemas as never,
    headers: {
      ...COMMON_HEADERS,
      ...RATE_LIMIT_HEADERS,
      ...CHALLENGE,
      ...RETRY_AFTER,
      ...options.headers,
    } as never,
  };
  const commonErrors = options.common_errors ?? (() => COMMON_ERRORS);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      if (typeof operation === 'object' && 'responses' in operation) {
        if (!operation.summary) throw new Error(`OpenAPI: ${method} ${path} has no summary`);
        const facts = takeFacts(operation, method);
        options.complete?.(path, operation, facts, schemas as Record<string, Schema>);
        describe(operation, facts, catalogue, commonErrors(path, method));
        declarePathParameters(path, operation);
        makeBodyOptional(operation, schemas as Record<string, Schema>);
      }
    }
  }
  return document;
}

/**
 * Serves the document at `/openapi.json` and as a page at `/docs`, without resources of other hosts.
 * Call it before `init`/`listen`; the first request for the document builds it.
 */
export function serveOpenApi(app: NestFastifyApplication, options: OpenApiOptions): void {
  SwaggerModule.setup('docs', app, () => buildOpenApi(app, options), {
    jsonDocumentUrl: '/openapi.json',
    raw: ['json'],
    customSiteTitle: options.title,
  });
}

/** `GroupsController.create` gets the operation id `groupsCreate`. */
function operationIdFactory(controller: string, method: string): string {
  const family = controller.replace(/Controller$/, '');
  const capital = method[0]!.toUpperCase() + method.slice(1);
  return family[0]!.toLowerCase() + family.slice(1) + capital;
}

/** Declares path parameters that no handler takes, such as the organization, which a guard reads. */
function declarePathParameters(path: string, operation: Operation): void {
  const declared = new Set(operation.parameters?.map(({ name }) => name));
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (declared.has(name!)) continue;
    const parameter = { name: name!, in: 'path', required: true, schema: { type: 'string' } };
    (operation.parameters ??= []).unshift(parameter);
  }
}

/** Makes a body without required fields optional; Nest marks every body as required. */
function makeBodyOptional({ requestBody: body }: Operation, schemas: Record<string, Schema>): void {
  const { $ref: reference } = (body?.content['application/json']?.schema ?? {}) as Schema;
  if (!body || typeof reference !== 'string') return;
  const { required = [] } = schemas[reference.split('/').at(-1)!] as { required?: string[] };
  if (required.length === 0) body.required = false;
}

/** Reads the marks of an operation and removes them from the document. */
function takeFacts(operation: Operation, method: string): OperationFacts & Limits {
  const reads = method === 'get' || operation[READ_MARK] === true;
  const facts = {
    method,
    commands: !reads || operation[COMMAND_MARK] === true,
    never: operation[NEVER_MARK] === true,
    errors: [...(operation[ERRORS_MARK] ?? [])],
    is_open: operation[OPEN_MARK] === true,
    is_limited: operation[UNLIMITED_MARK] !== true,
  };
  delete operation[READ_MARK];
  delete operation[COMMAND_MARK];
  delete operation[NEVER_MARK];
  delete operation[ERRORS_MARK];
  delete operation[OPEN_MARK];
  delete operation[UNLIMITED_MARK];
  // Nest adds a success response to every operation.
  if (facts.never) operation.responses = {};
  return facts;
}

interface Limits {
  /** Needs no token. */
  readonly is_open: boolean;
  /** Counts against the rate limits. */
  readonly is_limited: boolean;
}

function describe(
  operation: Operation,
  { errors, is_open, is_limited }: OperationFacts & Limits,
  catalogue: ErrorCatalogue,
  common: readonly string[],
): void {
  if (is_open) operation.security = [];
  const inherited = common.filter(
    (slug) => !(is_open && slug.startsWith('token.')) && (is_limited || slug !== 'rate.limited'),
  );
  const by_status = new Map<number, string[]>();
  for (const slug of new Set([...errors, ...inherited])) {
    const kind = catalogue[slug];
    if (!kind) throw new Error(`OpenAPI: unknown error slug ${slug}`);
    by_status.set(kind.status, [...(by_status.get(kind.status) ?? []), slug]);
  }
  for (const [status, slugs] of by_status) {
    operation.responses[status] = errorResponse(status, slugs, catalogue);
  }
  const headers = {
    ...COMMON_HEADERS,
    ...(inherited.includes('rate.limited') && RATE_LIMIT_HEADERS),
  };
  for (const response of Object.values(operation.responses)) {
    const references = Object.keys(headers).map((name) => [name, headerRef(name)]);
    response.headers = { ...response.headers, ...Object.fromEntries(references) };
  }
}

/** The components of the views that operations name, and of those that these views name. */
function viewSchemas(document: OpenAPIObject, more: readonly View[] = []): Record<string, Schema> {
  const names = JSON.stringify(document.paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const named = [...names].map(([, name]) => viewNamed(name!)).filter((view) => view !== undefined);
  const all = [...named, ...more].flatMap(({ views }) => views);
  return Object.fromEntries(all.map(({ name, component }) => [name, component]));
}

const headerRef = (name: string): object => ({ $ref: `#/components/headers/${name}` });

const schemaRef = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** Response header of errors by status. */
const HEADER_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

function errorResponse(
  status: number,
  slugs: readonly string[],
  catalogue: ErrorCatalogue,
): Operation['responses'][string] {
  const header = HEADER_OF_STATUS[status];
  const list = slugs.map((slug) => `- \`${slug}\`: ${catalogue[slug]!.title}`).join('\n');
  return {
    description: list,
    ...(header && { headers: { [header]: headerRef(header) } }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            schemaRef('ErrorEnvelope'),
            {
              type: 'object',
              properties: {
                err: {
                  type: 'object',
                  properties: { code: { const: status }, type: { enum: slugs } },
                },
              },
            },
          ],
        },
      },
      'application/problem+json': { schema: schemaRef('Problem') },
    },
  };
}

function errorSchemas(catalogue: ErrorCatalogue): Record<string, Schema> {
  const details = { type: 'array', items: schemaRef('ErrorDetail') };
  const request_id = { type: 'string' };
  return {
    ErrorType: { type: 'string', enum: Object.keys(catalogue).toSorted() },
    ErrorDetail: {
      type: 'object',
      required: ['pointer', 'reason'],
      properties: {
        pointer: {
          type: 'string',
          description: 'JSON pointer into the body; empty: the whole body',
        },
        reason: {
          type: 'string',
          description:
            'Why the value is invalid; for `permission.denied`: a permission that would suffice',
        },
        limit: { type: 'number' },
      },
    },
    ErrorEnvelope: {
      type: 'object',
      required: ['err'],
      properties: {
        err: {
          type: 'object',
          required: ['code', 'message', 'type', 'request_id', 'details'],
          properties: {
            code: { type: 'integer', description: 'HTTP status' },
            message: { type: 'string' },
            type: schemaRef('ErrorType'),
            request_id,
            details,
          },
        },
      },
    },
    Problem: {
      type: 'object',
      description:
        'RFC 9457 error, for requests whose Accept header lists application/problem+json',
      required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'details'],
      properties: {
        type: {
          type: 'string',
          format: 'uri-reference',
          description: '/errors/ followed by the slug',
        },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        code: { type: 'integer' },
        request_id,
        details,
      },
    },
  };
}
