export { MemoryEventIndex } from './event-index.js';
export { MemoryEventStore } from './event-store.js';
export { MemoryPartitionLeases } from './leases.js';
export {
  MemoryKeyVault,
  MemoryPresenceStore,
  MemorySideStores,
  MemorySnapshotStore,
  MemoryTileStore,
} from './side-stores.js';
