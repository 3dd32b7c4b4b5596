import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { Drives } from '../../libs/engine/drives/drives.js';
import { DEFAULT_LIMITS } from '../../libs/engine/drives/limits.js';
import { readSettings, SettingsError } from '../../libs/settings/read.js';
import { StoreUnusable } from '../../libs/event-store/port.js';
import { startupErrorOf } from '../../libs/stores/startup-errors.js';
import {
  openStores as open,
  type Stores,
  withDocuments as onDocuments,
  withOwnCaches,
} from '../../libs/stores/open.js';
import type { ReadModel } from '../../libs/read-model/port.js';
import { problemsBeside, StoreSettings } from '../../libs/stores/settings.js';
import { EXIT, Failure } from './failure.js';
import { driveIdsOf } from './organizations.js';
import type { Terminal } from './output/terminal.js';
import { textIn } from './text-in.js';

/** The largest append that a service can be configured to write: every store must accept it. */
const MAX_APPEND_BYTES = 1024 * 1024;
const DAY_MS = 86_400_000;

/** Options of commands that open stores. */
export function storeOptions(command: Command): Command {
  return command
    .option('--settings <file>', 'settings file of the installation, one NAME=value a line')
    .option('--data-dir <path>', 'the data folder (else DATA_DIR, else ./data)');
}

export interface StoreOptions {
  readonly settings?: string;
  readonly dataDir?: string;
}

/** The settings of a command: from a file alone, or from the environment. @throws Failure */
export function settingsOf(
  { settings, dataDir }: StoreOptions,
  env: Terminal['env'],
): StoreSettings {
  const values = valuesOf({ settings }, env);
  try {
    return readSettings(
      StoreSettings,
      { ...values, ...(dataDir !== undefined && { DATA_DIR: dataDir }) },
      (read) => [...keptNowhere(read), ...problemsBeside(read, 'command')],
    );
  } catch (error) {
    if (error instanceof SettingsError) throw new Failure(error.message, EXIT.unreachable);
    throw error;
  }
}

/** The values of a settings file alone, or of the environment. @throws Failure */
export function valuesOf(
  { settings }: { readonly settings?: string | undefined },
  env: Terminal['env'],
): NodeJS.Dict<string> {
  return settings === undefined ? env : parseEnv(textIn(settings));
}

function keptNowhere({ event_store }: StoreSettings): string[] {
  if (event_store !== 'memory') return [];
  return ['EVENT_STORE is "memory" but must be sqlite or kurrentdb, which store durably.'];
}

/** Description of the stores, without secrets. */
export function placeOf(settings: StoreSettings): string {
  const { event_store, side_store, data_dir, mongodb_database } = settings;
  const folder = `data folder ${data_dir}`;
  if (event_store === 'sqlite') return folder;
  const beside = side_store === 'sqlite' ? folder : `database ${mongodb_database} in MongoDB`;
  return `KurrentDB and the ${beside}`;
}

/** Opens the configured stores: for reading, also beside a running service, or for writing. @throws Failure */
export async function openStores(settings: StoreSettings, to: 'read' | 'write'): Promise<Stores> {
  try {
    return await open(settings, { to, schema: READ_SCHEMA, max_append_bytes: MAX_APPEND_BYTES });
  } catch (error) {
    throw openFailure(error);
  }
}

/** Runs a task on the documents in MongoDB, or on null if there are none. @throws Failure */
export async function withDocuments<T>(
  settings: StoreSettings,
  task: (documents: ReadModel | null) => Promise<T>,
): Promise<T> {
  try {
    return await onDocuments(settings, READ_SCHEMA, task);
  } catch (error) {
    throw openFailure(error);
  }
}

function openFailure(error: unknown): unknown {
  // Damage is reported separately.
  if (error instanceof StoreUnusable) return error;
  const { message } = startupErrorOf(error) ?? (error as Error);
  if (!message.includes('does not exist') && !startupErrorOf(error)) return error;
  return new Failure(`${message}.`.replace(/\.\.$/, '.'), EXIT.unreachable);
}

/** The drives of stores, for a command that is their only user. */
function drivesOn({ events, side, read_model }: Stores, retention_days = 0): Drives {
  return new Drives({
    events,
    side,
    read_model,
    limits: DEFAULT_LIMITS,
    settings: {
      host_url: '',
      frontend_url: '',
      version: '',
      transfer_wait_ms: 0,
      everyone_disk_permissions: [],
      default_disk: '',
      items_per_action: 0,
      trash_ms: 0,
      verify_bucket_uploads: false,
      content_max_bytes: 0,
      content_quota_bytes: 0,
      content_retention_ms: retention_days * DAY_MS,
    },
  });
}

/** Drives on stores that are only read, also while a service writes to them. */
export interface ReadOnlyDrives {
  readonly drives: Drives;
  readonly stores: Stores;
  close(): Promise<void>;
}

/** Opens the drives of an installation for reading. @throws Failure */
export async function openForReading(settings: StoreSettings): Promise<ReadOnlyDrives> {
  const stores = await openStores(settings, 'read');
  const drives = drivesOn(withOwnCaches(stores), settings.content_retention_days);
  const close = async (): Promise<void> => {
    await drives.close();
    await stores.close();
  };
  return { drives, stores, close };
}

/** Runs a task on read-only stores, and closes them in any case. @throws Failure */
export async function reading<T>(
  settings: StoreSettings,
  task: (drives: Drives, stores: Stores) => Promise<T>,
): Promise<T> {
  const { drives, stores, close } = await openForReading(settings);
  try {
    return await task(drives, stores);
  } finally {
    await close();
  }
}

/** The ids of the named organizations in read-only stores; undefined if none are named. @throws Failure */
export async function namedDrives(
  stores: Stores,
  given: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (given === undefined) return undefined;
  const drives = drivesOn(withOwnCaches(stores));
  try {
    return await driveIdsOf(drives, given);
  } finally {
    await drives.close();
  }
}

/** Runs a task on writable stores, and closes them in any case. @throws Failure */
export async function writing<T>(
  settings: StoreSettings,
  task: (drives: Drives, stores: Stores) => Promise<T>,
): Promise<T> {
  const stores = await openStores(settings, 'write');
  const drives = drivesOn(stores, settings.content_retention_days);
  try {
    return await task(drives, stores);
  } finally {
    await drives.close();
    await stores.close();
  }
}
