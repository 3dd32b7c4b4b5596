import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '../api/answers.js';
import { readAgainOptions } from '../point/use-point-query.js';
import { useChangeView, useView } from '../point/use-view.js';
import { useDrive } from '../session/session-context.js';
import { type Column, Paging, RecordTable } from './record-table.js';
import { EmptyPage, Failed, Loading } from './states.js';

const PAGE_SIZE = 50;

export interface PageRequest {
  readonly page_size: number;
  readonly cursor_down: string | null;
  readonly cursor_up: string | null;
}

interface PagedTableProps<R> {
  /** Says what the table lists. */
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string;
  /** Names the list; with the page it is the key of the query. */
  readonly query: readonly unknown[];
  readonly read: (page: PageRequest, options: { readonly signal: AbortSignal }) => Promise<Page<R>>;
  /** Title if there is nothing. */
  readonly empty: string;
  /** Parameters of the address that hold the cursors. */
  readonly cursors?: readonly [down: string, up: string];
}

/** A list that the server gives in pages, the same for every person; the page is in the address. */
export function PagedTable<R>(props: PagedTableProps<R>) {
  const { label, columns, keyOf, query, read, empty, cursors = ['down', 'up'] } = props;
  const drive = useDrive();
  const { at, params } = useView();
  const changeView = useChangeView();
  const [down, up] = cursors;
  const [cursor_down, cursor_up] = [params.get(down), params.get(up)];
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [drive.drive_id, ...query, cursor_down, cursor_up],
    queryFn: (options) => read({ page_size: PAGE_SIZE, cursor_down, cursor_up }, options),
    placeholderData: keepPreviousData,
    ...readAgainOptions(at),
  });
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const { total, items, cursor_down: next, cursor_up: previous } = data;
  if (items.length === 0) return <EmptyPage total={total} title={empty} />;
  return (
    <>
      <RecordTable
        label={label}
        columns={columns}
        rows={items}
        keyOf={keyOf}
        is_stale={isPlaceholderData}
      />
      <Paging
        total={total}
        shown={items.length}
        onPrevious={previous ? () => changeView({ [up]: previous, [down]: null }) : null}
        onNext={next ? () => changeView({ [down]: next, [up]: null }) : null}
      />
    </>
  );
}
