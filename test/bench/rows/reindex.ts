import { get, LoadClient, post } from '../harness/load.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { wideDriveOrder } from '../seed/orders.js';
import { groupId } from '../seed/plans.js';

/** Few and patient: they ask what live use would ask, without taking the processor from the rebuild. */
const CONNECTIONS = 4;
const PAUSE_MS = 10;
const MOST_MS = 300_000;

/** Rebuilding the read models of a long drive over HTTP, and what callers feel of it meanwhile. */
export const row: Row = {
  name: 'reindex',
  async run(bench): Promise<readonly Line[]> {
    const order = wideDriveOrder(bench);
    const { drive_id, owner, ...seeded } = await dataset(order, bench);
    const folder = await copyOf({ drive_id, owner, ...seeded }, bench);
    const service = await startService(bench, folder);
    const caller = await LoadClient.connect(service.port, 1);
    // The seeded drive has no index of events yet; one in use does.
    bench.progress('waiting for the index of events');
    const one = JSON.stringify({ page_size: 1 });
    await caller.ask(post(`/v1/drive/${drive_id}/organization/history`, one, owner.token));
    const live = await LoadClient.connect(service.port, CONNECTIONS);
    try {
      const random = new Random(7);
      const groups = order.records / 10;
      const load = {
        next: () =>
          get(`/v1/drive/${drive_id}/groups/get/${groupId(random.below(groups))}`, owner.token),
        pause_ms: PAUSE_MS,
      };
      bench.progress('loading the drive');
      await live.run({ ...load, duration_ms: 3000 });
      const idle = await live.run({ ...load, duration_ms: bench.is_quick ? 3000 : 8000 });
      bench.progress('reindex');
      const done = new AbortController();
      const loaded = live.run({ ...load, duration_ms: MOST_MS, until: done.signal });
      const started = performance.now();
      await caller.ask(post(`/v1/drive/${drive_id}/organization/reindex`, '{}', owner.token));
      const seconds = (performance.now() - started) / 1000;
      done.abort();
      const busy = await loaded;
      const ratio = busy.p99_ms / idle.p99_ms;
      const records = show(order.records);
      return [
        {
          what: `reindex of ${show(order.events)} events, about ${records} records, over HTTP`,
          target: '≤ 8 s',
          measured: `${show(seconds)} s`,
          reference: '',
          holds: seconds <= 8,
          figures: { seconds },
        },
        {
          what: `get by id meanwhile, ${CONNECTIONS} connections that pause ${PAUSE_MS} ms`,
          target: 'p99 ≤ 3 × idle',
          measured: `${show(ratio)} ×: p50 ${show(busy.p50_ms)} ms, p99 ${show(busy.p99_ms)} ms`,
          reference: `idle p50 ${show(idle.p50_ms)} ms, p99 ${show(idle.p99_ms)} ms`,
          holds: ratio <= 3,
          figures: { ratio, busy_p99_ms: busy.p99_ms, idle_p99_ms: idle.p99_ms },
        },
      ];
    } finally {
      live.close();
      caller.close();
      await service.stop();
    }
  },
};
