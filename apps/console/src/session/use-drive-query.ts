import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Drive } from '../api/drive.js';
import { useDrive } from './session-context.js';

/**
 * A query of the organization whose pages are shown. Keys begin with its id: all answers about it are read again, or
 * forgotten, together.
 */
export function useDriveQuery<Answer>(
  key: readonly unknown[],
  read: (drive: Drive, options: { readonly signal: AbortSignal }) => Promise<Answer>,
  options: Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> = {},
) {
  const drive = useDrive();
  return useQuery({
    queryKey: [drive.drive_id, ...key],
    queryFn: ({ signal }) => read(drive, { signal }),
    ...options,
  });
}
