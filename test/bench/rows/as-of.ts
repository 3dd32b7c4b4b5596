import { groupReads } from '../../../libs/domain/groups/reads.js';
import { listQuery } from '../../../libs/application/drive-query.js';
import { dataOf, openDrives } from '../harness/engine.js';
import { Child } from '../harness/process.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { median } from '../harness/statistics.js';
import { copyOf, dataset, openFolder } from '../seed/datasets.js';
import { manyGroupsOrder } from '../seed/orders.js';

const listGroups = listQuery('ListGroups', groupReads);

const MOST_FIRST_MS = 100;
const MOST_RATIO = 1.2;

interface Input {
  readonly folder: string;
  readonly drive_id: string;
  readonly digest: string;
  readonly points: number;
  readonly pages: number;
}

/** Milliseconds, medians. */
interface Result {
  readonly fold_ms: number;
  /** The first list as of a point whose state is there. */
  readonly first_ms: number;
  readonly page_ms: number;
  readonly live_page_ms: number;
  readonly ratio: number;
}

/** Lists as of past points, beside the fold to the point and the list of now. */
export const row: Row = {
  name: 'as-of',
  async run(bench): Promise<readonly Line[]> {
    const order = manyGroupsOrder(bench);
    const seeded = await dataset(order, bench);
    const input: Input = {
      folder: await copyOf(seeded, bench),
      drive_id: seeded.drive_id,
      digest: seeded.owner.digest,
      points: bench.is_quick ? 3 : 7,
      pages: 300,
    };
    const found = await Child.inside<Result>('rows/as-of', input, bench);
    const figures = { ...found };
    return [
      {
        what: `first list as of a point, of about ${show(order.groups)} groups, in the process`,
        target: `the fold + ≤ ${MOST_FIRST_MS} ms`,
        measured: `${show(found.first_ms)} ms above the fold`,
        reference: `the fold ${show(found.fold_ms)} ms`,
        holds: found.first_ms <= MOST_FIRST_MS,
        figures,
      },
      {
        what: 'further lists of 50 as of that point, in the process',
        target: `≤ ${MOST_RATIO} × the list of now`,
        measured: `${found.ratio.toFixed(2)} ×, ${show(found.page_ms)} ms`,
        reference: `list of now ${show(found.live_page_ms)} ms`,
        holds: found.ratio <= MOST_RATIO,
        figures,
      },
    ];
  },
};

export async function inside({ folder, drive_id, digest, points, pages }: Input): Promise<Result> {
  const stores = openFolder(folder);
  const drives = openDrives(stores);
  const credential = { kind: 'api_key', digest } as const;
  const page = { page_size: 50, direction: 'ASC', filters: '' } as const;
  const list = async (revision?: number): Promise<number> => {
    const past =
      revision === undefined ? {} : { past: { point: { revision }, as_user: undefined } };
    const started = performance.now();
    dataOf(await listGroups.answer(drives, { drive_id, credential, ...past }, page));
    return performance.now() - started;
  };
  const average = async (revision?: number): Promise<number> => {
    let sum_ms = 0;
    for (let at = 0; at < pages; at++) sum_ms += await list(revision);
    return sum_ms / pages;
  };
  const drive = await drives.open(drive_id);
  const { revision: head } = drive.head;
  const random = new Random(17);
  await average();
  const rounds: Record<keyof Result, number>[] = [];
  for (let point = 0; point < points; point++) {
    // Points near the end have nearly all records.
    const revision = head - 1 - random.below(Math.floor(head / 20));
    const started = performance.now();
    await drives.past_states.read(drive_id, revision, () => {});
    const fold_ms = performance.now() - started;
    const first_ms = await list(revision);
    const live_page_ms = await average();
    const page_ms = await average(revision);
    rounds.push({ fold_ms, first_ms, page_ms, live_page_ms, ratio: page_ms / live_page_ms });
  }
  await drives.close();
  await stores.close();
  const middle = (of: keyof Result): number => median(rounds.map((round) => round[of]));
  return {
    fold_ms: middle('fold_ms'),
    first_ms: middle('first_ms'),
    page_ms: middle('page_ms'),
    live_page_ms: middle('live_page_ms'),
    ratio: middle('ratio'),
  };
}
