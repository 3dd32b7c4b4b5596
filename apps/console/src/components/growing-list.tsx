import { Button, Group, Text } from '@mantine/core';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useDrive } from '../session/session-context.js';
import { texts } from '../texts.js';
import { Failed } from './states.js';

const PAGE_SIZE = 100;

/** Page parameters of a list that only grows downwards. */
export interface NextPage {
  readonly page_size: number;
  readonly cursor_down: string | null;
}

interface Answer<R> {
  readonly items: readonly R[];
  readonly total: number;
  readonly cursor_down: string | null;
}

interface GrowingListOptions<R> {
  /** Behind the id of the organization. */
  readonly key: readonly unknown[];
  readonly read: (page: NextPage, options: { readonly signal: AbortSignal }) => Promise<Answer<R>>;
  /** True if the answer to another key may stand in. */
  readonly keepsPrevious: (key: QueryKey) => boolean;
  readonly staleTime: number;
  readonly refetchInterval: number | false;
}

/** A list that the server gives in pages; each further page is added below. */
export function useGrowingList<R>(options: GrowingListOptions<R>) {
  const { key, read, keepsPrevious, ...when } = options;
  const { drive_id } = useDrive();
  const query = useInfiniteQuery({
    queryKey: [drive_id, ...key],
    queryFn: ({ pageParam, signal }) =>
      read({ page_size: PAGE_SIZE, cursor_down: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor_down }) => cursor_down,
    placeholderData: (previous, from) =>
      from && keepsPrevious(from.queryKey) ? previous : undefined,
    ...when,
  });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  return {
    rows: data?.pages.flatMap(({ items }) => items),
    total: data?.pages.at(-1)?.total ?? 0,
    error,
    refetch,
    is_stale: query.isPlaceholderData,
    is_growing: isFetchingNextPage,
    showMore: hasNextPage ? () => void fetchNextPage() : null,
  };
}

interface MoreProps {
  readonly list: Omit<ReturnType<typeof useGrowingList>, 'rows'>;
  readonly shown: number;
  readonly text: (total: number, shown: number) => string;
}

/** How many rows there are, and a button for more of them. */
export function More({ list, shown, text }: MoreProps) {
  const { total, error, is_growing, showMore } = list;
  return (
    <>
      {error && <Failed error={error} />}
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed" role="status">
          {text(total, shown)}
        </Text>
        {showMore && (
          <Button size="xs" variant="default" loading={is_growing} onClick={showMore}>
            {texts.table.more}
          </Button>
        )}
      </Group>
    </>
  );
}
