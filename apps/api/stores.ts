import { randomBytes } from 'node:crypto';
import { SigningKey } from '../../libs/application/proofs/signing-key.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import type { PartitionLeases } from '../../libs/event-store/leases.js';
import { MemoryEventStore, MemorySideStores } from '../../libs/event-store/memory/index.js';
import type { EventStore } from '../../libs/event-store/port.js';
import {
  loadMasterKey,
  loadSigningKey,
  openSqliteStores,
} from '../../libs/event-store/sqlite/index.js';
import type { SideStores } from '../../libs/event-store/stores.js';
import type { WindowCounts } from '../../libs/event-store/windows.js';
import { type MongoConnection, openMongo } from '../../libs/mongodb/client.js';
import { MemoryReadModel } from '../../libs/read-model/memory/memory-read-model.js';
import type { ReadModel } from '../../libs/read-model/port.js';
import type { Settings } from './platform/settings.js';

/** What processes on the same stores share beside what they store. */
export interface Shared {
  readonly leases: PartitionLeases;
  /** Counts in windows of that length (ms), for rate limits. */
  windows(window_ms: number): Promise<WindowCounts>;
}

/** The stores of a process, open. */
export interface Stores {
  readonly events: EventStore;
  readonly side: SideStores;
  readonly read_model: ReadModel;
  /** Null where no other process writes to the same stores. */
  readonly shared: Shared | null;
  /** Lets go of everything, in the order in which it rests on each other. */
  close(): Promise<void>;
}

/** Closes what was opened, the last first. */
class Opened {
  private readonly closers: (() => Promise<void>)[] = [];

  add<T extends { close(): Promise<void> }>(one: T): T {
    this.closers.push(() => one.close());
    return one;
  }

  async close(): Promise<void> {
    for (const close of this.closers.splice(0).toReversed()) await close();
  }
}

/**
 * Opens the stores that the settings name.
 * @throws Error in words for operators, without secrets, where one cannot be reached or used
 */
export async function openStores(settings: Settings): Promise<Stores> {
  const opened = new Opened();
  try {
    const { event_store, read_model } = settings;
    const mongo =
      event_store === 'kurrentdb' || read_model === 'mongodb'
        ? opened.add(await openMongo(settings.mongodb_url, settings.mongodb_database))
        : null;
    const stores =
      event_store === 'kurrentdb'
        ? await onServers(settings, mongo!, opened)
        : { ...embedded(settings, opened), shared: null };
    const found = opened.add(
      read_model === 'mongodb' ? await documentsIn(mongo!) : new MemoryReadModel(READ_SCHEMA),
    );
    return { ...stores, read_model: found, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function embedded(settings: Settings, opened: Opened): Pick<Stores, 'events' | 'side'> {
  const { data_dir, event_store, batch_max_bytes: max_append_bytes } = settings;
  if (event_store === 'memory')
    return { events: opened.add(new MemoryEventStore()), side: opened.add(new MemorySideStores()) };
  const configured = settings.master_key?.toString('hex');
  const master_key = loadMasterKey(data_dir, configured);
  return opened.add(openSqliteStores({ data_dir, master_key, max_append_bytes }));
}

async function onServers(
  { kurrentdb_url: url, master_key, batch_max_bytes: max_append_bytes }: Settings,
  mongo: MongoConnection,
  opened: Opened,
): Promise<Pick<Stores, 'events' | 'side' | 'shared'>> {
  const { MongoSideStores } = await import('../../libs/event-store/mongodb/index.js');
  const side = opened.add(await MongoSideStores.open(mongo.db, master_key!));
  const events = opened.add(await openKurrentEventStore({ url, max_append_bytes }));
  return { events, side, shared: side };
}

/** Loaded here, as the other adapters of servers are where they are opened: they bring the driver. */
async function documentsIn({ db }: MongoConnection): Promise<ReadModel> {
  const { MongoReadModel } = await import('../../libs/read-model/mongodb/mongo-read-model.js');
  return MongoReadModel.open(db, READ_SCHEMA);
}

/** The key with which this installation signs digests; without a folder to keep it in, one for this process. */
export function openSigningKey({ data_dir, event_store, signing_key }: Settings): SigningKey {
  if (event_store === 'memory') return new SigningKey(signing_key ?? randomBytes(32));
  if (event_store === 'kurrentdb') return new SigningKey(signing_key!);
  return new SigningKey(loadSigningKey(data_dir, signing_key?.toString('hex')));
}
