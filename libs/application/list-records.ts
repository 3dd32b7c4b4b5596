import type { RecordBase } from '../domain/kernel/record.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ReadDefinition } from '../domain/foundation/reading.js';
import { isRefusal, type Refusal } from '../domain/kernel/refusal.js';
import type { Drives } from '../engine/drives/drives.js';
import type {
  Clause,
  Document,
  DocumentKey,
  ListQuery,
  Position,
  Reads,
} from '../read-model/port.js';
import { type PageFrame, pageRequest, type PageInput } from './pages/cursor.js';
import { findAndShow } from './find-and-show.js';
import { shownPage } from './pages/page-of.js';
import type { Answering, Reader } from './read-record.js';
import { READ_SCHEMA } from './read-schema.js';
import { JsonText, views } from './views.js';

/** A page of records in an answer. */
export interface ListPage<Item> extends PageFrame {
  items: Item[];
}

export interface ListInput extends PageInput {
  readonly filters: string;
}

/** Conditions of one kind of list, in addition to the shared list parameters. */
export interface ListConditions {
  /** All must hold. */
  readonly where?: readonly Clause[];
  /** A record also matches the filter if one of these holds, such as a match in a joined name. */
  readonly matching?: readonly Clause[];
  /** Distinguishes the cursors of several lists of one family. */
  readonly scope?: string;
}

/** A page of the records of a family that the caller may see. */
export function listRecords<R extends RecordBase, View>(
  drives: Drives,
  reads: ReadDefinition<R, View>,
  reader: Reader,
  input: ListInput,
  conditions: (context: Context) => ListConditions | Refusal,
): Answering<JsonText<ListPage<View>>> {
  const nameOf = ({ scope = '' }: ListConditions): string =>
    `${reader.drive_id}\n${reads.family}\n${scope}`;
  let known: { readonly context: Context; readonly own: ListConditions | Refusal } | undefined;
  const ownOf = (context: Context): ListConditions | Refusal => {
    if (known?.context !== context) known = { context, own: conditions(context) };
    return known.own;
  };
  return findAndShow<NamedListQuery, Document, DocumentKey, JsonText<ListPage<View>>>(
    drives,
    reader,
    {
      cache(context, read_scope) {
        const own = ownOf(context);
        // A list with conditions but without a scope has no distinct name and cannot be cached.
        if (isRefusal(own) || (own.where && own.scope === undefined)) return undefined;
        const { page_size, direction, cursor_up, cursor_down = input.cursor, filters } = input;
        const page_key = [nameOf(own), page_size, direction, cursor_down, cursor_up, filters];
        return views.page(read_scope, context, reads, JSON.stringify(page_key));
      },
      query(context, read_scope) {
        const own = ownOf(context);
        if (isRefusal(own)) return own;
        const list = nameOf(own);
        const page = pageRequest(list, input, 'number');
        if (isRefusal(page)) return page;
        return {
          list,
          query: {
            ...page,
            family: reads.family,
            visible: views.of(read_scope, context, reads).visible(context),
            ...(own.where && { where: own.where }),
            ...(input.filters && {
              filter: { text: input.filters, ...(own.matching && { or: own.matching }) },
            }),
          },
        };
      },
      find: <Key extends DocumentKey>(model: Reads<Key>, { query }: NamedListQuery) =>
        model.list(reader.drive_id, query),
      inState(context, key, record) {
        const document = record(key);
        return document && reads.mayRead(context, document.record as R) ? document : null;
      },
      idsOf: (found, { query }) =>
        query.where || query.filter ? undefined : found.items.map(({ id }) => id),
      show(context, read_scope, found, { list, query: page }) {
        const view = views.of(read_scope, context, reads);
        const textOf = (document: Document): string => view.list(context, document).text;
        const fit = { charsOf: lengthOf };
        const { items, ...frame } = shownPage(list, page, found, positionOf, textOf, fit);
        const rest = JSON.stringify(frame).slice(1);
        return new JsonText<ListPage<View>>(`{"items":[${items.join(',')}],${rest}`);
      },
    },
  );
}

/** In the order of lists. */
export function positionOf({ family, id, record }: Document): Position {
  return { key: READ_SCHEMA[family]!.created_at(record), id };
}

const lengthOf = ({ length }: string): number => length;

/** A list query with the name that its cursors are bound to. */
interface NamedListQuery {
  readonly list: string;
  readonly query: ListQuery;
}
