import { get, LoadClient } from '../harness/load.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { startBare, startService } from '../harness/servers.js';
import { median } from '../harness/statistics.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { manyDrivesOrder } from '../seed/orders.js';
import { groupId } from '../seed/plans.js';

/** From starting the process to its first answer, with many drives in the store. */
export const row: Row = {
  name: 'start',
  async run(bench): Promise<readonly Line[]> {
    const order = manyDrivesOrder(bench);
    const seeded = await dataset(order, bench);
    const folder = await copyOf(seeded, bench);
    const rounds = bench.is_quick ? 2 : 5;
    const bare_s: number[] = [];
    const ready_s: number[] = [];
    const first_ms: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const started_bare = performance.now();
      const bare = await startBare();
      bare_s.push((performance.now() - started_bare) / 1000);
      await bare.stop();
      const started = performance.now();
      const service = await startService(bench, folder);
      ready_s.push((performance.now() - started) / 1000);
      const client = await LoadClient.connect(service.port, 1);
      const asked = performance.now();
      const { drive_id, owner } = seeded;
      await client.ask(get(`/v1/drive/${drive_id}/groups/get/${groupId(0)}`, owner.token));
      first_ms.push(performance.now() - asked);
      client.close();
      await service.stop();
    }
    const events = show(order.drives * order.events_each);
    return [
      {
        what: `start with ${show(order.drives)} drives and ${events} events, to listening`,
        target: '≤ 3 s',
        measured: `${show(median(ready_s))} s; first answer of a cold drive ${show(median(first_ms))} ms later`,
        reference: `bare Nest process ${show(median(bare_s))} s`,
        holds: median(ready_s) <= 3,
        figures: { ready_s: median(ready_s), bare_s: median(bare_s), first_ms: median(first_ms) },
      },
    ];
  },
};
