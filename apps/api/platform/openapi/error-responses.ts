import type { ErrorCatalogue } from '../errors.js';
import type { Schema } from '../requests/rule.js';
import { ERROR_TYPES, type OperationResponse } from './document.js';

const schemaRef = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const headerRef = (name: string): object => ({ $ref: `#/components/headers/${name}` });

/** Response header of errors by status. */
const HEADER_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** The response of an operation that may fail with these slugs, which all have this status. */
export function errorResponse(status: number, slugs: readonly string[]): OperationResponse {
  const header = HEADER_OF_STATUS[status];
  return {
    description: slugs.map((slug) => `\`${slug}\``).join(', '),
    ...(header && { headers: { [header]: headerRef(header) } }),
    content: {
      'application/json': { schema: schemaRef('ErrorEnvelope') },
      'application/problem+json': { schema: schemaRef('Problem') },
    },
    [ERROR_TYPES]: slugs,
  };
}

/** Schemas of errors. */
export function errorSchemas(catalogue: ErrorCatalogue): Record<string, Schema> {
  const details = { type: 'array', items: schemaRef('ErrorDetail') };
  const request_id = { type: 'string' };
  const slugs = Object.keys(catalogue).toSorted();
  return {
    ErrorType: {
      type: 'string',
      description: 'Stable slug of the error. The responses of an operation list its slugs.',
      enum: slugs,
      'x-enumDescriptions': Object.fromEntries(slugs.map((slug) => [slug, catalogue[slug]!.title])),
    },
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
