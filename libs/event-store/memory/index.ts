export { MemoryPartitionLeases } from './leases.js';
export { MemorySideStores } from './side-stores.js';
