import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePoint } from '../../point/point-context.js';
import { useReads } from '../../point/use-reads.js';
import { useDrive } from '../../session/session-context.js';

/** The disks at the point. */
export function useDisks() {
  const drive = useDrive();
  const { past } = usePoint();
  const reads = useReads();
  return useQuery({
    queryKey: [drive.drive_id, 'disks', past],
    queryFn: ({ signal }) => reads.disks.list({ page_size: 1000 }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: past.at === null ? 30_000 : Infinity,
  });
}
