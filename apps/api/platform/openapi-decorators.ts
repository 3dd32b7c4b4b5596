import { applyDecorators } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Class, Schema } from './rule.js';

/** Where @nestjs/swagger keeps the extensions of a handler. */
const API_EXTENSIONS = 'swagger/apiExtension';

/** Marks of an operation until `buildOpenApi` turns them into its answers. */
export const ERRORS_MARK = 'x-errors';
export const OPEN_MARK = 'x-open';
export const NEVER_MARK = 'x-never';

/** What stands under `data`: a record, a page of records, or a schema written out. */
export type DataShape =
  | Class
  | { readonly list: Class; /** Members beside those of a page. */ readonly beside?: Class }
  | { readonly schema: Schema };

/** Documents the 200 answer: `{"ok":{"data": …}}` with the headers of drive operations. */
export function ApiData(shape: DataShape, description = 'Success'): MethodDecorator {
  const models = modelsOf(shape);
  const envelope = object({ ok: object({ data: schemaOf(shape) }) });
  return applyDecorators(
    ...(models.length > 0 ? [ApiExtraModels(...models)] : []),
    ApiResponse({
      status: 200,
      description,
      schema: envelope,
      headers: {
        'Drive-Revision': {
          description: 'The answer reflects the stream at least up to this revision',
          schema: { type: 'integer' },
        },
      },
    }),
  ) as MethodDecorator;
}

/** Documents error answers by their slugs, grouped by status; several of these add up. */
export function ApiErrors(...slugs: string[]): MethodDecorator {
  return (target, name, descriptor) => {
    const handler = descriptor.value as object;
    const extensions = Reflect.getMetadata(API_EXTENSIONS, handler) as
      Record<string, unknown> | undefined;
    const known = (extensions?.[ERRORS_MARK] ?? []) as readonly string[];
    const mark = ApiExtension(ERRORS_MARK, [...new Set([...known, ...slugs])]);
    return mark(target, name, descriptor);
  };
}

/** The operation never succeeds: it answers with this error at best. */
export function ApiNever(slug: string): MethodDecorator {
  return applyDecorators(ApiExtension(NEVER_MARK, true), ApiErrors(slug)) as MethodDecorator;
}

/** The operation needs no token. */
export function ApiOpen(): MethodDecorator {
  return ApiExtension(OPEN_MARK, true);
}

const header = (name: string, description: string): MethodDecorator & ClassDecorator =>
  ApiHeader({ name, description, required: false, schema: { type: 'string' } });

const REQUEST_ID = header('X-Request-Id', '1–128 visible ASCII characters, echoed on the answer');

/** Request headers of reads. */
export function ApiReadHeaders(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    REQUEST_ID,
    header('Min-Drive-Revision', 'The answer must be no older than this revision'),
    header('If-None-Match', 'ETag of a single record: 304 if it is still the same'),
  );
}

/** Request headers of commands. */
export function ApiCommandHeaders(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    REQUEST_ID,
    header('Idempotency-Key', '1–255 visible ASCII characters; repeats answer the first outcome'),
    header('If-Match', 'ETag of the record: 412 if it changed since'),
    header('Dry-Run', '`true`: everything is decided, nothing is stored'),
    header('Audit-Reason', 'At most 512 characters, stored with the events'),
  );
}

function modelsOf(shape: DataShape): Class[] {
  if (typeof shape === 'function') return [shape];
  if (!('list' in shape)) return [];
  return shape.beside ? [shape.list, shape.beside] : [shape.list];
}

function schemaOf(shape: DataShape): Schema {
  if (typeof shape === 'function') return { $ref: getSchemaPath(shape) };
  if ('schema' in shape) return shape.schema;
  const cursor = { type: ['string', 'null'] };
  const page = object({
    items: { type: 'array', items: { $ref: getSchemaPath(shape.list) } },
    page_size: { type: 'integer' },
    total: { type: 'integer' },
    direction: { type: 'string', enum: ['ASC', 'DESC'] },
    cursor,
    cursor_down: cursor,
    cursor_up: cursor,
  });
  return shape.beside ? { allOf: [page, { $ref: getSchemaPath(shape.beside) }] } : page;
}

/** An object whose members are all there. */
function object(properties: Schema): Schema {
  return { type: 'object', required: Object.keys(properties), properties };
}
