export { EventStoreUnavailable, UnusableConnectionString } from './connection-string.js';
export { type KurrentOptions, openKurrentEventStore } from './open.js';
