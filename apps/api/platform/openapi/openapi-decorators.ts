import { applyDecorators } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Class, Schema } from '../requests/rule.js';

/** Extensions that mark operations; `buildOpenApi` reads and removes them. */
export const ERRORS_MARK = 'x-errors';
export const OPEN_MARK = 'x-open';
export const NEVER_MARK = 'x-never';
export const READ_MARK = 'x-read';
export const COMMAND_MARK = 'x-command';
export const UNLIMITED_MARK = 'x-unlimited';

/** Schema of `data`: a record, one of several kinds of record, a page of records, or a given schema. */
export type DataShape =
  | Class
  | { readonly either: readonly Class[] }
  | { readonly list: Class; /** Members beside those of a page. */ readonly beside?: Class }
  | { readonly schema: Schema };

/** Texts and errors of an operation. */
interface OperationText {
  readonly summary: string;
  /** Behaviour that does not follow from request and response schemas. */
  readonly description?: string;
  /** Error slugs beside those of every operation. */
  readonly errors?: readonly string[];
}

/** Documents an operation. */
export function Operation({ errors = [], ...text }: OperationText): MethodDecorator {
  return applyDecorators(ApiOperation(text), ApiExtension(ERRORS_MARK, errors)) as MethodDecorator;
}

/** Documents the 200 response: `{"ok":{"data": …}}`. */
export function ApiData(shape: DataShape, description = 'Success'): MethodDecorator {
  const models = modelsOf(shape);
  const envelope = object({ ok: object({ data: schemaOf(shape) }) });
  return applyDecorators(
    ...(models.length > 0 ? [ApiExtraModels(...models)] : []),
    ApiResponse({ status: 200, description, schema: envelope }),
  ) as MethodDecorator;
}

/** The operation always fails. */
export function ApiNever(): MethodDecorator {
  return ApiExtension(NEVER_MARK, true);
}

/** The operation needs no token. */
export function ApiOpen(): MethodDecorator {
  return ApiExtension(OPEN_MARK, true);
}

/** A POST that only reads. */
export function ApiRead(): MethodDecorator {
  return ApiExtension(READ_MARK, true);
}

/** An operation that reads or writes, depending on its body. */
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

/** An object schema with all properties required. */
function object(properties: Schema): Schema {
  return { type: 'object', required: Object.keys(properties), properties };
}
