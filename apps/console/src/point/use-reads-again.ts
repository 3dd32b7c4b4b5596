import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isDenied } from '../api/errors.js';
import { useDrive } from '../session/session-context.js';

/** How often answers about now are read again that time changes: grants begin and expire without an event. */
export const READ_NOW_EVERY_MS = 15_000;

/** Reads again what may have changed; what is of the past never does. */
export function readAgain(
  queries: QueryClient,
  drive_id: string,
  isWanted: (query: Query) => boolean = () => true,
): Promise<void> {
  return queries.invalidateQueries({
    queryKey: [drive_id],
    predicate: (query) =>
      query.observers.every(({ options }) => options.staleTime !== Infinity) && isWanted(query),
  });
}

/** A permission that is missing says so until the page is opened again. */
const isAllowed = ({ state }: Query): boolean => !isDenied(state.error);

/** Reads again regularly while the page is visible, and when it becomes visible: for callers without the live feed. */
export function useReadsAgain(): void {
  const { drive_id } = useDrive();
  const queries = useQueryClient();
  useEffect(() => {
    const read = (): void => {
      if (document.visibilityState === 'visible') void readAgain(queries, drive_id, isAllowed);
    };
    const timer = setInterval(read, READ_NOW_EVERY_MS);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [queries, drive_id]);
}
