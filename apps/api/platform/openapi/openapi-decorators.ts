import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';
import {
  inline,
  integer,
  listOf,
  nullable,
  oneOf,
  type Shape,
  text,
  type View,
  view,
} from '../../../../libs/domain/kernel/view.js';

/** Extensions that mark operations; `buildOpenApi` reads and removes them. */
export const ERRORS_MARK = 'x-errors';
export const OPEN_MARK = 'x-open';
export const READ_MARK = 'x-read';
export const COMMAND_MARK = 'x-command';
export const ALIASES_MARK = 'x-aliases';

/** Texts and errors of an operation in the document, beside its body and response. */
export interface OperationText {
  /** Operation id: verb and noun, such as `createGroup`; clients name their functions after it. */
  readonly id: string;
  /** Operation ids of further paths of the route, by the last segment of the path. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Behaviour that does not follow from request and response schemas. */
  readonly description?: string;
  /** Error slugs beside those of every operation. */
  readonly errors?: readonly string[];
}

export function Operation({
  id,
  aliases = {},
  errors = [],
  ...texts
}: OperationText): MethodDecorator {
  return applyDecorators(
    ApiOperation({ operationId: id, ...texts }),
    ApiExtension(ERRORS_MARK, errors),
    ApiExtension(ALIASES_MARK, aliases),
  ) as MethodDecorator;
}

/** Views in the responses of operations, by name. */
const VIEWS = new Map<string, View>();

/** The view with a name; undefined if no response contains it. */
export function viewNamed(name: string): View | undefined {
  return VIEWS.get(name);
}

/** Documents the response 200: `{"ok":{"data": …}}`. */
export function ApiData(shape: Shape, description?: string): MethodDecorator {
  return ApiRawResponse(inline({ ok: inline({ data: shape }) }), { description });
}

/** Documents the response 200 as `ApiData`, and as the last message of an event stream. */
export function ApiDataOrEvents(shape: Shape, description: string): MethodDecorator {
  const json = inline({ ok: inline({ data: shape }) });
  remember(json.views);
  const content = {
    'application/json': { schema: json.schema as object },
    'text/event-stream': { schema: { type: 'string' } },
  };
  return ApiResponse({ status: 200, description, content });
}

/** Documents a response without the envelope. */
export function ApiRawResponse(
  { schema, views }: Shape,
  { status = 200, description = 'Success' }: { status?: number; description?: string | undefined },
): MethodDecorator {
  remember(views);
  return ApiResponse({ status, description, schema: schema as object });
}

function remember(views: readonly View[]): void {
  for (const shown of views) {
    if ((VIEWS.get(shown.name) ?? shown) !== shown)
      throw new Error(`OpenAPI: two views have the name ${shown.name}`);
    VIEWS.set(shown.name, shown);
  }
}

export function both(one: Shape, other: Shape): Shape {
  const parts = [one, other].flatMap(({ schema }) => schema['allOf'] ?? [schema]);
  return { schema: { allOf: parts }, views: [...one.views, ...other.views] };
}

const cursor = nullable(text());
const pageFrameView = view('PageFrame', {
  page_size: integer(),
  total: integer(),
  direction: oneOf(['ASC', 'DESC']),
  cursor,
  cursor_down: cursor,
  cursor_up: cursor,
});

/** A page of a list. @param beside additional members of the page */
export function page(of: Shape, beside?: Shape): Shape {
  const rows = both(pageFrameView, inline({ items: listOf(of) }));
  return beside ? both(rows, beside) : rows;
}

/** The operation needs no token. */
export function ApiNoToken(): MethodDecorator {
  return ApiExtension(OPEN_MARK, true);
}

/** A POST that only reads. */
export function ApiRead(): MethodDecorator {
  return ApiExtension(READ_MARK, true);
}

/** An operation that reads or writes, depending on its body. */
export function ApiReadOrCommand(): MethodDecorator {
  return ApiExtension(COMMAND_MARK, true);
}
