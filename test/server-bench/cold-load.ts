import { FORWARDS, KurrentDBClient, START } from '@kurrent/kurrentdb-client';
import { streamOf } from '../../libs/engine/fold/fold.js';
import { StateLoader } from '../../libs/engine/fold/loader.js';
import { EngineSpec, Note } from '../../libs/engine/testing/engine.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import { median } from '../bench/harness/statistics.js';
import { KurrentServerProcess } from '../servers/kurrentdb/process.js';

const DRIVE = 'DriveID_bench';
const IN_FLIGHT = 256;
const NO_SNAPSHOTS = { snapshot_every_events: Infinity, snapshot_after_events: Infinity };

export interface ColdLoad {
  readonly events: number;
  /** Events a second: a load from the first event on, and one long read of the client. */
  readonly folded: number;
  readonly plain: number;
  /** Median of each round's ratio. */
  readonly ratio: number;
}

/** Loads a drive from its events alone, in turns with the plain client's one read of the same stream. */
export async function coldLoad(events: number, rounds: number): Promise<ColdLoad> {
  const server = await KurrentServerProcess.start();
  const store = await openKurrentEventStore({ url: server.url });
  const client = KurrentDBClient.connectionString(server.url);
  try {
    const { side } = await filled(new EngineSpec({ events: store, limits: NO_SNAPSHOTS }), events);
    const plain: number[] = [];
    const folded: number[] = [];
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const one = await rateOf(events, () => readAtOnce(client));
      const other = await rateOf(events, async () => {
        const loaded = await new StateLoader(store, side).load(DRIVE, { to: Infinity });
        return loaded.events_folded;
      });
      if (round === 0) continue;
      plain.push(one);
      folded.push(other);
    }
    const ratio = median(folded.map((rate, round) => rate / plain[round]!));
    return { events, folded: median(folded), plain: median(plain), ratio };
  } finally {
    await client.dispose();
    await store.close();
    await server.kill('SIGTERM');
  }
}

/** An engine with a drive of so many events, and no snapshot. */
async function filled(engine: EngineSpec, events: number): Promise<EngineSpec> {
  await engine.spawn(DRIVE);
  const payload = { note: 'a note like many others', of: { user: 'UserID_owner', nth: 0 } };
  let left = events - 1;
  const keepAsking = async (): Promise<void> => {
    while (left-- > 0) await engine.run(Note, { payload }, { drive_id: DRIVE });
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, keepAsking));
  await engine.drives.close();
  return engine;
}

async function readAtOnce(client: KurrentDBClient): Promise<number> {
  let events = 0;
  const options = { direction: FORWARDS, fromRevision: START } as const;
  for await (const { event } of client.readStream(streamOf(DRIVE), options)) if (event) events++;
  return events;
}

/** Events a second. @throws Error if it were not all */
async function rateOf(events: number, read: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  const found = await read();
  if (found !== events) throw new Error(`${found} of ${events} events were read`);
  return (events / (performance.now() - begun)) * 1000;
}
