import { SqliteEventStore } from './event-store.js';
import { IN_MEMORY } from './files/database.js';

/** The event store of SQLite in the memory of this process. */
export class MemoryEventStore extends SqliteEventStore {
  constructor(options: { readonly max_append_bytes?: number } = {}) {
    super({ path: IN_MEMORY, ...options });
  }
}
