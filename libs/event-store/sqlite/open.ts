import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type EventStore, StoreUnusable } from '../port.js';
import type { SideStores } from '../stores.js';
import { UNFINISHED_RESTORE } from './delete-after.js';
import { SqliteEventStore } from './event-store.js';
import { Background, Checkpoints } from './files/background.js';
import { ensureFolder, hasContent, lockFolder, syncFolder } from './files/folder-files.js';
import { loadMasterKey, readMasterKey } from './files/key-files.js';
import { remedy } from './files/unusable.js';
import { SqliteSideStores } from './side-stores.js';

/** Growth of the write-ahead log after which a checkpoint is requested, in bytes. */
const CHECKPOINT_EVERY_BYTES = 8 * 1024 * 1024;

export interface SqliteOptions {
  /** Folder of all files of the stores; created (mode 0700) if missing. */
  readonly data_dir: string;
  /** Opens beside a writer and writes nothing: no appends, no puts, no live subscriptions. */
  readonly read_only?: boolean;
  /** 32 bytes; see `loadMasterKey`. */
  readonly master_key: Uint8Array;
  /** Maximum metadata and data of one append in bytes; default 512 KiB. */
  readonly max_append_bytes?: number;
}

export interface SqliteStores {
  readonly events: EventStore & Pick<SqliteEventStore, 'hasType'>;
  readonly side: SideStores;
  /** Stores pending appends, moves the logs into the files and unlocks the folder. */
  close(): Promise<void>;
}

/**
 * The embedded stores, for one writing process. Acknowledged writes are on the disk, except for caches and for steps
 * of deliveries, which are repeated.
 * @throws DataFolderInUse if another opening writes to the folder; StoreUnusable; NewerSchema; WrongMasterKey; Error
 *   if `read_only` and there is nothing to open
 */
export function openSqliteStores(options: SqliteOptions): SqliteStores {
  refuseUnfinishedRestore(options.data_dir);
  return options.read_only ? openForReading(options) : openForWriting(options);
}

function openForWriting({ data_dir, master_key, max_append_bytes }: SqliteOptions): SqliteStores {
  ensureFolder(data_dir, 'DATA_DIR');
  const unlock = lockFolder(data_dir);
  try {
    const background = new Background();
    const path = join(data_dir, 'events.db');
    refuseLostEvents(data_dir);
    const checkpoints = new Checkpoints(background, path, CHECKPOINT_EVERY_BYTES);
    const events = new SqliteEventStore({
      path,
      ...(max_append_bytes === undefined ? {} : { max_append_bytes }),
      grown: (bytes) => checkpoints.grown(bytes),
    });
    refuseLostKeys(data_dir, events);
    const side = openSide(data_dir, master_key, background, events);
    syncFolder(data_dir);
    return closable(events, side, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function refuseUnfinishedRestore(data_dir: string): void {
  if (!existsSync(join(data_dir, UNFINISHED_RESTORE))) return;
  throw new StoreUnusable(
    `a restore into ${data_dir} has not ended: run "ops restore" into this folder again, or remove the folder`,
  );
}

/** In a new folder events are created before keys, so keys without events are the rest of an old one. */
function refuseLostEvents(data_dir: string): void {
  const path = join(data_dir, 'events.db');
  if (hasContent(path) || !hasContent(join(data_dir, 'side.db'))) return;
  throw new StoreUnusable(`${path} is missing or empty, but side.db is there: ${remedy(path)}`);
}

function refuseLostKeys(data_dir: string, events: SqliteEventStore): void {
  const path = join(data_dir, 'side.db');
  if (hasContent(path) || events.is_empty) return;
  void events.close();
  throw new StoreUnusable(
    `${path} is missing or empty, and without its keys no sealed data in events.db can be read: ${remedy(path)}`,
  );
}

function openForReading({ data_dir, master_key }: SqliteOptions): SqliteStores {
  const events = new SqliteEventStore({ path: join(data_dir, 'events.db'), read_only: true });
  return closable(events, openSide(data_dir, master_key, null, events), () => {});
}

function openSide(
  data_dir: string,
  master_key: Uint8Array,
  background: Background | null,
  events: EventStore,
): SideStores {
  try {
    return new SqliteSideStores(data_dir, master_key, background);
  } catch (error) {
    // A partially opened store must not keep its files open.
    void events.close();
    throw error;
  }
}

function closable(events: SqliteEventStore, side: SideStores, unlock: () => void): SqliteStores {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // All files are closed before others may open the folder.
    try {
      await events.close();
    } finally {
      await side.close().finally(unlock);
    }
  };
  return { events, side, close: () => (closing ??= close()) };
}

interface SideFolderOptions {
  /** Folder of the side stores; created (mode 0700) if missing. */
  readonly data_dir: string;
  /** See `loadMasterKey`. */
  readonly configured_key: string | undefined;
  /** Opens beside a writer and writes nothing. */
  readonly read_only: boolean;
}

interface SideFolder {
  readonly side: SideStores;
  readonly master_key: Uint8Array;
  /** Stores pending data and unlocks the folder; to be called after the event store has closed. */
  close(): Promise<void>;
}

/**
 * The side stores in a data folder, for events on a server; for one writing process.
 * @throws DataFolderInUse if another opening writes to the folder; StoreUnusable, also if the event store has events
 *   and the folder no keys; UnusableKey; WrongMasterKey; NewerSchema; errors of reading the events
 */
export async function openSideFolder(
  events: Pick<EventStore, 'readAll'>,
  { data_dir, configured_key, read_only }: SideFolderOptions,
): Promise<SideFolder> {
  if (read_only) {
    const master_key = readMasterKey(data_dir, configured_key);
    const side = new SqliteSideStores(data_dir, master_key, null);
    return { side, master_key, close: () => side.close() };
  }
  ensureFolder(data_dir, 'DATA_DIR');
  const unlock = lockFolder(data_dir);
  try {
    refuseEmbedded(data_dir);
    await refuseMissingKeys(data_dir, events);
    // Only now: a key created for a refused folder would block the place of the right one.
    const master_key = loadMasterKey(data_dir, configured_key);
    const side = new SqliteSideStores(data_dir, master_key, new Background());
    syncFolder(data_dir);
    return { side, master_key, close: () => side.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

function refuseEmbedded(data_dir: string): void {
  const path = join(data_dir, 'events.db');
  if (!hasContent(path)) return;
  throw new StoreUnusable(
    `${path} holds events, so the folder belongs to an installation with EVENT_STORE=sqlite: set DATA_DIR to another ` +
      'folder (ops migrate moves the installation)',
  );
}

async function refuseMissingKeys(
  data_dir: string,
  events: Pick<EventStore, 'readAll'>,
): Promise<void> {
  const path = join(data_dir, 'side.db');
  if (hasContent(path) || (await events.readAll(-1, 1)).length === 0) return;
  throw new StoreUnusable(
    `${path} is missing or empty, but the event store holds events, and without its keys no sealed data in ` +
      `them can be read: set DATA_DIR to the folder of these events, or ${remedy(path)}`,
  );
}
