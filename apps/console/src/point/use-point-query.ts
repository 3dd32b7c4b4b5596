import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Past, type Reads, readsAt } from '../api/drive.js';
import { useDrive } from '../session/session-context.js';
import { useDriveQuery } from '../session/use-drive-query.js';
import { usePoint } from './point-context.js';
import { READ_NOW_EVERY_MS } from './use-reads-again.js';
import { timePoint } from './view.js';

/** How long an answer is not read again, ms; one of the past never is. */
export function staleTimeAt(at: string | null): number {
  return at === null ? 30_000 : Infinity;
}

/** Options of a query of what the chosen person saw at the point; what a person sees now also changes without an event. */
export function viewOptions({ at, as_user }: Past) {
  return {
    staleTime: staleTimeAt(at),
    refetchInterval: at === null && as_user !== null && READ_NOW_EVERY_MS,
  };
}

/** How long an answer of the past that no page shows is kept, ms: each step has its own. */
const KEPT_PAST_MS = 30_000;

/** Options of a query whose answer about now also changes without an event: grants begin and expire. */
export function readAgainOptions(at: string | null) {
  return {
    staleTime: at === null ? 0 : Infinity,
    refetchInterval: at === null && READ_NOW_EVERY_MS,
  };
}

/**
 * Opens the organization at the point, as the chosen person saw it. What somebody sees now is what they see at the
 * server's time, not at the last event: grants begin and expire without one.
 */
export function useReads(): () => Promise<Reads> {
  const drive = useDrive();
  const { past } = usePoint();
  const queries = useQueryClient();
  return useCallback(async () => {
    const { at, as_user } = past;
    if (at !== null || as_user === null) return readsAt(drive, past);
    // Queries that begin together share the time.
    const { at_ms } = await queries.fetchQuery({
      queryKey: [drive.drive_id, 'server_time'],
      queryFn: () => drive.organization.replay({ hash: false }),
      staleTime: 0,
    });
    return readsAt(drive, { at: timePoint(at_ms), as_user });
  }, [drive, past, queries]);
}

/**
 * A query at the point, as the chosen person saw it. Only the answer for the same record at another point may stand in
 * for the answer.
 * @param key kind of the query, id of the record, and the rest of the request
 */
export function usePointQuery<Answer>(
  key: readonly [kind: string, id: string, ...rest: unknown[]],
  read: (reads: Reads, options: { readonly signal: AbortSignal }) => Promise<Answer>,
  is_wanted = true,
) {
  const { past } = usePoint();
  const reads = useReads();
  return useDriveQuery([...key, past], async (_, options) => read(await reads(), options), {
    enabled: is_wanted,
    placeholderData: <T>(previous: T, query?: { readonly queryKey: QueryKey }) =>
      query?.queryKey[2] === key[1] ? previous : undefined,
    ...viewOptions(past),
    ...(past.at !== null && { gcTime: KEPT_PAST_MS }),
  });
}
