/** One-time preparation by an administrator of the event store; loaded on demand. */
export { type Granted, grantRights, GrantRefused } from '../event-store/kurrentdb/cluster/grant.js';
