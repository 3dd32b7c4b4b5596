import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { EventStoreUnavailable, openKurrentEventStore } from '../event-store/kurrentdb/index.js';
import { ContentFiles, type RecordedContent } from '../content-store/files/content-files.js';
import type { ContentStore } from '../content-store/port.js';
import type { PartitionLeases, WindowCounts } from '../event-store/leases.js';
import { MemorySideStores } from '../event-store/memory/index.js';
import type { EventStore } from '../event-store/port.js';
import { checkReads } from '../event-store/reads.js';
import {
  hasSigningKey,
  loadMasterKey,
  loadSigningKey,
  MemoryEventStore,
  openSideFolder,
  openSqliteStores,
  readMasterKey,
} from '../event-store/sqlite/index.js';
import type { SideStores } from '../event-store/stores.js';
import { type MongoConnection, MongoUnavailable, openMongo } from '../mongodb/client.js';
import { withUnavailableErrors } from '../mongodb/unavailable.js';
import { MemoryReadModel } from '../read-model/memory/memory-read-model.js';
import type { AnyReadModel, ReadModel, ReadModelSchema } from '../read-model/port.js';
import { recordedContents } from './recorded-contents.js';
import type { StoreSettings } from './settings.js';

/** Shared state of processes on the same stores. */
export interface Shared {
  readonly leases: PartitionLeases;
  /** Counts in windows of that length (ms), for rate limits. */
  windows(window_ms: number): Promise<WindowCounts>;
}

/** A folder with contents, as an export writes it. */
export { ContentFiles as ContentFolder };

/** The stores of a process, open. */
export interface Stores {
  readonly events: EventStore;
  readonly side: SideStores;
  readonly read_model: AnyReadModel;
  /** The bytes of files, encrypted. */
  readonly contents: ContentStore;
  /** Null if no other process writes to the same stores. */
  readonly shared: Shared | null;
  /** True if the events are on a server: it may return events with a delay, and other programs can write to it. */
  readonly on_server: boolean;
  /** Closes everything in the order of dependencies. */
  close(): Promise<void>;
}

interface OpenOptions {
  /**
   * `serve`: the read model is opened as configured. `write`: for a command that is the only user, with a read model
   * in memory. `read`: the same, also beside a running service; nothing is written.
   */
  readonly to: 'serve' | 'write' | 'read';
  readonly schema: ReadModelSchema;
  /** Maximum append, bytes. */
  readonly max_append_bytes: number;
  /** Called once with the reason why startup waits for a server. */
  readonly waiting?: (message: string) => void;
}

/** Closes opened resources, the last first. */
class Opened {
  private readonly closers: (() => Promise<void>)[] = [];

  add<T extends { close(): Promise<void> }>(one: T): T {
    this.closers.push(() => one.close());
    return one;
  }

  /** @throws the first error, once all are closed */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.closers.splice(0).toReversed())
      await close().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
}

/** Folder of contents in DATA_DIR. */
export const CONTENT_FOLDER = 'content';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;

/**
 * Opens the configured stores. A service retries for up to `STORE_WAIT_MS` while a server is unavailable. A data
 * folder is locked for other writers; servers allow several, and appends of two never interleave.
 * @throws Error for operators, without secrets, if one cannot be reached or used
 */
export async function openStores(settings: StoreSettings, options: OpenOptions): Promise<Stores> {
  const wait_ms = options.to === 'serve' ? settings.store_wait_ms : 0;
  return whenThere(() => openOnce(settings, options), wait_ms, options.waiting);
}

/**
 * Opens a resource, with retries for up to `wait_ms`.
 * @param waiting called with the first failure
 */
export async function whenThere<T>(
  open: () => Promise<T>,
  wait_ms: number,
  waiting: (message: string) => void = () => {},
): Promise<T> {
  const deadline = performance.now() + wait_ms;
  for (let pause_ms = FIRST_WAIT_MS; ; pause_ms = Math.min(2 * pause_ms, LONGEST_WAIT_MS)) {
    try {
      return await open();
    } catch (error) {
      const left_ms = deadline - performance.now();
      if (left_ms <= 0 || !mayBeThereSoon(error)) throw error;
      if (pause_ms === FIRST_WAIT_MS) waiting((error as Error).message);
      await after(Math.min(pause_ms, left_ms));
    }
  }
}

/** True if a server was unavailable, possibly temporarily. */
function mayBeThereSoon(error: unknown): boolean {
  const is_unavailable =
    error instanceof EventStoreUnavailable || error instanceof MongoUnavailable;
  return is_unavailable && error.may_pass;
}

async function openOnce(settings: StoreSettings, options: OpenOptions): Promise<Stores> {
  const opened = new Opened();
  let mongo: MongoConnection | null = null;
  try {
    const has_documents = options.to === 'serve' && settings.read_model === 'mongodb';
    if (settings.side_store === 'mongodb' || settings.content_store === 'gridfs' || has_documents)
      mongo = opened.add(await openMongo(settings.mongodb_url, settings.mongodb_database));
    const { master_key, recorded, ...parts } = await eventsAndSide(
      settings,
      options,
      mongo,
      opened,
    );
    const read_model: AnyReadModel = opened.add(
      has_documents
        ? await documentsIn(mongo!, options.schema, master_key)
        : new MemoryReadModel(options.schema),
    );
    const contents = opened.add(await contentsOf(settings, options, mongo, recorded));
    return { ...parts, read_model, contents, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw mongo ? mongo.explained(error) : error;
  }
}

async function contentsOf(
  { content_store, event_store, data_dir }: StoreSettings,
  { to }: OpenOptions,
  mongo: MongoConnection | null,
  recorded: Keyed['recorded'],
): Promise<ContentStore> {
  if (content_store === 'gridfs') {
    const { ContentGridFs } = await import('../content-store/gridfs/content-gridfs.js');
    const { db } = mongo!;
    return withUnavailableErrors(
      to === 'read' ? ContentGridFs.reading(db) : await ContentGridFs.open(db),
    );
  }
  // Events in memory have no folder, and end with the process.
  if (event_store === 'memory') return ContentFiles.temporary();
  const folder = join(data_dir, CONTENT_FOLDER);
  return to === 'read' ? ContentFiles.reading(folder) : ContentFiles.open(folder, recorded);
}

/** Stores with the key from which other keys are derived. */
interface Keyed {
  readonly master_key: Uint8Array;
  /** Reads the contents that events name; absent if that takes too long. */
  readonly recorded?: () => Promise<Iterable<RecordedContent>>;
}

async function eventsAndSide(
  settings: StoreSettings,
  options: OpenOptions,
  mongo: MongoConnection | null,
  opened: Opened,
): Promise<Omit<Stores, 'read_model' | 'contents' | 'close'> & Keyed> {
  const on_server = settings.event_store === 'kurrentdb';
  if (!on_server) return { ...embedded(settings, options, opened), shared: null, on_server };
  if (settings.side_store === 'mongodb')
    return { ...(await onServers(settings, options, mongo!, opened)), on_server };
  return { ...(await besideFolder(settings, options, opened)), shared: null, on_server };
}

function embedded(
  { data_dir, event_store, master_key: given }: StoreSettings,
  { to, max_append_bytes }: OpenOptions,
  opened: Opened,
): Pick<Stores, 'events' | 'side'> & Keyed {
  if (event_store === 'memory') {
    const events = opened.add(new MemoryEventStore());
    return { events, side: opened.add(new MemorySideStores()), master_key: randomBytes(32) };
  }
  const configured = given?.toString('hex');
  if (to === 'read') {
    const master_key = readMasterKey(data_dir, configured);
    const stores = opened.add(openSqliteStores({ data_dir, master_key, read_only: true }));
    return { ...stores, master_key };
  }
  const master_key = loadMasterKey(data_dir, configured);
  const stores = opened.add(openSqliteStores({ data_dir, master_key, max_append_bytes }));
  return { ...stores, master_key, recorded: () => recordedContents(stores.events) };
}

async function besideFolder(
  { kurrentdb_url: url, data_dir, master_key }: StoreSettings,
  { to, max_append_bytes }: OpenOptions,
  opened: Opened,
): Promise<Pick<Stores, 'events' | 'side'> & Keyed> {
  const events = await openKurrentEventStore({ url, max_append_bytes });
  const configured_key = master_key?.toString('hex');
  const folder = await openSideFolder(events, {
    ...{ data_dir, configured_key, read_only: to === 'read' },
  }).catch(async (error: unknown) => {
    await events.close();
    throw error;
  });
  opened.add(folder);
  opened.add(events);
  return { events, side: folder.side, master_key: folder.master_key };
}

async function onServers(
  { kurrentdb_url: url, master_key }: StoreSettings,
  { to, max_append_bytes }: OpenOptions,
  mongo: MongoConnection,
  opened: Opened,
): Promise<Pick<Stores, 'events' | 'side' | 'shared'> & Keyed> {
  const { MongoSideStores } = await import('../event-store/mongodb/index.js');
  const stores = await MongoSideStores.open(mongo.db, master_key!, to === 'read');
  const side = withUnavailableErrors(opened.add(stores));
  const events = opened.add(await openKurrentEventStore({ url, max_append_bytes }));
  return { events, side, shared: side, master_key: master_key! };
}

/**
 * Runs a task that only reads on the documents of an installation that has them in MongoDB, separate from its other
 * stores; else on null.
 */
export async function withDocuments<T>(
  { read_model, mongodb_url, mongodb_database, data_dir, master_key }: StoreSettings,
  schema: ReadModelSchema,
  task: (documents: ReadModel | null) => Promise<T>,
): Promise<T> {
  if (read_model !== 'mongodb' || mongodb_url === '') return task(null);
  const mongo = await openMongo(mongodb_url, mongodb_database);
  try {
    const { MongoReadModel } = await import('../read-model/mongodb/mongo-read-model.js');
    const secret = master_key ?? readMasterKey(data_dir);
    return await task(withUnavailableErrors(new MongoReadModel(mongo.db, schema, { secret })));
  } finally {
    await mongo.close();
  }
}

/** Loaded on demand, like the other server adapters: they load the driver. */
async function documentsIn(
  { db }: MongoConnection,
  schema: ReadModelSchema,
  secret: Uint8Array,
): Promise<ReadModel> {
  const { MongoReadModel } = await import('../read-model/mongodb/mongo-read-model.js');
  return withUnavailableErrors(await MongoReadModel.open(db, schema, { secret }));
}

/** Resolves if the stores are reachable. @throws StoreUnavailable */
export async function checkStores({ events, side }: Stores): Promise<void> {
  await checkReads(events);
  await side.jobs.quarantinedReactors(1);
}

/**
 * The stores for read-only access that needs the event index or tiles: the stored ones cannot be updated, so they are
 * built in memory.
 */
export function withOwnCaches(stores: Stores): Stores {
  const { index, tiles } = new MemorySideStores();
  return { ...stores, side: { ...stores.side, index, tiles, close: async () => {} } };
}

/** The stores for read-only access without the stored jobs. */
export function withoutJobs(stores: Stores): Stores {
  return { ...stores, side: { ...stores.side, jobs: new MemorySideStores().jobs } };
}

/**
 * The secret of the key with which this installation signs digests, 32 bytes; without a folder, one for this process.
 * @throws UnusableKey
 */
export function signingKeyOf({ data_dir, side_store, signing_key }: StoreSettings): Uint8Array {
  if (side_store === 'memory') return signing_key ?? randomBytes(32);
  // All processes have the same.
  if (side_store === 'mongodb') return signing_key!;
  return loadSigningKey(data_dir, signing_key?.toString('hex'));
}

/** The same for a read-only command: null if there is none yet; none is created. @throws UnusableKey */
export function readSigningKeyOf(settings: StoreSettings): Uint8Array | null {
  const { data_dir, side_store, signing_key } = settings;
  if (signing_key || side_store !== 'sqlite') return signing_key;
  return hasSigningKey(data_dir) ? signingKeyOf(settings) : null;
}
