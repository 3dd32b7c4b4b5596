import { loadSettings } from '../../../apps/api/platform/settings/settings.js';
import { BackgroundThread } from '../../../apps/background/background-thread.js';
import { fresh } from '../../../libs/application/fresh.js';
import { groupCommands } from '../../../libs/domain/groups/definitions.js';
import { PREFIX } from '../../../libs/domain/kernel/ids.js';
import { DEFAULT_LIMITS } from '../../../libs/engine/drives/limits.js';
import { dataOf, openDrives } from '../harness/engine.js';
import { Child } from '../harness/process.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { median, percentile } from '../harness/statistics.js';
import { openFolder } from '../seed/datasets.js';
import { DriveWriter } from '../seed/drive-writer.js';
import { manyGroups, seededDrive } from '../seed/plans.js';

/** Commands of one drive: snapshots are due twice. */
const COMMANDS = 60_000;
const IN_FLIGHT = 64;

/** Where snapshots are made: nowhere, in the thread that runs the commands, in the background thread. */
const PLACES = ['none', 'same', 'own'] as const;
type Place = (typeof PLACES)[number];

interface Input {
  readonly folder: string;
  readonly place: Place;
}

interface Result {
  /** Processor time of a command in its thread, µs. */
  readonly cpu_us: number;
  readonly per_second: number;
  readonly p99_ms: number;
}

/** What snapshots cost the commands of a drive while they are made; in the process. */
export const row: Row = {
  name: 'snapshots',
  async run(bench): Promise<readonly Line[]> {
    const found = new Map<Place, Result[]>(PLACES.map((place) => [place, []]));
    for (let round = 0; round < (bench.is_quick ? 1 : 5); round++)
      for (const place of PLACES) {
        const input: Input = { folder: await bench.folder(), place };
        found.get(place)!.push(await Child.inside<Result>('rows/snapshots', input, bench));
      }
    const of = (place: Place, figure: keyof Result): number =>
      median(found.get(place)!.map((one) => one[figure]));
    const shown = (place: Place): string =>
      `${show(of(place, 'cpu_us'))} µs, ${show(of(place, 'per_second'))}/s, p99 ${show(of(place, 'p99_ms'))} ms`;
    const more_us = of('own', 'cpu_us') - of('none', 'cpu_us');
    return [
      {
        what: 'processor time of a command in its thread while snapshots are made, one drive, in the process',
        target: '≤ 5 µs more than without snapshots',
        measured: shown('own'),
        reference: `without snapshots ${shown('none')}; made in the same thread ${shown('same')}`,
        holds: more_us <= 5,
        figures: Object.fromEntries(PLACES.map((place) => [place, of(place, 'cpu_us')])),
      },
    ];
  },
};

export async function inside({ folder, place }: Input): Promise<Result> {
  const stores = openFolder(folder);
  const { events, side } = stores;
  const one = seededDrive(1);
  const writer = new DriveWriter({ events, keys: side.keys }, one.drive_id, 1);
  for (const event of manyGroups(one, 1, { groups: 0, member_every: Infinity }))
    await writer.add(event, one.owner);
  await writer.flush();
  const thread =
    place === 'own'
      ? new BackgroundThread(loadSettings({ DATA_DIR: folder }), DEFAULT_LIMITS.state_cache_bytes)
      : undefined;
  const never = { snapshot_after_events: Infinity, snapshot_every_events: Infinity };
  const drives = openDrives(stores, {
    ...(place === 'none' && { limits: never }),
    ...(thread && { snapshots: thread }),
  });
  const { drive_id, owner } = one;
  const request = {
    credential: { kind: 'api_key', digest: owner.digest },
    correlation_id: 'bench',
    reason: null,
    idempotency: null,
  } as const;
  const times: number[] = [];
  let left = COMMANDS;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const made = { group_id: fresh.id(PREFIX.group), invite_id: fresh.id(PREFIX.invite) };
      const command = { name: `Group ${left}`, fresh: made };
      const started = performance.now();
      dataOf(await drives.commands.run(drive_id, groupCommands.CreateGroup, command, request));
      times.push(performance.now() - started);
    }
  };
  const cpu_before = process.threadCpuUsage();
  const started = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const wall_ms = performance.now() - started;
  const { user, system } = process.threadCpuUsage(cpu_before);
  await drives.close();
  await thread?.close();
  await stores.close();
  return {
    cpu_us: (user + system) / COMMANDS,
    per_second: (1000 * COMMANDS) / wall_ms,
    p99_ms: percentile(times, 0.99),
  };
}
