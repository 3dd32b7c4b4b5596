import { usePointQuery } from '../../point/use-point-query.js';

/** The disks at the point. */
export function useDisks() {
  return usePointQuery(['disks', 'all'], (reads, options) =>
    reads.disks.list({ page_size: 1000 }, options),
  );
}
