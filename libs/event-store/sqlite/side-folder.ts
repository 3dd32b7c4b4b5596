import { join } from 'node:path';

import { type EventStore, StoreUnusable } from '../port.js';
import type { SideStores } from '../stores.js';
import { Background } from './files/background.js';
import { ensureFolder, hasContent, syncFolder } from './files/folder-files.js';
import { lockFolder } from './files/folder-lock.js';
import { loadMasterKey, readMasterKey } from './files/key-files.js';
import { SqliteSideStores } from './side-stores.js';
import { remedy } from './files/unusable.js';

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
  ensureFolder(data_dir);
  const unlock = lockFolder(data_dir);
  try {
    refuseEmbedded(data_dir);
    await refuseLostKeys(data_dir, events);
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

async function refuseLostKeys(
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
