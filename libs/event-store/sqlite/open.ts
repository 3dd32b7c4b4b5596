import { join } from 'node:path';

import { type EventStore, StoreUnusable } from '../port.js';
import type { SideStores } from '../stores.js';
import { Background, Checkpoints } from './files/background.js';
import { SqliteEventStore } from './event-store.js';
import { ensureFolder, hasContent, syncFolder } from './files/folder-files.js';
import { lockFolder } from './files/folder-lock.js';
import { SqliteSideStores } from './side-stores.js';
import { remedy } from './files/unusable.js';

/** Growth of the write-ahead log after which a checkpoint is asked for, in bytes. */
const CHECKPOINT_EVERY_BYTES = 8 * 1024 * 1024;

export interface SqliteOptions {
  /** Folder of all files of the stores; made (mode 0700) when missing. */
  readonly data_dir: string;
  /** Opens beside a writer and writes nothing: no appends, no puts, no live subscriptions. */
  readonly read_only?: boolean;
  /** 32 bytes; see `loadMasterKey`. */
  readonly master_key: Uint8Array;
  /** Bound of one append in bytes of metadata and data; 512 KiB unless told. */
  readonly max_append_bytes?: number;
}

export interface SqliteStores {
  readonly events: EventStore;
  readonly side: SideStores;
  /** Stores waiting appends, moves the logs into the files and gives the folder free. */
  close(): Promise<void>;
}

/**
 * The embedded stores, for one writing process. What was answered is on the disk, but for caches and for steps of
 * deliveries, which are taken again.
 * @throws DataFolderInUse when another opening writes to the folder; StoreUnusable; NewerSchema; WrongMasterKey; Error when
 * `read_only` and there is nothing to open
 */
export function openSqliteStores(options: SqliteOptions): SqliteStores {
  return options.read_only ? openForReading(options) : openForWriting(options);
}

function openForWriting({ data_dir, master_key, max_append_bytes }: SqliteOptions): SqliteStores {
  ensureFolder(data_dir);
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

/** Events come before keys in a new folder, so keys without events are what is left of an old one. */
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
    `${path} is missing or empty, and without its keys nothing that is sealed in events.db can be read: ${remedy(path)}`,
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
    // A store that opened only half must not keep its files open.
    void events.close();
    throw error;
  }
}

function closable(events: EventStore, side: SideStores, unlock: () => void): SqliteStores {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await events.close();
      await side.close();
    } finally {
      unlock();
    }
  };
  return { events, side, close: () => (closing ??= close()) };
}
