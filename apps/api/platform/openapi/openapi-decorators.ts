import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Class, Schema } from '../requests/rule.js';

/** Where @nestjs/swagger keeps the extensions of a handler. */
const API_EXTENSIONS = 'swagger/apiExtension';

/** Marks of an operation until `buildOpenApi` turns them into its answers. */
export const ERRORS_MARK = 'x-errors';
export const OPEN_MARK = 'x-open';
export const NEVER_MARK = 'x-never';
export const READ_MARK = 'x-read';
export const COMMAND_MARK = 'x-command';
export const UNLIMITED_MARK = 'x-unlimited';

/** What stands under `data`: a record, one of several kinds of record, a page of records, or a schema written out. */
export type DataShape =
  | Class
  | { readonly either: readonly Class[] }
  | { readonly list: Class; /** Members beside those of a page. */ readonly beside?: Class }
  | { readonly schema: Schema };

/** Documents the 200 answer: `{"ok":{"data": …}}`. */
export function ApiData(shape: DataShape, description = 'Success'): MethodDecorator {
  const models = modelsOf(shape);
  const envelope = object({ ok: object({ data: schemaOf(shape) }) });
  return applyDecorators(
    ...(models.length > 0 ? [ApiExtraModels(...models)] : []),
    ApiResponse({ status: 200, description, schema: envelope }),
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

/** A POST that stores nothing. */
export function ApiRead(): MethodDecorator {
  return ApiExtension(READ_MARK, true);
}

/** An operation that reads or stores, depending on its body. */
export function ApiCommandToo(): MethodDecorator {
  return ApiExtension(COMMAND_MARK, true);
}

function modelsOf(shape: DataShape): Class[] {
  if (typeof shape === 'function') return [shape];
  if ('either' in shape) return [...shape.either];
  if (!('list' in shape)) return [];
  return shape.beside ? [shape.list, shape.beside] : [shape.list];
}

function schemaOf(shape: DataShape): Schema {
  if (typeof shape === 'function') return { $ref: getSchemaPath(shape) };
  if ('either' in shape)
    return { anyOf: shape.either.map((record) => ({ $ref: getSchemaPath(record) })) };
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
