import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { readFileSync } from 'node:fs';

import { type EventStore, StoreAway } from '../port.js';
import {
  type Connection,
  EventStoreUnavailable,
  UnusableConnectionString,
} from './connection-string.js';
import { type KurrentBounds, KurrentEventStore } from './event-store.js';
import { withHandledPromises } from './handled-promises.js';
import { NativeReaders } from './native-readers.js';
import { probe } from './probe.js';
import { Reader } from './reader.js';
import { ServingNode } from './serving-node.js';

/** How long the first answer may take. */
const CONNECT_MS = 10_000;

/** @throws UnusableConnectionString; EventStoreUnavailable */
export async function connect(connection: Connection, bounds: KurrentBounds): Promise<EventStore> {
  checkAuthorities(connection);
  const client = withHandledPromises(clientOf(connection.url));
  try {
    // The client connects when it is first used, and only with what is used.
    const natives = new NativeReaders(
      () => clientOf(connection.reads_url).rustClient,
      connection.credentials,
    );
    await new Reader(natives, CONNECT_MS).last();
    const node = new ServingNode(client, () => natives.leave());
    return new KurrentEventStore(client, bounds, natives, () => node.doubt());
  } catch (error) {
    await client.dispose();
    throw await explained(connection, error);
  }
}

/** Why the event store cannot be read, in a sentence for operators. */
async function explained({ hosts, trust }: Connection, error: unknown): Promise<Error> {
  // AccessDeniedError, UnavailableError, NoAnswer …
  const { name } = (error instanceof StoreAway ? error.cause : error) as Error;
  const cause = { cause: error };
  const place = `the event store at ${hosts}`;
  if (name === 'AccessDeniedError')
    return new EventStoreUnavailable(
      `${place} denies its user to read $all, which is the administrators' alone by default`,
      false,
      cause,
    );
  for (const one of hosts.split(',')) {
    const [host = '', port = '2113'] = one.split(':');
    const found = await probe({ host, port: Number(port), ...trust });
    if (found)
      return new EventStoreUnavailable(
        `the event store at ${one} ${found.sentence}`,
        found.may_pass,
        cause,
      );
  }
  return new EventStoreUnavailable(`${place} cannot be read: ${name}`, true, cause);
}

/** The client would say no more than that it cannot read the connection string. @throws UnusableConnectionString */
function checkAuthorities({ trust: { tls, ca_file } }: Connection): void {
  if (!tls || ca_file === undefined) return;
  const told = 'tlsCaFile of a connection string';
  let text: string;
  try {
    text = readFileSync(ca_file, 'utf8');
  } catch {
    throw new UnusableConnectionString(`${told} cannot be read: ${ca_file}`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UnusableConnectionString(`${told} holds no certificate: ${ca_file}`);
}

function clientOf(url: string): KurrentDBClient {
  try {
    return KurrentDBClient.connectionString(url);
  } catch {
    // The client's error quotes the string.
    throw new UnusableConnectionString('the client cannot read the connection string');
  }
}
