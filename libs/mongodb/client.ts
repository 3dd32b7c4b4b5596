import type { Db, DbOptions, MongoClient, MongoServerError, ReadConcern } from 'mongodb';

/**
 * What every use of MongoDB here rests on, in one place:
 * - Writes are acknowledged by a majority of the replica set, journalled, before a promise settles. So a
 *   checkpoint that is written after documents never survives a failover that those do not.
 * - Reads go to the primary and show what a majority holds: nothing that a failover could take back. What was
 *   acknowledged to anybody before the read began is among it, except in the seconds after a failover: a primary that
 *   does not know yet that it was deposed answers from before it.
 * Said of the database, not of the client: a connection string, which wins over some options of a client, says which
 * servers there are and who asks, never how safely.
 */
const GUARANTEES: DbOptions = {
  writeConcern: { w: 'majority', journal: true },
  // As good as one: made of what holds a level.
  readConcern: { level: 'majority' } as ReadConcern,
  readPreference: 'primary',
};

const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;

const CONNECT_WITHIN_MS = 5000;

/** One pool of connections to a database, shared by all adapters of a process. */
export interface MongoConnection {
  readonly db: Db;
  /** Ends all connections; calls in flight fail. To be called by the opener of the connection. */
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
      serverSelectionTimeoutMS: find_server_within_ms,
      connectTimeoutMS: CONNECT_WITHIN_MS,
      appName: 'drive-workspace-service',
      ignoreUndefined: true,
    });
    await client.connect();
    // Reaches a server and signs in, which connecting alone may put off; and asks what strangers may not.
    await client.db(database).listCollections({}, { nameOnly: true }).hasNext();
  } catch (error) {
    await client?.close();
    const message = `MongoDB${placeOf(client)}: ${refusalOf(error, database) ?? messageOf(error)}`;
    // Not as the cause: it may hold the connection string.
    throw new MongoUnavailable(withoutCredentials(message, url));
  }
  const opened = client;
  return { db: guaranteed(opened, database), close: () => opened.close() };
}

/** A database with the guarantees, whatever the client's connection string says. */
export function guaranteed(client: MongoClient, database: string): Db {
  return client.db(database, GUARANTEES);
}

/** Why a server lets nobody in, and what to do; null if it is something else. */
export function refusalOf(error: unknown, database: string): string | null {
  const { code } = Object(error) as Partial<MongoServerError>;
  if (code === AUTHENTICATION_FAILED)
    return 'user or password of MONGODB_URL are not right, or authSource names another database than the user’s';
  if (code === UNAUTHORIZED)
    return `not allowed to use the database ${database}: MONGODB_URL needs the name and password of a user with the role readWrite on it`;
  return null;
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
