import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Reads, readsAt } from '../api/drive.js';
import { useDrive } from '../session/session-context.js';
import { usePoint } from './point-context.js';
import { timePoint } from './view.js';

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
