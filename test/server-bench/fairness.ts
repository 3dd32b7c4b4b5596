import { EngineSpec, Note, PEER } from '../../libs/engine/testing/engine.js';
import type { EventStore } from '../../libs/event-store/port.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import { percentile } from '../bench/harness/statistics.js';
import { KurrentServerProcess } from '../servers/kurrentdb/process.js';

const WRITERS = 16;
const DRIVE = 'DriveID_bench';

export interface Fairness {
  /** Of the commands of both engines together. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
  /** Commands of each engine. */
  readonly answered: readonly [number, number];
  /** Commands answered 503 since others were faster each time. */
  readonly given_up: number;
}

/** Two engines with a client of their own each, and 16 writers each, on one organization. */
export async function fairness(duration_ms: number): Promise<Fairness> {
  const server = await KurrentServerProcess.start();
  const stores: EventStore[] = [];
  const engines: EngineSpec[] = [];
  try {
    for (let nth = 0; nth < 2; nth++) {
      const events = await openKurrentEventStore({ url: server.url });
      stores.push(events);
      const side = engines[0] && { side: engines[0].side };
      const engine = new EngineSpec({ events, role: PEER, ...side });
      await engine.drives.start();
      engines.push(engine);
    }
    await engines[0]!.spawn(DRIVE);
    return await measure(engines, duration_ms);
  } finally {
    for (const engine of engines) await engine.drives.close();
    for (const store of stores) await store.close();
    await server.kill('SIGTERM');
  }
}

async function measure(engines: readonly EngineSpec[], duration_ms: number): Promise<Fairness> {
  const begun = performance.now();
  const took_ms: number[] = [];
  const answered: [number, number] = [0, 0];
  let given_up = 0;
  const keepAsking = async (engine: EngineSpec, nth: number): Promise<void> => {
    while (performance.now() - begun < duration_ms) {
      const asked = performance.now();
      const is_done = await engine.run(Note, { payload: 'a note' }, { drive_id: DRIVE }).then(
        () => true,
        () => false,
      );
      took_ms.push(performance.now() - asked);
      if (is_done) answered[nth]! += 1;
      else given_up += 1;
    }
  };
  await Promise.all(
    engines.flatMap((engine, nth) =>
      Array.from({ length: WRITERS }, () => keepAsking(engine, nth)),
    ),
  );
  return {
    p50_ms: percentile(took_ms, 0.5),
    p99_ms: percentile(took_ms, 0.99),
    longest_ms: percentile(took_ms, 1),
    answered,
    given_up,
  };
}
