/** What an administrator of the event store does once for the service; loaded when it is asked for. */
export { type Granted, grantRights, GrantRefused } from '../event-store/kurrentdb/cluster/grant.js';
