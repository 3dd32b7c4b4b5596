import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { type ErrorCatalogue, PLATFORM_ERRORS, TOKEN_ERRORS } from '../errors.js';
import {
  ALIASES_MARK,
  COMMAND_MARK,
  ERRORS_MARK,
  OPEN_MARK,
  READ_MARK,
  UNLIMITED_MARK,
  viewNamed,
} from './openapi-decorators.js';
import { errorName, errorResponse, errorSchemas } from './error-responses.js';
import {
  ERROR_TYPES,
  type OpenApiOptions,
  type Operation,
  type OperationFacts,
} from './document.js';
import { describeFields } from './describe-fields.js';
import { shareParts } from './shared-parts.js';
import type { View } from '../../../../libs/domain/kernel/view.js';
import type { Schema } from '../requests/rule.js';

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

/** Some requests need a token, so that generated clients must send theirs. */
const OPTIONAL_TOKEN = [{ bearer: [] }, { auth: [] }, {}];

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
    .addServer('/', 'This service')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'base64 of JSON' }, 'bearer')
    .addApiKey({ type: 'apiKey', in: 'query', name: 'auth' }, 'auth')
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('auth');
  for (const { tags } of options.tag_groups ?? [])
    for (const [tag, description] of Object.entries(tags)) config.addTag(tag, description);
  const document = SwaggerModule.createDocument(app, config.build());
  Object.assign(document.info, {
    contact: { name: options.title },
    license: { name: options.licence, identifier: options.licence },
  });
  // A copy: completing the document must not change the views.
  const schemas = structuredClone({
    ...document.components?.schemas,
    ...viewSchemas(document, options.views),
    ...errorSchemas(catalogue),
  });
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
  const responses: ErrorResponses = {};
  const commonErrors = options.common_errors ?? (() => COMMON_ERRORS);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      if (typeof operation === 'object' && 'responses' in operation) {
        if (!operation.summary) throw new Error(`OpenAPI: ${method} ${path} has no summary`);
        operation.description ??= `${operation.summary}.`;
        const facts = takeFacts(operation, method);
        nameAlias(path, operation);
        const own = [...facts.errors];
        options.complete?.(path, operation, facts, schemas as Record<string, Schema>);
        const common = [...commonErrors(path, method), ...facts.errors.slice(own.length)];
        describe(operation, { ...facts, errors: own }, catalogue, common, responses);
        declarePathParameters(path, operation);
        makeBodyOptional(operation, schemas as Record<string, Schema>);
        const example = options.body_examples?.[operation.operationId!];
        if (example)
          Object.assign(operation.requestBody!.content['application/json']!, { example });
      }
    }
  }
  document.components.responses = Object.fromEntries(
    Object.entries(responses).map(([name, { status, slugs }]) => [
      name,
      errorResponse(status, [...slugs].toSorted()),
    ]),
  ) as never;
  describeFields(document, options.field_descriptions ?? {});
  if (options.webhooks) Object.assign(document, { webhooks: structuredClone(options.webhooks) });
  shareParts(document);
  if (options.tag_groups)
    Object.assign(document, {
      'x-tagGroups': options.tag_groups.map(({ name, tags }) => ({
        name,
        tags: Object.keys(tags),
      })),
    });
  return document;
}

/** Gives a further path of a route its own operation id. */
function nameAlias(path: string, operation: Operation): void {
  const alias = operation[ALIASES_MARK]?.[path.split('/').at(-1)!];
  if (alias !== undefined) operation.operationId = alias;
  delete operation[ALIASES_MARK];
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
    errors: [...(operation[ERRORS_MARK] ?? [])],
    is_open: operation[OPEN_MARK] === true,
    is_limited: operation[UNLIMITED_MARK] !== true,
  };
  delete operation[READ_MARK];
  delete operation[COMMAND_MARK];
  delete operation[ERRORS_MARK];
  delete operation[OPEN_MARK];
  delete operation[UNLIMITED_MARK];
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
  responses: ErrorResponses,
): void {
  if (is_open) operation.security = errors.includes('token.missing') ? OPTIONAL_TOKEN : [];
  const inherited = common.filter(
    (slug) => !(is_open && slug.startsWith('token.')) && (is_limited || slug !== 'rate.limited'),
  );
  const own = [...new Set(errors)].filter((slug) => !inherited.includes(slug));
  if (own.length > 0) operation[ERROR_TYPES] = own;
  for (const slug of [...own, ...inherited]) {
    const kind = catalogue[slug];
    if (!kind) throw new Error(`OpenAPI: unknown error slug ${slug}`);
    const name = errorName(kind.status);
    const slugs = (responses[name] ??= { status: kind.status, slugs: new Set() }).slugs;
    if (inherited.includes(slug)) slugs.add(slug);
    operation.responses[kind.status] ??= { $ref: `#/components/responses/${name}` } as never;
  }
}

/** Statuses and slugs of the shared error responses, by name. */
type ErrorResponses = Record<string, { readonly status: number; readonly slugs: Set<string> }>;

/** The components of the views that operations name, and of those that these views name. */
function viewSchemas(document: OpenAPIObject, more: readonly View[] = []): Record<string, Schema> {
  const names = JSON.stringify(document.paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const named = [...names].map(([, name]) => viewNamed(name!)).filter((view) => view !== undefined);
  const all = [...named, ...more].flatMap(({ views }) => views);
  return Object.fromEntries(all.map(({ name, component }) => [name, component]));
}
