import { BODY_EXAMPLES } from './body-examples.js';
import { FIELD_DESCRIPTIONS } from './field-descriptions.js';
import { DELIVERY_VIEWS, webhookDocuments } from './webhooks/webhook-documents.js';
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SigningKey } from '../../libs/application/proofs/digest.js';
import { dryRunView } from '../../libs/application/replay/dry-run.js';
import { ApiModule, type ServiceParts } from './api-module.js';
import { UNAVAILABLE } from './drive/drive-api.js';
import { INTRODUCTION } from './introduction.js';
import { addHeaders, RESPONSE_HEADERS } from './operation-headers.js';
import { TOKEN_ERRORS } from './platform/errors.js';
import { buildOpenApi } from './platform/openapi/openapi.js';
import type { OpenApiOptions } from './platform/openapi/document.js';
import { loadSettings } from './platform/settings/settings.js';
import { SERVICE_ERRORS } from './refusals.js';
import { TAG_GROUPS } from './tag-groups.js';
import { LICENCE, VERSION } from './version.js';

/** Contents of the OpenAPI document beside the operations. */
export const OPENAPI: OpenApiOptions = {
  title: 'Drive Workspace Service',
  description: INTRODUCTION,
  version: VERSION,
  licence: LICENCE,
  tag_groups: TAG_GROUPS,
  errors: { ...SERVICE_ERRORS, ...unavailableErrors() },
  common_errors: commonErrors,
  complete: addHeaders,
  headers: RESPONSE_HEADERS,
  body_examples: BODY_EXAMPLES,
  field_descriptions: FIELD_DESCRIPTIONS,
  webhooks: webhookDocuments(),
  views: [dryRunView, ...DELIVERY_VIEWS],
};

/** The OpenAPI document, made without stores and without a port: Nest creates no provider and no controller. */
export async function openApiDocument(): Promise<OpenAPIObject> {
  const settings = loadSettings({});
  const parts = { signing_key: new SigningKey(randomBytes(32)) } as ServiceParts;
  const app = await NestFactory.create(ApiModule.of(settings, parts), new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return buildOpenApi(app, OPENAPI);
}

function unavailableErrors(): Record<string, { status: number; title: string }> {
  return Object.fromEntries(
    Object.values(UNAVAILABLE).map(({ type, title }) => [type, { status: 503, title }]),
  );
}

/** Errors of an operation beside its own, by path and method. */
function commonErrors(path: string, method: string): readonly string[] {
  if (!path.startsWith('/v1/')) return ['server.failure'];
  const errors = [
    'request.invalid',
    'request.invalid-header',
    ...TOKEN_ERRORS,
    'rate.limited',
    'server.failure',
  ];
  if (method === 'post')
    errors.push('request.malformed-json', 'request.media-type', 'request.too-large');
  if (path.includes('{organization_id}'))
    errors.push('organization.malformed-id', 'organization.not-found');
  return [...errors, ...Object.values(UNAVAILABLE).map(({ type }) => type)];
}
