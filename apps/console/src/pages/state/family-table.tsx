import { Text, TextInput } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { Page } from '../../api/answers.js';
import type { AnyRecord } from '../../api/records.js';
import type { Drive, Reads } from '../../api/drive.js';
import { isWhole, MOST_RECORDS, readWhole } from '../../api/whole-list.js';
import { SearchIcon } from '../../components/icons.js';
import { Paging, RecordTable, type Sort, sorted } from '../../components/record-table.js';
import { Empty, EmptyPage, Failed, Loading } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { useReads, viewOptions } from '../../point/use-point-query.js';
import {
  type PageCursors,
  useChangeView,
  usePage,
  useTypedParameter,
  useView,
} from '../../point/use-view.js';
import { pointBody } from '../../api/points.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { texts } from '../../texts.js';
import type { Family, PageRequest } from './families.js';
import { matching } from './search.js';
import styles from './state-page.module.css';

const PAGE_SIZE = 50;

/** What of a family is shown; part of the address. */
interface Wanted {
  readonly search: string;
  readonly sort: Sort;
  readonly cursors: PageCursors;
}

/** The records of a family at the point. */
export function FamilyTable({ family }: { readonly family: Family }) {
  const { params } = useView();
  const changeView = useChangeView();
  const { past, event } = usePoint();
  const { cursors, turnTo } = usePage();
  const wanted: Wanted = { search: params.get('q') ?? '', sort: params.get('sort'), cursors };
  const { data, error, refetch, isPlaceholderData } = useFamily(family, wanted);
  const is_owners_only = 'replay' in family.source;
  if (is_owners_only && past.as_user)
    return <Empty title={texts.view_as.not_listed}>{texts.view_as.not_listed_hint}</Empty>;
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  // The server sorts by creation. Lists that can be read whole are sorted here.
  const can_be_whole = data.total <= MOST_RECORDS;
  const is_searchable = can_be_whole || !searchesHere(family);
  const items = isWhole(data) ? sorted(data.items, family.columns, wanted.sort) : data.items;
  const page = searchesHere(family)
    ? matching({ ...data, items }, wanted.search)
    : { ...data, items };
  const shown = page.items;
  const changed = new Set(event?.resource_ids);
  return (
    <>
      {is_searchable && <Search />}
      {!is_searchable && wanted.search !== '' && <Search problem={texts.table.not_searched} />}
      {shown.length === 0 ? (
        <EmptyPage
          total={page.total}
          is_stale={isPlaceholderData}
          title={wanted.search ? texts.table.nothing_found : texts.table.empty}
        >
          {past.as_user ? texts.view_as.maybe_hidden : undefined}
        </EmptyPage>
      ) : (
        <>
          <RecordTable
            label={texts.families[family.key]}
            columns={can_be_whole ? family.columns : family.columns.map(unsorted)}
            rows={shown}
            keyOf={(row) => row.id}
            sort={wanted.sort}
            onSort={(sort) => changeView({ sort }, { replace: true })}
            isMarked={(row) => changed.has(row.id)}
            is_stale={isPlaceholderData}
          />
          <Paging page={page} shown={shown.length} onTurn={turnTo} />
          {!can_be_whole && (
            <Text size="xs" c="dimmed" mt={4}>
              {is_searchable
                ? texts.table.too_many_to_sort(MOST_RECORDS)
                : texts.table.too_many_to_search(MOST_RECORDS)}
            </Text>
          )}
        </>
      )}
    </>
  );
}

/** True if the server does not search this family. */
function searchesHere({ source }: Family): boolean {
  return 'replay' in source || !source.searches;
}

/** The server sorts by creation only. */
function unsorted<C extends { readonly key: string }>(column: C): C {
  return column.key === 'created_at' ? column : { ...column, order: undefined };
}

function useFamily(family: Family, wanted: Wanted) {
  const { past } = usePoint();
  const reads = useReads();
  const search = searchesHere(family) ? '' : wanted.search;
  const { sort, cursors } = wanted;
  const is_sorted_here = sort !== null && sort !== 'created_at' && sort !== '-created_at';
  const needs_all = is_sorted_here || (searchesHere(family) && wanted.search !== '');
  return useDriveQuery(
    ['family', family.key, past, search, needs_all, sort, cursors],
    async (drive, { signal }) => {
      const read = readerOf(drive, family, past.at, await reads(), search, signal);
      const direction = sort === '-created_at' ? ('DESC' as const) : ('ASC' as const);
      const page = { direction, page_size: PAGE_SIZE, ...cursors };
      const first = await read(page);
      if (isWhole(first) || !needs_all || first.total > MOST_RECORDS) return first;
      return readWhole((part) => read({ direction, ...part }));
    },
    {
      enabled: !('replay' in family.source && past.as_user),
      placeholderData: keepPreviousData,
      ...viewOptions(past),
    },
  );
}

function readerOf(
  drive: Drive,
  { source }: Family,
  at: string | null,
  reads: Reads,
  filters: string,
  signal: AbortSignal,
): (page: PageRequest) => Promise<Page<AnyRecord>> {
  if ('list' in source) {
    const search = filters === '' ? {} : { filters };
    return async (page) =>
      (await source.list(reads, { ...page, ...search }, { signal })) as unknown as Page<AnyRecord>;
  }
  const family = source.replay;
  return async (page) => {
    const body = { ...pointBody(at), ...page, include: [family], hash: false };
    const { state } = await drive.organization.replay(body, { signal });
    return state[family] as unknown as Page<AnyRecord>;
  };
}

/** @param problem why the search has no effect */
function Search({ problem }: { readonly problem?: string }) {
  const [text, type] = useTypedParameter('q');
  return (
    <TextInput
      className={styles.search!}
      type="search"
      aria-label={texts.table.search}
      placeholder={texts.table.search}
      leftSection={<SearchIcon size={16} />}
      value={text}
      error={problem}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
