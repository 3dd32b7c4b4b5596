export { MemoryEventStore } from './event-store.js';
export {
  MemoryKeyVault,
  MemoryPresenceStore,
  MemorySideStores,
  MemorySnapshotStore,
} from './side-stores.js';
