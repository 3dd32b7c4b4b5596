import { KurrentDBClient } from '@kurrent/kurrentdb-client';

import { type EventStore, StoreAway } from '../port.js';
import {
  type Connection,
  EventStoreUnavailable,
  UnusableConnectionString,
} from './connection-string.js';
import { type KurrentBounds, KurrentEventStore } from './event-store.js';
import { withHandledPromises } from './handled-promises.js';
import { NativeReaders } from './native-readers.js';
import { Reader } from './reader.js';

/** How long the first answer may take. */
const CONNECT_MS = 10_000;

/** @throws UnusableConnectionString; EventStoreUnavailable */
export async function connect(connection: Connection, bounds: KurrentBounds): Promise<EventStore> {
  const client = withHandledPromises(clientOf(connection.url));
  try {
    // The client connects when it is first used, and only with what is used.
    const natives = new NativeReaders(
      () => clientOf(connection.reads_url).rustClient,
      connection.credentials,
    );
    await new Reader(natives, CONNECT_MS).last();
    return new KurrentEventStore(client, bounds, natives);
  } catch (error) {
    await client.dispose();
    // AccessDeniedError, UnavailableError, NoAnswer …
    const { name } = (error instanceof StoreAway ? error.cause : error) as Error;
    const message = `the event store at ${connection.hosts} cannot be read: ${name}`;
    throw new EventStoreUnavailable(message, { cause: error });
  }
}

function clientOf(url: string): KurrentDBClient {
  try {
    return KurrentDBClient.connectionString(url);
  } catch {
    // The client's error quotes the string.
    throw new UnusableConnectionString('the client cannot read the connection string');
  }
}
