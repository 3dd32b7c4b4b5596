import { STATUS_CODES } from 'node:http';
import type { ErrorCatalogue } from '../errors.js';
import type { Schema } from '../requests/rule.js';
import { ERROR_TYPES, type OperationResponse } from './document.js';

const schemaRef = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const headerRef = (name: string): object => ({ $ref: `#/components/headers/${name}` });

const HEADERS_OF_STATUS: Readonly<Record<string, readonly string[]>> = {
  default: ['WWW-Authenticate', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/**
 * The response with a status, or with any other status, that all operations share.
 * @param slugs of any operation that may fail so; `x-error-types` of an operation lists its own beside them
 */
export function errorResponse(
  status: number | 'default',
  slugs: readonly string[],
): OperationResponse {
  const headers = HEADERS_OF_STATUS[status] ?? [];
  const phrase =
    status === 'default' ? 'Any other error' : (STATUS_CODES[status] ?? String(status));
  const common = slugs.map((slug) => `\`${slug}\``).join(', ');
  return {
    description: common ? `${phrase}: ${common}, or x-error-types of the operation` : phrase,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((name) => [name, headerRef(name)])),
    }),
    content: {
      'application/json': { schema: schemaRef('ErrorEnvelope') },
      'application/problem+json': { schema: schemaRef('Problem') },
    },
    ...(slugs.length > 0 && { [ERROR_TYPES]: slugs }),
  };
}

/** `E404` for 404: every operation refers to several of them, so a short name saves much. */
export function errorName(status: number | 'default'): string {
  return status === 'default' ? 'Error' : `E${status}`;
}

export function errorSchemas(catalogue: ErrorCatalogue): Record<string, Schema> {
  const details = { type: 'array', items: schemaRef('ErrorDetail') };
  const request_id = { type: 'string' };
  const slugs = Object.keys(catalogue).toSorted();
  return {
    ErrorType: {
      type: 'string',
      description: 'Stable slug of the error. `x-error-types` lists the slugs of an operation.',
      enum: slugs,
      'x-enum-descriptions': slugs.map((slug) => catalogue[slug]!.title),
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
