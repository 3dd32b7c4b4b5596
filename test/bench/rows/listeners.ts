import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventFeeds } from '../../../libs/application/feed/feed.js';
import { openDrives } from '../harness/engine.js';
import { held } from '../harness/held.js';
import { Child } from '../harness/process.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { copyOf, dataset, openFolder } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';

const LISTENERS = 1_000;
const MOST_BYTES = 20_000;
const HEARTBEAT_MS = 600_000;

interface Input {
  readonly folder: string;
  readonly drive_id: string;
  readonly digest: string;
}

interface Result {
  /** Bytes a listener, without its connection. */
  readonly bytes: number;
}

/** What a listener of the live feed takes while nothing happens. */
export const row: Row = {
  name: 'listeners',
  async run(bench): Promise<readonly Line[]> {
    const { drive_id, owner, ...seeded } = await dataset(longDriveOrder(bench), bench);
    const folder = await copyOf({ drive_id, owner, ...seeded }, bench);
    const input: Input = { folder, drive_id, digest: owner.digest };
    const { bytes } = await Child.inside<Result>('rows/listeners', input, bench);
    return [
      {
        what: `memory of ${show(LISTENERS)} idle listeners of the live feed, without connections`,
        target: `≤ ${show(MOST_BYTES)} B each`,
        measured: `${show(bytes)} B each`,
        reference: '',
        holds: bytes <= MOST_BYTES,
        figures: { bytes },
      },
    ];
  },
};

export async function inside({ folder, drive_id, digest }: Input): Promise<Result> {
  const stores = openFolder(folder);
  const drives = openDrives(stores);
  const feeds = new EventFeeds(drives);
  const { head } = await drives.open(drive_id);
  const reader = { drive_id, credential: { kind: 'api_key', digest } as const };
  const listen = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      const stream = feeds.listen(reader, head.revision, { heartbeat_ms: HEARTBEAT_MS });
      // The first heartbeat, which tells that the feed is open.
      stream.read();
      await nextTurn();
    }
  };
  // The first ones pay for what all share.
  await listen(50);
  const before = held();
  await listen(LISTENERS);
  const bytes = (held() - before) / LISTENERS;
  feeds.end();
  await drives.close();
  await stores.close();
  return { bytes };
}
