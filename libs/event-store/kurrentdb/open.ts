import { KurrentDBClient } from '@kurrent/kurrentdb-client';

import type { EventStore } from '../port.js';
import {
  type Connection,
  readConnectionString,
  UnusableConnectionString,
} from './connection-string.js';
import { type KurrentBounds, KurrentEventStore } from './event-store.js';
import { Reader } from './reader.js';

/** How long the first answer may take. */
const CONNECT_MS = 10_000;

export interface KurrentOptions extends KurrentBounds {
  /** `kurrentdb://` or `esdb://`, with the credentials; secret. */
  readonly url: string;
}

/**
 * Connects and reads once, so that the first command does not wait for the connection (half a second).
 * @throws UnusableConnectionString; Error when the server does not answer
 */
export async function openKurrentEventStore(options: KurrentOptions): Promise<EventStore> {
  const { url, ...bounds } = options;
  const connection = readConnectionString(url);
  const client = connect(connection);
  try {
    await new Reader(client.rustClient, CONNECT_MS).last();
    return new KurrentEventStore(client, bounds);
  } catch (error) {
    await client.dispose();
    throw new Error(`the event store at ${connection.hosts} does not answer`, { cause: error });
  }
}

function connect({ url }: Connection): KurrentDBClient {
  try {
    return KurrentDBClient.connectionString(url);
  } catch {
    // The client's error quotes the string.
    throw new UnusableConnectionString('the client cannot read the connection string');
  }
}
