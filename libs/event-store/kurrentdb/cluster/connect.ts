import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

import { type EventStore, StoreRefused, StreamDeleted, StoreUnavailable } from '../../port.js';
import { FACTORY_STREAM } from '../../reads.js';
import {
  type Connection,
  EventStoreUnavailable,
  UnusableConnectionString,
} from './connection-string.js';
import { type KurrentBounds, KurrentEventStore } from '../event-store.js';
import { withHandledPromises } from './handled-promises.js';
import { NativeReaders } from './native-readers.js';
import { LAST, Reader } from '../reader.js';
import { findReason, Refusals } from './refusals.js';
import { ServingNode } from './serving-node.js';
import { threadReads } from './thread-reads.js';

/** Maximum wait for the first answer. */
export const CONNECT_MS = 10_000;

/** @throws UnusableConnectionString; EventStoreUnavailable */
export async function connect(connection: Connection, bounds: KurrentBounds): Promise<EventStore> {
  const { client, natives } = openClients(connection);
  try {
    const node = new ServingNode(client, (silent) => natives.leave(silent));
    const refusals = new Refusals(connection);
    await useRights(new Reader(natives, CONNECT_MS, () => {}, refusals));
    return new KurrentEventStore(client, bounds, natives, () => node.doubt(), refusals);
  } catch (error) {
    await client.dispose();
    throw await explained(connection, error);
  }
}

/** The client and its native reader. Each connects on first use. @throws UnusableConnectionString */
export function openClients(connection: Connection): {
  client: KurrentDBClient;
  natives: NativeReaders;
} {
  checkAuthorities(connection);
  const client = withHandledPromises(clientOf(connection.url));
  const natives = new NativeReaders(
    (silent) =>
      isMainThread ? clientOf(readsUrlWithout(connection, silent)).rustClient : threadReads(client),
    connection.credentials,
  );
  return { client, natives };
}

/**
 * The connection string of a native reader. A silent node is no longer asked for the leader, which would take
 * `gossipTimeout`, if at least two others can be asked: a single host would not be asked for the leader at all.
 */
function readsUrlWithout({ hosts, reads_url }: Connection, silent?: string): string {
  const all = hosts.split(',');
  const others = all.filter((host) => silent !== (host.includes(':') ? host : `${host}:2113`));
  return others.length < 2 ? reads_url : reads_url.replace(hosts, () => others.join(','));
}

/** Reads everything that needs a permission of its own: `$all`, streams and their metadata. */
async function useRights(reader: Reader): Promise<void> {
  await reader.last();
  try {
    await reader.stream(FACTORY_STREAM, LAST, 'backward', 1);
    await reader.metadata(FACTORY_STREAM);
  } catch (error) {
    // The engine checks for damaged streams and reports them.
    if (!(error instanceof StreamDeleted)) throw error;
  }
}

/** The reason why the event store cannot be read, in a sentence for operators. */
export async function explained(connection: Connection, error: unknown): Promise<Error> {
  const cause = { cause: error };
  if (error instanceof StoreRefused && (error.cause as Error).name === 'AccessDeniedError')
    return new EventStoreUnavailable(error.message, false, cause);
  // UnavailableError, NoAnswer …
  const { name } = (error instanceof StoreUnavailable ? error.cause : error) as Error;
  const found = await findReason(connection);
  if (found)
    return new EventStoreUnavailable(
      `the event store at ${found.host} ${found.sentence}`,
      found.may_pass,
      cause,
    );
  return new EventStoreUnavailable(
    `the event store at ${connection.hosts} cannot be read: ${name}`,
    true,
    cause,
  );
}

/** The client would only say that it cannot read the connection string. @throws UnusableConnectionString */
function checkAuthorities({ trust: { tls, ca_file } }: Connection): void {
  if (!tls || ca_file === undefined) return;
  const told = 'tlsCaFile of a connection string';
  let text: string;
  try {
    text = readFileSync(ca_file, 'utf8');
  } catch {
    throw new UnusableConnectionString(`${told} cannot be read: ${ca_file}`);
  }
  if (!holdsCertificates(text))
    throw new UnusableConnectionString(`${told} contains no certificate: ${ca_file}`);
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function holdsCertificates(text: string): boolean {
  const found = text.match(CERTIFICATE) ?? [];
  try {
    return found.map((one) => new X509Certificate(one)).length > 0;
  } catch {
    return false;
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
