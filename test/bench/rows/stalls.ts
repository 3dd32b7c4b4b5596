import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { get, LoadClient, post } from '../harness/load.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { percentile } from '../harness/statistics.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';
import { groupId } from '../seed/plans.js';

/** Few and patient: they ask what live use would ask, without taking the processor from the long work. */
const CONNECTIONS = 4;
const PAUSE_MS = 5;
const MOST_RATIO = 3;
const MOST_MS = 50;
/** Time for the work behind the first write, which nothing announces the end of. */
const AFTER_WRITE_MS = 8_000;
/** How long gets go on at least: shorter work is repeated. */
const LEAST_MS = 3_000;

/** What readers of an organization feel while its whole stream or state is worked on. */
export const row: Row = {
  name: 'stalls',
  async run(bench): Promise<readonly Line[]> {
    const order = longDriveOrder(bench);
    const seeded = await dataset(order, bench);
    const { drive_id, owner } = seeded;
    const folder = await copyOf(seeded, bench);
    // The first write then makes a snapshot of the whole state.
    await rm(join(folder, 'snapshots.db'), { force: true });
    const service = await startService(bench, folder);
    const caller = await LoadClient.connect(service.port, 1);
    const live = await LoadClient.connect(service.port, CONNECTIONS);
    const random = new Random(7);
    const below = `/v1/drive/${drive_id}`;
    const anyGroup = (): string => groupId(random.below(order.records / 10));
    const load = {
      next: () => get(`${below}/groups/get/${anyGroup()}`, owner.token),
      pause_ms: PAUSE_MS,
    };
    const ask = async (path: string, body: object): Promise<void> => {
      await caller.ask(post(`${below}/${path}`, JSON.stringify(body), owner.token));
    };
    const firstWrite = async (): Promise<void> => {
      await ask('groups/update', { id: anyGroup(), public_note: random.text(20) });
      await new Promise((resolve) => setTimeout(resolve, AFTER_WRITE_MS));
    };
    const works: readonly (readonly [string, () => Promise<void>])[] = [
      ['snapshot, tiles and index after the first write', firstWrite],
      ['verify', () => ask('organization/verify', {})],
      ['verified replay', () => ask('organization/replay', { verify: true })],
      [
        'replay to a point halfway',
        () => ask('organization/replay', { revision: Math.floor(seeded.events / 2) }),
      ],
      ['reindex', () => ask('organization/reindex', {})],
    ];
    try {
      bench.progress('loading the drive');
      await live.run({ ...load, duration_ms: LEAST_MS });
      const quiet = await live.run({ ...load, duration_ms: LEAST_MS });
      await service.stretch();
      const lines: Line[] = [];
      for (const [what, work] of works) {
        bench.progress(what);
        const done = new AbortController();
        const running = live.run({ ...load, duration_ms: 600_000, until: done.signal });
        const began = performance.now();
        let times = 0;
        // A first write comes once.
        do {
          await work();
          times++;
        } while (work !== firstWrite && performance.now() - began < LEAST_MS);
        const seconds = (performance.now() - began) / 1000 / times;
        done.abort();
        const { latencies_ms, p50_ms, p99_ms } = await running;
        const { longest_cpu_ms, longest_ms } = await service.stretch();
        const ratio = p99_ms / quiet.p99_ms;
        lines.push({
          what: `get by id during ${what}, ${show(seeded.events)} events`,
          target: `p99 ≤ ${MOST_RATIO} × idle; longest stretch of the thread ≤ ${MOST_MS} ms`,
          measured:
            `${show(ratio)} ×: p50 ${show(p50_ms)} ms, p99 ${show(p99_ms)} ms, longest ` +
            `${show(percentile(latencies_ms, 1))} ms; stretch ${show(longest_cpu_ms)} ms`,
          reference: `idle p99 ${show(quiet.p99_ms)} ms; took ${show(seconds)} s; stretch by the clock ${show(longest_ms)} ms`,
          holds: ratio <= MOST_RATIO && longest_cpu_ms <= MOST_MS,
          figures: { ratio, p99_ms, idle_p99_ms: quiet.p99_ms, longest_cpu_ms, seconds },
        });
      }
      return lines;
    } finally {
      live.close();
      caller.close();
      await service.stop();
    }
  },
};
