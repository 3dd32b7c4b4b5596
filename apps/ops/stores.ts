import { DEFAULT_LIMITS } from '../../libs/engine/limits.js';
import { Drives } from '../../libs/engine/drives.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { MemoryEventIndex } from '../../libs/event-store/memory/index.js';
import {
  NewerSchema,
  openSqliteStores,
  readMasterKey,
  type SqliteStores,
  UnusableKey,
  WrongMasterKey,
} from '../../libs/event-store/sqlite/index.js';
import { MemoryReadModel } from '../../libs/read-model/memory/memory-read-model.js';
import { EXIT, Failure } from './failure.js';

/** What an operator can mend; each says how in its message. */
const EXPECTED = [NewerSchema, UnusableKey, WrongMasterKey];

/** Opens a data folder without writing to it, also beside a running service. @throws Failure */
export function openFolder(data_dir: string, configured_key: string | undefined): SqliteStores {
  try {
    const master_key = readMasterKey(data_dir, configured_key?.trim());
    return openSqliteStores({ data_dir, master_key, read_only: true });
  } catch (error) {
    const { message } = error as Error;
    const is_missing = message.includes('does not exist');
    if (!is_missing && !EXPECTED.some((kind) => error instanceof kind)) throw error;
    throw new Failure(`${message}.`.replace(/\.\.$/, '.'), EXIT.unreachable);
  }
}

/** Drives on stores that are only read, also while a service writes to them. */
export interface ReadOnlyDrives {
  readonly drives: Drives;
  close(): Promise<void>;
}

/** Opens the drives of a data folder for reading. @throws Failure */
export function openForReading(data_dir: string, master_key: string | undefined): ReadOnlyDrives {
  const stores = openFolder(data_dir, master_key);
  const { keys, snapshots, tiles, presence, jobs } = stores.side;
  const drives = new Drives({
    events: stores.events,
    // The index that lies there cannot be brought up to date, so one is made in memory.
    side: {
      ...{ keys, snapshots, tiles, presence, jobs },
      index: new MemoryEventIndex(),
      close: async () => {},
    },
    read_model: new MemoryReadModel(READ_SCHEMA),
    limits: DEFAULT_LIMITS,
    settings: {
      host_url: '',
      frontend_url: '',
      version: '',
      transfer_wait_ms: 0,
      everyone_disk_permissions: [],
    },
  });
  const close = async (): Promise<void> => {
    await drives.close();
    await stores.close();
  };
  return { drives, close };
}
