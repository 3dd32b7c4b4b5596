import { DEFAULT_LIMITS } from '../../libs/engine/drives/limits.js';
import { EngineSpec, Note } from '../../libs/engine/testing/engine.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import { median } from '../bench/harness/statistics.js';
import { KurrentServerProcess } from '../servers/kurrentdb/process.js';

const IN_FLIGHT = 64;
const ROUND_MS = 1500;
const ROUNDS = 3;
const DRIVE = 'DriveID_bench';

export interface GroupCommit {
  /** Commands a second with group commit, and with one append per command. */
  readonly grouped: number;
  readonly one_by_one: number;
}

/** Commands on one drive with so many in flight, rounds of both ways in turns. */
export async function groupCommit(): Promise<GroupCommit> {
  const server = await KurrentServerProcess.start();
  try {
    const rates = { grouped: [] as number[], one_by_one: [] as number[] };
    for (let round = 0; round < ROUNDS; round++)
      for (const [way, batch_max_commands] of [
        ['grouped', DEFAULT_LIMITS.batch_max_commands],
        ['one_by_one', 1],
      ] as const)
        rates[way].push(await rateOf(server.url, `${DRIVE}-${round}-${way}`, batch_max_commands));
    return { grouped: median(rates.grouped), one_by_one: median(rates.one_by_one) };
  } finally {
    await server.kill('SIGTERM');
  }
}

async function rateOf(url: string, drive_id: string, batch_max_commands: number): Promise<number> {
  const events = await openKurrentEventStore({ url });
  const spec = new EngineSpec({ events, limits: { batch_max_commands } });
  try {
    await spec.spawn(drive_id);
    const begun = performance.now();
    let done = 0;
    const keepAsking = async (): Promise<void> => {
      for (; performance.now() - begun < ROUND_MS; done++)
        await spec.run(Note, { payload: 'a note like many others' }, { drive_id });
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, keepAsking));
    return (done / (performance.now() - begun)) * 1000;
  } finally {
    await spec.drives.close();
    await events.close();
  }
}
