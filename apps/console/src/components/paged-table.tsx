import { keepPreviousData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../api/answers.js';
import type { Drive } from '../api/drive.js';
import { readAgainOptions } from '../point/use-point-query.js';
import { type PageCursors, usePage, useView } from '../point/use-view.js';
import { useDriveQuery } from '../session/use-drive-query.js';
import { type Column, Paging, RecordTable } from './record-table.js';
import { Answered, EmptyPage } from './states.js';

const PAGE_SIZE = 50;

type PageRequest = PageCursors & { readonly page_size: number };

interface Answer<R> extends Page<R> {
  /** Given if what the list is about did not exist at the point. */
  readonly existed?: object;
}

interface PagedTableProps<R> {
  /** Says what the table lists. */
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string;
  /** Names the list; with the page it is the key of the query. */
  readonly query: readonly unknown[];
  readonly read: (
    drive: Drive,
    page: PageRequest,
    options: { readonly signal: AbortSignal },
  ) => Promise<Answer<R>>;
  /** Title if there is nothing. */
  readonly empty: string;
  /** Shown instead if what the list is about did not exist. */
  readonly not_there?: ReactNode;
  /** Parameters of the address that hold the cursors. */
  readonly cursors?: readonly [down: string, up: string];
  /** The list is of now, whatever the point is. */
  readonly of_now?: boolean;
}

/** A list that the server gives in pages, the same for every person; the page is in the address. */
export function PagedTable<R>(props: PagedTableProps<R>) {
  const { label, columns, keyOf, query: key, read, empty, not_there } = props;
  const { cursors: names = [], of_now = false } = props;
  const { at } = useView();
  const { cursors, turnTo } = usePage(...names);
  const query = useDriveQuery(
    [...key, cursors],
    (drive, options) => read(drive, { page_size: PAGE_SIZE, ...cursors }, options),
    { placeholderData: keepPreviousData, ...readAgainOptions(of_now ? null : at) },
  );
  return (
    <Answered query={query}>
      {(page) =>
        page.items.length > 0 ? (
          <>
            <RecordTable
              label={label}
              columns={columns}
              rows={page.items}
              keyOf={keyOf}
              is_stale={query.isPlaceholderData}
            />
            <Paging page={page} shown={page.items.length} onTurn={turnTo} />
          </>
        ) : page.existed && not_there && !query.isPlaceholderData ? (
          not_there
        ) : (
          <EmptyPage total={page.total} is_stale={query.isPlaceholderData} title={empty} />
        )
      }
    </Answered>
  );
}
