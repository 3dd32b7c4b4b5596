import type { RecordBase } from '../domain/kernel/record.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ReadDefinition } from '../domain/foundation/reading.js';
import { isRefusal, type Refusal } from '../domain/kernel/refusal.js';
import type { Drives } from '../engine/drives/drives.js';
import type { Reads } from '../read-model/memory/state-reads.js';
import type { Clause, Document, DocumentKey, ListQuery } from '../read-model/port.js';
import { pageFrame, type PageFrame, pageRequest, type PageInput } from './cursor.js';
import { findAndShow } from './find-and-show.js';
import type { Answering, Reader } from './read-record.js';
import { JsonText, views } from './views.js';

/** A page of records as answered. */
export interface ListPage<Item> extends PageFrame {
  items: Item[];
}

export interface ListInput extends PageInput {
  readonly filters: string;
}

/** What one kind of list asks beyond the shared body. */
export interface ListConditions {
  /** All must hold. */
  readonly where?: readonly Clause[];
  /** A record also matches the filter if one of these holds (names that are joined in). */
  readonly matching?: readonly Clause[];
  /** Distinguishes lists of one family from each other, for cursors. */
  readonly scope?: string;
}

/** A page of the records of a family that the caller may see. */
export function listRecords<R extends RecordBase, View>(
  drives: Drives,
  reads: ReadDefinition<R, View>,
  reader: Reader,
  input: ListInput,
  conditions: (context: Context) => ListConditions | Refusal = () => ({}),
): Answering<JsonText<ListPage<View>>> {
  const nameOf = ({ scope = '' }: ListConditions): string =>
    `${reader.drive_id}\n${reads.family}\n${scope}`;
  let known: { readonly context: Context; readonly own: ListConditions | Refusal } | undefined;
  const ownOf = (context: Context): ListConditions | Refusal => {
    if (known?.context !== context) known = { context, own: conditions(context) };
    return known.own;
  };
  return findAndShow<ListQuestion, Document, DocumentKey, JsonText<ListPage<View>>>(
    drives,
    reader,
    {
      keeper(context, read_scope) {
        const own = ownOf(context);
        // One that nothing tells apart from others of its family has no name.
        if (isRefusal(own) || (own.where && own.scope === undefined)) return undefined;
        const { page_size, direction, cursor_up, cursor_down = input.cursor, filters } = input;
        const asked = [nameOf(own), page_size, direction, cursor_down, cursor_up, filters];
        return views.page(read_scope, context, reads, JSON.stringify(asked));
      },
      query(context, read_scope) {
        const own = ownOf(context);
        if (isRefusal(own)) return own;
        const list = nameOf(own);
        const page = pageRequest(list, input);
        if (isRefusal(page)) return page;
        return {
          list,
          query: {
            ...page,
            family: reads.family,
            visible: views.visible(read_scope, context, reads),
            ...(own.where && { where: own.where }),
            ...(input.filters && {
              filter: { text: input.filters, ...(own.matching && { or: own.matching }) },
            }),
          },
        };
      },
      find: <Key extends DocumentKey>(model: Reads<Key>, { query }: ListQuestion) =>
        model.list(reader.drive_id, query),
      inState(context, key, record) {
        const document = record(key);
        return document && reads.mayRead(context, document.record as R) ? document : null;
      },
      show(context, read_scope, found, { list, query: page }) {
        const texts = views.textsOf(read_scope, context, reads, found.items);
        const frame = JSON.stringify(pageFrame(list, page, found));
        return new JsonText<ListPage<View>>(`{"items":[${texts.join(',')}],${frame.slice(1)}`);
      },
    },
  );
}

/** A list as it is asked for, and the name its cursors are tied to. */
interface ListQuestion {
  readonly list: string;
  readonly query: ListQuery;
}
