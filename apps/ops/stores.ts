import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { Drives } from '../../libs/engine/drives.js';
import { DEFAULT_LIMITS } from '../../libs/engine/limits.js';
import {
  EventStoreUnavailable,
  openKurrentEventStore,
  UnusableConnectionString,
} from '../../libs/event-store/kurrentdb/index.js';
import { MemoryEventIndex } from '../../libs/event-store/memory/index.js';
import type { EventStore } from '../../libs/event-store/port.js';
import {
  DataFolderInUse,
  DataFolderUnusable,
  loadMasterKey,
  NewerSchema,
  openSqliteStores,
  readMasterKey,
  UnusableKey,
  WrongMasterKey,
} from '../../libs/event-store/sqlite/index.js';
import type { SideStores } from '../../libs/event-store/stores.js';
import { MongoUnavailable, openMongo } from '../../libs/mongodb/client.js';
import { MemoryReadModel } from '../../libs/read-model/memory/memory-read-model.js';
import { EXIT, Failure } from './failure.js';
import type { Terminal } from './terminal.js';

/** The largest append that a service can be configured to make; what one stored, another must take. */
const MAX_APPEND_BYTES = 1024 * 1024;

/** Where an installation stores what it stores; as the service reads it. */
export interface StoreSettings {
  readonly event_store: 'sqlite' | 'kurrentdb';
  readonly data_dir: string;
  /** As configured; absent: the file of the data folder. */
  readonly master_key: string | undefined;
  readonly read_model: string;
  /** Connection strings; secret. Empty on sqlite. */
  readonly kurrentdb_url: string;
  readonly mongodb_url: string;
  readonly mongodb_database: string;
}

/** Options of commands that open stores. */
export function storeOptions(command: Command): Command {
  return command
    .option('--settings <file>', 'file with the settings of the installation, NAME=value in lines')
    .option('--data-dir <path>', 'the data folder (else DATA_DIR, else ./data)');
}

export interface StoreOptions {
  readonly settings?: string;
  readonly dataDir?: string;
}

/** The settings that a command names: of a file alone, or of the environment. @throws Failure */
export function settingsOf(
  { settings, dataDir }: StoreOptions,
  env: Terminal['env'],
): StoreSettings {
  const values = settings === undefined ? env : settingsIn(settings);
  const of = (name: string): string => values[name]?.trim() ?? '';
  const event_store = of('EVENT_STORE') || 'sqlite';
  if (event_store !== 'sqlite' && event_store !== 'kurrentdb')
    throw new Failure(
      `EVENT_STORE is ${JSON.stringify(event_store)} but must be sqlite or kurrentdb, which keep what they store.`,
      EXIT.unreachable,
    );
  const needed = event_store === 'kurrentdb' ? ['KURRENTDB_URL', 'MONGODB_URL', 'MASTER_KEY'] : [];
  for (const name of needed)
    if (of(name) === '')
      throw new Failure(`${name} must be set, since EVENT_STORE is "kurrentdb".`, EXIT.unreachable);
  return {
    event_store,
    data_dir: dataDir ?? (of('DATA_DIR') || './data'),
    master_key: of('MASTER_KEY') || undefined,
    read_model: of('READ_MODEL') || 'memory',
    kurrentdb_url: of('KURRENTDB_URL'),
    mongodb_url: of('MONGODB_URL'),
    mongodb_database: of('MONGODB_DATABASE') || 'drive_workspace_service',
  };
}

/** Where the stores are, without any secret. */
export function placeOf({ event_store, data_dir, mongodb_database }: StoreSettings): string {
  return event_store === 'sqlite'
    ? `data folder ${data_dir}`
    : `KurrentDB and the database ${mongodb_database} in MongoDB`;
}

function settingsIn(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    throw new Failure(`${file} cannot be read.`, EXIT.usage);
  }
}

/** Stores that are open. */
export interface OpenStores {
  readonly events: EventStore;
  readonly side: SideStores;
  close(): Promise<void>;
}

/**
 * Opens the stores that the settings name: to read, also beside a running service, or to write. Nobody else
 * writes to a data folder meanwhile; servers serve several, and appends of two never mix. @throws Failure
 */
export async function openStores(
  settings: StoreSettings,
  mode: 'read' | 'write',
): Promise<OpenStores> {
  const { data_dir, event_store, master_key: configured } = settings;
  try {
    if (event_store === 'kurrentdb') return await openServers(settings);
    if (mode === 'read') {
      const master_key = readMasterKey(data_dir, configured);
      return openSqliteStores({ data_dir, master_key, read_only: true });
    }
    const master_key = loadMasterKey(data_dir, configured);
    return openSqliteStores({ data_dir, master_key, max_append_bytes: MAX_APPEND_BYTES });
  } catch (error) {
    throw openFailure(error);
  }
}

async function openServers(settings: StoreSettings): Promise<OpenStores> {
  const master_key = loadMasterKey('', settings.master_key);
  const mongo = await openMongo(settings.mongodb_url, settings.mongodb_database);
  try {
    // Loaded here: it brings the driver.
    const { MongoSideStores } = await import('../../libs/event-store/mongodb/index.js');
    const side = await MongoSideStores.open(mongo.db, master_key);
    const { kurrentdb_url: url } = settings;
    const events = await openKurrentEventStore({ url, max_append_bytes: MAX_APPEND_BYTES });
    const close = async (): Promise<void> => {
      await events.close();
      await side.close();
      await mongo.close();
    };
    return { events, side, close };
  } catch (error) {
    await mongo.close();
    throw error;
  }
}

/** What an operator can mend; each says how in its message. */
const EXPECTED = [
  DataFolderInUse,
  DataFolderUnusable,
  EventStoreUnavailable,
  MongoUnavailable,
  NewerSchema,
  UnusableConnectionString,
  UnusableKey,
  WrongMasterKey,
];

function openFailure(error: unknown): unknown {
  const { message } = error as Error;
  const is_missing = message.includes('does not exist');
  if (!is_missing && !EXPECTED.some((kind) => error instanceof kind)) return error;
  return new Failure(`${message}.`.replace(/\.\.$/, '.'), EXIT.unreachable);
}

/** The drives of stores, for a command that answers nobody else. */
export function drivesOn({ events, side }: OpenStores): Drives {
  return new Drives({
    events,
    side,
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
}

/** Drives on stores that are only read, also while a service writes to them. */
export interface ReadOnlyDrives {
  readonly drives: Drives;
  close(): Promise<void>;
}

/** Opens the drives of an installation for reading. @throws Failure */
export async function openForReading(settings: StoreSettings): Promise<ReadOnlyDrives> {
  const stores = await openStores(settings, 'read');
  const { keys, snapshots, tiles, presence, jobs } = stores.side;
  // The index that lies there cannot be brought up to date, so one is made in memory.
  const index = new MemoryEventIndex();
  const side = { keys, snapshots, tiles, presence, jobs, index, close: async () => {} };
  const drives = drivesOn({ ...stores, side });
  const close = async (): Promise<void> => {
    await drives.close();
    await stores.close();
  };
  return { drives, close };
}

/** Runs a task on stores that it may write to, and closes them however it ends. @throws Failure */
export async function writing<T>(
  settings: StoreSettings,
  task: (drives: Drives, stores: OpenStores) => Promise<T>,
): Promise<T> {
  const stores = await openStores(settings, 'write');
  const drives = drivesOn(stores);
  try {
    return await task(drives, stores);
  } finally {
    await drives.close();
    await stores.close();
  }
}
