import { Replay, type ReplayAnswer } from '../../../libs/application/replay/replay.js';
import type { SideStores } from '../../../libs/event-store/stores.js';
import { MemorySideStores } from '../../../libs/event-store/memory/index.js';
import { dataOf, openDrives } from '../harness/engine.js';
import { Child } from '../harness/process.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { percentile } from '../harness/statistics.js';
import { copyOf, dataset, openFolder } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';

interface Input {
  readonly folder: string;
  readonly drive_id: string;
  readonly digest: string;
  readonly events: number;
  readonly points: number;
  readonly cold: number;
}

/** Milliseconds of each replay, by kind. */
interface Result {
  readonly warm: readonly number[];
  readonly near: readonly number[];
  readonly cold: readonly number[];
  readonly cold_verified: readonly number[];
}

/** Replays of a drive of a million events to points anywhere in its past, with their state hash. */
export const row: Row = {
  name: 'replay',
  async run(bench): Promise<readonly Line[]> {
    const seeded = await dataset(longDriveOrder(bench), bench);
    const input: Input = {
      folder: await copyOf(seeded, bench),
      drive_id: seeded.drive_id,
      digest: seeded.owner.digest,
      events: seeded.events,
      points: 20,
      cold: bench.is_quick ? 1 : 3,
    };
    const found = await Child.inside<Result>('rows/replay', input, bench);
    const events = show(seeded.events);
    return [
      line(`replay ${events} events to 20 random points, snapshots there`, found.warm, 0.95, 400),
      line('the same to points within 500 events after a snapshot', found.near, 0.95, 200),
      line(`replay ${events} events to the last but one, no snapshots`, found.cold, 0.5, 3500),
      line('the same with every hash verified', found.cold_verified, 0.5, 6500),
    ];
  },
};

function line(what: string, taken: readonly number[], share: number, most_ms: number): Line {
  const p50_ms = percentile(taken, 0.5);
  const p95_ms = percentile(taken, 0.95);
  const name = share === 0.95 ? 'p95 ' : '';
  return {
    what,
    target: `${name}≤ ${show(most_ms)} ms`,
    measured:
      taken.length > 5
        ? `p50 ${show(p50_ms)} ms, p95 ${show(p95_ms)} ms`
        : `${show(p50_ms)} ms (${taken.length} times)`,
    reference: '',
    holds: percentile(taken, share) <= most_ms,
    figures: { p50_ms, p95_ms, most_ms: Math.max(...taken) },
  };
}

export async function inside(
  { folder, drive_id, digest, events, points, cold }: Input,
  progress: (text: string) => void,
): Promise<Result> {
  const stores = openFolder(folder);
  const random = new Random(11);
  const measure = async (
    side: SideStores,
    revisions: readonly number[],
    verify: boolean,
  ): Promise<number[]> => {
    const needs_snapshot = side === stores.side;
    const drives = openDrives({ events: stores.events, side });
    const reader = { drive_id, credential: { kind: 'api_key', digest } } as const;
    await drives.open(drive_id);
    const taken: number[] = [];
    for (const revision of revisions) {
      // Else a point asked for again, or one close to it, would be there already.
      drives.past_states.forget(drive_id);
      globalThis.gc?.();
      const started = performance.now();
      const answer = dataOf(
        await Replay.answer(drives, reader, {
          revision,
          include: [],
          verify,
          hash: true,
          page_size: 50,
          direction: 'ASC',
        }),
      ) as ReplayAnswer;
      taken.push(performance.now() - started);
      if (needs_snapshot && answer.snapshot_revision === null)
        throw new Error('seeded snapshots cannot be read by this code: remove the seeded data');
      progress(
        `replay to ${revision}: ${taken.at(-1)!.toFixed(0)} ms, ${answer.events_folded} events folded`,
      );
    }
    await drives.close();
    return taken;
  };
  // From the first snapshot on: before it there is none to start from.
  const [first] = await stores.side.snapshots.list(drive_id);
  const anywhere = Array.from(
    { length: points },
    () => first!.revision + 1 + random.below(events - first!.revision - 2),
  );
  const placed = await stores.side.snapshots.list(drive_id);
  const close = Array.from(
    { length: points },
    () => random.pick(placed).revision + 1 + random.below(499),
  ).filter((revision) => revision < events);
  const { keys, presence, nonces, tiles, index, expiries, jobs } = stores.side;
  const { snapshots } = new MemorySideStores();
  const beside = { keys, presence, nonces, tiles, index, expiries, jobs };
  const without = { ...beside, snapshots, close: async () => {} };
  const last = Array.from({ length: cold }, () => events - 2);
  const result = {
    warm: await measure(stores.side, anywhere, false),
    near: await measure(stores.side, close, false),
    cold: await measure(without, last, false),
    cold_verified: await measure(without, last, true),
  };
  await stores.close();
  return result;
}
