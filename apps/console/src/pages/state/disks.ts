import { usePointQuery } from '../../point/use-point-query.js';

export function useDisks() {
  return usePointQuery(['disks', 'all'], (reads, options) =>
    reads.disks.list({ page_size: 1000 }, options),
  );
}
