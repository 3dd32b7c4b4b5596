export { EventStoreUnavailable, UnusableConnectionString } from './cluster/connection-string.js';
export { type KurrentOptions, openKurrentEventStore } from './open.js';
