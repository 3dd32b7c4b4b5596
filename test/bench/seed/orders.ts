import type { Bench } from '../harness/row.js';
import type { Order } from './datasets.js';

const SEED = 20_250_101;

/** A drive of 100,000 groups; its member sees a tenth. */
export function manyGroupsOrder({ is_quick }: Pick<Bench, 'is_quick'>) {
  const groups = is_quick ? 20_000 : 100_000;
  return { plan: 'groups', seed: SEED, groups, member_every: 10 } as const satisfies Order;
}

/** A drive of a million events and about 50,000 live records. */
export function longDriveOrder({ is_quick }: Pick<Bench, 'is_quick'>) {
  const size = is_quick ? { records: 10_000, events: 100_000 } : { records: 50_000, events: 1e6 };
  return { plan: 'mixed', seed: SEED, ...size } as const satisfies Order;
}

/** The same with four times as many live records. */
export function wideDriveOrder({ is_quick }: Pick<Bench, 'is_quick'>) {
  const size = is_quick ? { records: 40_000, events: 100_000 } : { records: 200_000, events: 1e6 };
  return { plan: 'mixed', seed: SEED, ...size, without_snapshots: true } as const satisfies Order;
}

/** A disk of 100,000 files in 10,000 folders; its member sees a tenth. */
export function treeOrder({ is_quick }: Pick<Bench, 'is_quick'>) {
  const size = is_quick ? { folders: 2_000, files: 20_000 } : { folders: 10_000, files: 100_000 };
  return { plan: 'tree', seed: SEED, ...size } as const satisfies Order;
}

/** The same in which each file expires, years from now, and has an external id. */
export function describedTreeOrder(bench: Pick<Bench, 'is_quick'>) {
  return { ...treeOrder(bench), is_described: true } as const satisfies Order;
}

/** The same with a hundredth of the files, for servers that read every one of them for every search. */
export function smallTreeOrder() {
  return { plan: 'tree', seed: SEED, folders: 100, files: 1_000 } as const satisfies Order;
}

/** Many drives, each with a few events. */
export function manyDrivesOrder({ is_quick }: Pick<Bench, 'is_quick'>) {
  const drives = is_quick ? 1_000 : 10_000;
  return { plan: 'drives', seed: SEED, drives, events_each: 20 } as const satisfies Order;
}

/** A drive of groups whose member is in all of them: three records a group. */
export function crowdOrder(groups: number) {
  return { plan: 'groups', seed: SEED, groups, member_every: 1 } as const satisfies Order;
}
