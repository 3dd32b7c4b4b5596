import type { Db, MongoClient, MongoClientOptions } from 'mongodb';

/**
 * What every use of MongoDB here rests on, in one place:
 * - Writes are acknowledged by a majority of the replica set, journalled, before a promise settles. So a
 *   checkpoint that is written after documents never survives a failover that those do not.
 * - Reads go to the primary and show what a majority holds: nothing that a failover could take back, and
 *   whatever was acknowledged to anybody before the read began.
 */
const GUARANTEES: MongoClientOptions = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};

const CONNECT_WITHIN_MS = 5000;

/** One pool of connections to a database, shared by all adapters of a process. */
export interface MongoConnection {
  readonly db: Db;
  /** Ends all connections; calls on their way fail. Whoever opened the connection closes it. */
  close(): Promise<void>;
}

/** MongoDB cannot be reached or used as configured. The message holds no password. */
export class MongoUnavailable extends Error {
  override readonly name = 'MongoUnavailable';
}

/**
 * Connects to a server, or to a replica set.
 * @param url connection string (`mongodb://` or `mongodb+srv://`), which may hold a password
 * @param find_server_within_ms how long a primary is looked for, now and later, before a call fails
 * @throws MongoUnavailable
 */
export async function openMongo(
  url: string,
  database: string,
  find_server_within_ms = 5000,
): Promise<MongoConnection> {
  // Who stores elsewhere does not pay for the driver: an eighth of a second at every start.
  const driver = await import('mongodb');
  let client: MongoClient | undefined;
  try {
    client = new driver.MongoClient(url, {
      ...GUARANTEES,
      serverSelectionTimeoutMS: find_server_within_ms,
      connectTimeoutMS: CONNECT_WITHIN_MS,
      appName: 'drive-workspace-service',
      ignoreUndefined: true,
    });
    await client.connect();
    // Reaches a server and signs in, which connecting alone may put off.
    await client.db(database).command({ ping: 1 });
  } catch (error) {
    await client?.close();
    const message = `MongoDB${placeOf(client)}: ${messageOf(error)}`;
    // Not as the cause: it may hold the connection string.
    throw new MongoUnavailable(withoutCredentials(message, url));
  }
  const opened = client;
  return { db: opened.db(database), close: () => opened.close() };
}

/** Where a server is looked for: the driver names it only once a connection has failed, not when time is up before. */
function placeOf(client: MongoClient | undefined): string {
  if (!client) return '';
  const { hosts, srvHost } = client.options;
  return ` at ${srvHost ?? hosts.map(String).join(', ')}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function withoutCredentials(message: string, url: string): string {
  const [, credentials = ''] = /^[^/]*\/\/(.*)@/s.exec(url) ?? [];
  const password = credentials.slice(credentials.indexOf(':') + 1);
  return [credentials, password]
    .flatMap((secret) => [secret, decoded(secret)])
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
