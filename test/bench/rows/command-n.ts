import { groupCommands } from '../../../libs/domain/groups/definitions.js';
import { fresh } from '../../../libs/application/fresh.js';
import { PREFIX } from '../../../libs/domain/kernel/ids.js';
import { dataOf, openDrives } from '../harness/engine.js';
import { Child } from '../harness/process.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { median, percentile } from '../harness/statistics.js';
import { copyOf, dataset, openFolder } from '../seed/datasets.js';
import { DriveWriter } from '../seed/drive-writer.js';
import { longDriveOrder } from '../seed/orders.js';
import { manyGroups, type SeededDrive, seededDrive } from '../seed/plans.js';

/** Commands of one measurement: the first thousand of a drive, and as many of the long one. */
const COMMANDS = 1000;
const IN_FLIGHT = 64;

interface Input {
  readonly folder: string;
  readonly long: { readonly drive_id: string; readonly digest: string };
  readonly rounds: number;
}

interface Result {
  readonly first_per_second: number;
  readonly late_per_second: number;
  /** Time of a late command by that of a first one, median of the rounds. */
  readonly ratio: number;
  /** The same in processor time of the thread. */
  readonly cpu_ratio: number;
  readonly ratio_least: number;
  readonly ratio_most: number;
}

/** Whether a command costs the same on a new drive and on one of a million events; in the process. */
export const row: Row = {
  name: 'command-n',
  async run(bench): Promise<readonly Line[]> {
    const seeded = await dataset(longDriveOrder(bench), bench);
    const { drive_id, owner } = seeded;
    const input: Input = {
      folder: await copyOf(seeded, bench),
      long: { drive_id, digest: owner.digest },
      rounds: bench.is_quick ? 5 : 15,
    };
    const found = await Child.inside<Result>('rows/command-n', input, bench);
    const { ratio, cpu_ratio, first_per_second, late_per_second } = found;
    return [
      {
        what: `command at event ${show(seeded.events)} against one of the first ${COMMANDS}, in the process`,
        target: '≤ 1.2 × the time',
        measured: `${ratio.toFixed(2)} × (processor: ${cpu_ratio.toFixed(2)} ×), ${show(late_per_second)}/s`,
        reference: `new drive ${show(first_per_second)}/s`,
        holds: ratio <= 1.2,
        figures: { ...found },
      },
    ];
  },
};

export async function inside({ folder, long, rounds }: Input): Promise<Result> {
  const stores = openFolder(folder);
  const { events, side } = stores;
  const news = Array.from({ length: rounds + 1 }, (_, n) => seededDrive(9_000_000 + n));
  await prepare(news, { events, keys: side.keys });
  const drives = openDrives(stores);
  const run = async (drive_id: string, digest: string): Promise<{ wall: number; cpu: number }> => {
    const request = {
      credential: { kind: 'api_key', digest },
      correlation_id: 'bench',
      reason: null,
      idempotency: null,
    } as const;
    const drive = await drives.open(drive_id);
    await drive.queue.idle();
    let left = COMMANDS;
    const work = async (): Promise<void> => {
      while (left-- > 0) {
        const command = {
          name: `Group ${left}`,
          avatar: 'https://example.org/avatars/1.png',
          public_note: 'A group like many others, made to find out how long it takes.',
          external_id: `crm-${left}`,
          fresh: { group_id: fresh.id(PREFIX.group), invite_id: fresh.id(PREFIX.invite) },
        };
        dataOf(await drives.commands.run(drive_id, groupCommands.CreateGroup, command, request));
      }
    };
    const cpu_before = process.threadCpuUsage();
    const started = performance.now();
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    const wall = performance.now() - started;
    const { user, system } = process.threadCpuUsage(cpu_before);
    return { wall, cpu: user + system };
  };
  const first: Awaited<ReturnType<typeof run>>[] = [];
  const late: typeof first = [];
  for (const [round, { drive_id, owner }] of news.entries()) {
    const new_one = await run(drive_id, owner.digest);
    const long_one = await run(long.drive_id, long.digest);
    // The first round warms up.
    if (round === 0) continue;
    first.push(new_one);
    late.push(long_one);
  }
  await drives.close();
  await stores.close();
  const ratios = late.map(({ wall }, at) => wall / first[at]!.wall);
  return {
    first_per_second: (1000 * COMMANDS) / median(first.map(({ wall }) => wall)),
    late_per_second: (1000 * COMMANDS) / median(late.map(({ wall }) => wall)),
    ratio: median(ratios),
    cpu_ratio: median(late.map(({ cpu }, at) => cpu / first[at]!.cpu)),
    ratio_least: percentile(ratios, 0.1),
    ratio_most: percentile(ratios, 0.9),
  };
}

/** New drives with nothing but their beginning. The factory's stream stays as it is: nobody asks it here. */
async function prepare(
  news: readonly SeededDrive[],
  store: ConstructorParameters<typeof DriveWriter>[0],
): Promise<void> {
  for (const [n, drive] of news.entries()) {
    const writer = new DriveWriter(store, drive.drive_id, n);
    for (const one of manyGroups(drive, n, { groups: 0, member_every: Infinity }))
      await writer.add(one, drive.owner);
    await writer.flush();
  }
}
