import type { EventStore } from '../port.js';
import { readConnectionString } from './cluster/connection-string.js';
import type { KurrentBounds } from './event-store.js';

export { EventStoreUnavailable, UnusableConnectionString } from './cluster/connection-string.js';

interface KurrentOptions extends KurrentBounds {
  /** `kurrentdb://` or `esdb://`, including credentials; secret. */
  readonly url: string;
}

/**
 * Connects and reads once, so that the first command does not wait for the connection (half a second).
 * @throws UnusableConnectionString; EventStoreUnavailable
 */
export async function openKurrentEventStore(options: KurrentOptions): Promise<EventStore> {
  const { url, ...bounds } = options;
  const connection = readConnectionString(url);
  // Loaded only if used: the client takes a quarter of a second, 40 MB and a native library.
  const { connect } = await import('./cluster/connect.js');
  return connect(connection, bounds);
}
