import { randomBytes } from 'node:crypto';
import { SigningKey } from '../../libs/application/proofs/signing-key.js';
import { MemoryEventStore, MemorySideStores } from '../../libs/event-store/memory/index.js';
import type { EventStore } from '../../libs/event-store/port.js';
import {
  loadMasterKey,
  loadSigningKey,
  openSqliteStores,
} from '../../libs/event-store/sqlite/index.js';
import type { SideStores } from '../../libs/event-store/stores.js';
import type { Settings } from './platform/settings.js';

/** The stores of a process, open. */
export interface Stores {
  readonly events: EventStore;
  readonly side: SideStores;
  close(): Promise<void>;
}

/** Opens the stores that the settings name. */
export function openStores(settings: Settings): Stores {
  const { data_dir, event_store, batch_max_bytes } = settings;
  if (event_store === 'memory') {
    const events = new MemoryEventStore();
    const side = new MemorySideStores();
    return {
      events,
      side,
      close: async () => void (await Promise.all([events.close(), side.close()])),
    };
  }
  const configured = settings.master_key?.toString('hex');
  const master_key = loadMasterKey(data_dir, configured);
  return openSqliteStores({ data_dir, master_key, max_append_bytes: batch_max_bytes });
}

/** The key with which this installation signs digests; without a folder to keep it in, one for this process. */
export function openSigningKey({ data_dir, event_store, signing_key }: Settings): SigningKey {
  if (event_store === 'memory') return new SigningKey(signing_key ?? randomBytes(32));
  return new SigningKey(loadSigningKey(data_dir, signing_key?.toString('hex')));
}
