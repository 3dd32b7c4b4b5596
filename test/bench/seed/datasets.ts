import { event, type DomainEvent } from '../../../libs/domain/foundation/events.js';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FACTORY_ID } from '../../../libs/engine/fold/fold.js';
import { emptyState, foldOnto, streamOf } from '../../../libs/engine/fold/fold.js';
import { SNAPSHOT_VERSION, writeSnapshot } from '../../../libs/engine/snapshots/snapshot.js';
import { isSnapshotDue } from '../../../libs/engine/snapshots/snapshotter.js';
import { DEFAULT_LIMITS } from '../../../libs/engine/drives/limits.js';
import { LogTiles } from '../../../libs/engine/proofs/tiles.js';
import {
  loadMasterKey,
  openSqliteStores,
  type SqliteStores,
} from '../../../libs/event-store/sqlite/index.js';
import { Child } from '../harness/process.js';
import type { Bench } from '../harness/row.js';
import { DriveWriter } from './drive-writer.js';
import { tree, type TreeSize } from './tree.js';
import { manyGroups, MixedDrive, seededDrive, type SeededDrive } from './plans.js';

/** Goes up whenever the same order would give other files. */
const VERSION = 3;

/** What to seed; the same order gives the same data. */
export type Order =
  | {
      readonly plan: 'mixed';
      readonly seed: number;
      readonly records: number;
      readonly events: number;
      /** For rows that fold everything anyway: writing them takes longer than the events. */
      readonly without_snapshots?: true;
    }
  | {
      readonly plan: 'groups';
      readonly seed: number;
      readonly groups: number;
      readonly member_every: number;
    }
  | ({ readonly plan: 'tree'; readonly seed: number } & TreeSize)
  | {
      readonly plan: 'drives';
      readonly seed: number;
      readonly drives: number;
      readonly events_each: number;
    };

/** A data folder of the service; it must not be changed, so work on a copy. */
export interface Dataset extends SeededDrive {
  readonly folder: string;
  readonly events: number;
  /** Mean size of event bodies, bytes. */
  readonly body_bytes: number;
}

/** The seeded data folder, made in a process of its own if it is not there yet. */
export async function dataset(order: Order, bench: Bench): Promise<Dataset> {
  const folder = folderOf(order);
  const known = await readDataset(folder);
  return known ?? (await Child.inside<Dataset>('seed/make', order, { progress: bench.progress }));
}

/** A copy of a seeded folder, to be worked on. */
export async function copyOf({ folder }: Dataset, bench: Bench): Promise<string> {
  const copy = await bench.folder();
  await cp(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return copy;
}

export function openFolder(folder: string, read_only = false): SqliteStores {
  return openSqliteStores({ data_dir: folder, master_key: loadMasterKey(folder), read_only });
}

/** Makes the folder of an order. */
export async function seedFolder(order: Order, progress: (text: string) => void): Promise<Dataset> {
  const folder = folderOf(order);
  const making = `${folder}.making-${process.pid}`;
  await mkdir(making, { recursive: true, mode: 0o700 });
  try {
    const stores = openFolder(making);
    const made = await fill(order, stores, progress);
    await stores.close();
    await writeFile(join(making, FACTS), JSON.stringify(made));
    await rm(folder, { recursive: true, force: true });
    await rename(making, folder);
    return { ...made, folder };
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Events after which a snapshot may be due: the service looks after each batch of commands. */
const LOOK_EVERY = 500;
const FACTS = 'seeded.json';

function folderOf(order: Order): string {
  const { snapshot_every_events: every, snapshot_after_events: after } = DEFAULT_LIMITS;
  const text = JSON.stringify([VERSION, SNAPSHOT_VERSION, every, after, order]);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return join(tmpdir(), 'drive-bench', `${order.plan}-${digest}`);
}

async function readDataset(folder: string): Promise<Dataset | null> {
  try {
    const facts = await readFile(join(folder, FACTS), 'utf8');
    return { ...(JSON.parse(facts) as Omit<Dataset, 'folder'>), folder };
  } catch {
    return null;
  }
}

async function fill(
  order: Order,
  stores: SqliteStores,
  progress: (text: string) => void,
): Promise<Omit<Dataset, 'folder'>> {
  const count = order.plan === 'drives' ? order.drives : 1;
  const named = Array.from({ length: count }, (_, n) => seededDrive(order.seed + n));
  const factory = new DriveWriter(portsOf(stores), FACTORY_ID, order.seed);
  for (const { drive_id, owner } of named)
    await factory.add(event('DriveSpawned', { drive_id }), owner);
  await factory.flush();
  let events = 0;
  let bytes = 0;
  for (const [n, drive] of named.entries()) {
    const writer = new DriveWriter(portsOf(stores), drive.drive_id, order.seed + n);
    for (const one of eventsOf(order, drive, order.seed + n)) {
      await writer.add(one, drive.owner);
      if (++events % 20_000 === 0) progress(`seeding ${order.plan}: ${events} events`);
    }
    await writer.flush();
    bytes += writer.body_bytes;
  }
  if (order.plan === 'mixed' && !order.without_snapshots)
    await writeCaches(stores, named[0]!.drive_id, progress);
  return { ...named[0]!, events, body_bytes: Math.round(bytes / events) };
}

function portsOf({ events, side }: SqliteStores) {
  return { events, keys: side.keys };
}

function eventsOf(order: Order, drive: SeededDrive, seed: number): Iterable<DomainEvent> {
  if (order.plan === 'mixed') return new MixedDrive(drive, seed).events(order);
  if (order.plan === 'tree') return tree(drive, seed, order);
  if (order.plan === 'groups') return manyGroups(drive, seed, order);
  return manyGroups(drive, seed, { groups: order.events_each - 4, member_every: Infinity });
}

/** The snapshots and tiles that the service would have written on the way. */
async function writeCaches(
  { events, side }: SqliteStores,
  drive_id: string,
  progress: (text: string) => void,
): Promise<void> {
  const folded = emptyState(drive_id);
  const head = await events.head(streamOf(drive_id));
  let bytes = 0;
  let last = { revision: -1, bytes: 0, folded_bytes: 0, changes: 0 };
  for (let to = LOOK_EVERY - 1; to <= head!.revision; to += LOOK_EVERY) {
    const { last_event } = await foldOnto(folded, events, {
      to,
      touched: (_, { data }) => (bytes += data.length),
    });
    const cost = {
      events: to - last.revision,
      bytes: bytes - last.folded_bytes,
      changes: folded.state.undo_log.made - last.changes,
      last_bytes: last.bytes,
      records: () => folded.state.record_count,
    };
    if (!isSnapshotDue(cost, DEFAULT_LIMITS)) continue;
    // As while nobody waits for the drive.
    await folded.hash.hashInTurns();
    const body = await writeSnapshot(folded);
    await side.snapshots.put({
      drive_id,
      revision: to,
      event_hash: last_event!.hash,
      state_version: SNAPSHOT_VERSION,
      body,
    });
    const changes = folded.state.undo_log.made;
    last = { revision: to, bytes: body.length, folded_bytes: bytes, changes };
    progress(`seeding snapshots: at ${to}`);
  }
  await new LogTiles(drive_id, events, side.tiles).extend(head!.revision + 1);
}
