import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { type ErrorCatalogue, PLATFORM_ERRORS, TOKEN_ERRORS } from '../errors.js';
import {
  ALIASES_MARK,
  COMMAND_MARK,
  ERRORS_MARK,
  OPEN_MARK,
  READ_MARK,
  viewNamed,
} from './openapi-decorators.js';
import { errorName, errorResponse, errorSchemas } from './error-responses.js';
import {
  ERROR_TYPES,
  type OpenApiOptions,
  type Operation,
  type OperationFacts,
  type TagGroup,
} from './document.js';
import { describeFields } from './describe-fields.js';
import { shareParts } from './shared-parts.js';
import type { View } from '../../../../libs/domain/kernel/view.js';
import type { Schema } from '../requests/rule.js';

const COMMON_ERRORS = ['request.invalid', ...TOKEN_ERRORS, 'rate.limited', 'server.failure'];

const text = (description: string): object => ({ description, schema: { type: 'string' } });

/** Response headers of refusals by a rate limit. */
const RATE_LIMIT_HEADERS = {
  RateLimit: text('Remaining requests per window: `"client";r=599;t=60`'),
  'RateLimit-Policy': text('Limit per window: `"client";q=600;w=60`'),
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
        const added = facts.errors.slice(own.length);
        const errors: ErrorsOfOperation = { own, added, common: commonErrors(path, method) };
        describe(operation, errors, facts, catalogue, responses);
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
  if (options.tag_groups) declareTags(document, options.tag_groups);
  return document;
}

/** Declares the tags of all operations; those of no group go to the group that describes others. */
function declareTags(document: OpenAPIObject, groups: readonly TagGroup[]): void {
  const listed = new Set(groups.flatMap(({ tags }) => Object.keys(tags)));
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, Operation>),
  );
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  const others = [...used.difference(listed)];
  const complete = groups.map(({ name, tags, describe_other: describeOther }) => ({
    name,
    tags: {
      ...tags,
      ...(describeOther && Object.fromEntries(others.map((tag) => [tag, describeOther(tag)]))),
    },
  }));
  document.tags = complete.flatMap(({ tags }) =>
    Object.entries(tags).map(([name, description]) => ({ name, description })),
  );
  Object.assign(document, {
    'x-tagGroups': complete.map(({ name, tags }) => ({ name, tags: Object.keys(tags) })),
  });
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
  if (required.length === 0) delete body.required;
}

/** Reads the marks of an operation and removes them from the document. */
function takeFacts(operation: Operation, method: string): OperationFacts & NeedOfToken {
  const reads = method === 'get' || operation[READ_MARK] === true;
  const facts = {
    method,
    commands: !reads || operation[COMMAND_MARK] === true,
    errors: [...(operation[ERRORS_MARK] ?? [])],
    is_open: operation[OPEN_MARK] === true,
  };
  delete operation[READ_MARK];
  delete operation[COMMAND_MARK];
  delete operation[ERRORS_MARK];
  delete operation[OPEN_MARK];
  return facts;
}

interface NeedOfToken {
  /** Needs no token. */
  readonly is_open: boolean;
}

/** Error slugs of an operation: its own, those of its headers and parameters, and those of every operation. */
interface ErrorsOfOperation {
  readonly own: readonly string[];
  readonly added: readonly string[];
  readonly common: readonly string[];
}

/**
 * Refers to the shared error responses. What may fail in every operation is the response `default`, as far as the
 * operation has no response of its own with that status.
 */
function describe(
  operation: Operation,
  { own, added, common }: ErrorsOfOperation,
  { is_open }: NeedOfToken,
  catalogue: ErrorCatalogue,
  responses: ErrorResponses,
): void {
  if (is_open) operation.security = own.includes('token.missing') ? OPTIONAL_TOKEN : [];
  // Some generated clients read a success of a media type that they do not know as `default`.
  const { content } = operation.responses['200'] ?? {};
  const is_json = content === undefined || 'application/json' in content;
  const applies = (slug: string): boolean => !(is_open && slug.startsWith('token.'));
  const inherited = [...common, ...added].filter(applies);
  const types = [...new Set(own)].filter((slug) => !inherited.includes(slug));
  if (types.length > 0) operation[ERROR_TYPES] = types;
  const statusOf = (slug: string): number => {
    const kind = catalogue[slug];
    if (!kind) throw new Error(`OpenAPI: unknown error slug ${slug}`);
    return kind.status;
  };
  const refer = (status: number | 'default', slug: string, is_own: boolean): void => {
    const name = errorName(status);
    const { slugs } = (responses[name] ??= { status, slugs: new Set() });
    if (!is_own) slugs.add(slug);
    operation.responses[status] ??= { $ref: `#/components/responses/${name}` } as never;
  };
  for (const slug of types) refer(statusOf(slug), slug, true);
  for (const slug of added.filter(applies)) refer(statusOf(slug), slug, false);
  for (const slug of common.filter(applies)) {
    const status = statusOf(slug);
    if (!is_json || status in operation.responses) refer(status, slug, false);
    if (is_json) refer('default', slug, false);
  }
}

/** Statuses and slugs of the shared error responses, by name. */
type ErrorResponses = Record<
  string,
  { readonly status: number | 'default'; readonly slugs: Set<string> }
>;

/** The components of the views that operations name, and of those that these views name. */
function viewSchemas(document: OpenAPIObject, more: readonly View[] = []): Record<string, Schema> {
  const names = JSON.stringify(document.paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const named = [...names].map(([, name]) => viewNamed(name!)).filter((view) => view !== undefined);
  const all = [...named, ...more].flatMap(({ views }) => views);
  return Object.fromEntries(all.map(({ name, component }) => [name, component]));
}
