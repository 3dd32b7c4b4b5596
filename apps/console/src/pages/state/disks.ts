import { readWhole } from '../../api/whole-list.js';
import { usePointQuery } from '../../point/use-point-query.js';

export function useDisks() {
  return usePointQuery(['disks', 'all'], (reads, options) =>
    readWhole((page) => reads.disks.list(page, options)),
  );
}
