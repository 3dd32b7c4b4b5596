import type { Db, DbOptions, MongoClient, MongoServerError, ReadConcern } from 'mongodb';
import { isMongoUnavailable } from './unavailable.js';

/**
 * Guarantees of every use of MongoDB here:
 * - Writes are acknowledged by a majority of the replica set, journalled, before a promise settles. A checkpoint
 *   written after its documents therefore never survives a failover that they do not survive.
 * - Reads go to the primary and show majority-committed data, which no failover can roll back. They include
 *   everything acknowledged before the read began, except in the seconds after a failover: a deposed primary may
 *   answer with older data. Set on the database, not on the client, because a connection string overrides some
 *   options of a client.
 */
const GUARANTEES: DbOptions = {
  // Without a limit, writes wait for as long as a primary has no majority of members that store data.
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  // Equivalent to an instance: a plain object with a level.
  readConcern: { level: 'majority' } as ReadConcern,
  readPreference: 'primary',
};

const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;

const CONNECT_WITHIN_MS = 5000;

/** One pool of connections to a database, shared by all adapters of a process. */
export interface MongoConnection {
  readonly db: Db;
  /** `MongoUnavailable` for the driver's error of a server that was unavailable; any other error unchanged. */
  explained(error: unknown): unknown;
  /** Ends all connections; calls in flight fail. To be called by the opener of the connection. */
  close(): Promise<void>;
}

/** MongoDB cannot be reached or used as configured. The message contains no password. */
export class MongoUnavailable extends Error {
  override readonly name = 'MongoUnavailable';
  /** @param may_pass true if the problem may be temporary */
  constructor(
    message: string,
    readonly may_pass: boolean,
  ) {
    super(message);
  }
}

/**
 * Connects to a server, or to a replica set.
 * @param url connection string (`mongodb://` or `mongodb+srv://`), which may contain a password
 * @param find_server_within_ms how long a primary is searched, now and later, before a call fails
 * @throws MongoUnavailable
 */
export async function openMongo(
  url: string,
  database: string,
  find_server_within_ms = 5000,
): Promise<MongoConnection> {
  // Loaded only if used: the driver takes an eighth of a second on every start.
  const driver = await import('mongodb');
  let client: MongoClient | undefined;
  try {
    client = new driver.MongoClient(url, {
      serverSelectionTimeoutMS: find_server_within_ms,
      connectTimeoutMS: CONNECT_WITHIN_MS,
      // For a free connection of the pool: without it, requests to a slow server would queue without a bound.
      waitQueueTimeoutMS: find_server_within_ms,
      appName: 'drive-workspace-service',
      ignoreUndefined: true,
    });
    await client.connect();
    // Connects and signs in, which `connect` alone may defer; and requires permissions.
    await client.db(database).listCollections({}, { nameOnly: true }).hasNext();
  } catch (error) {
    await client?.close();
    throw unavailable(error, client, url, database);
  }
  const opened = client;
  return {
    db: guaranteed(opened, database),
    explained: (error) =>
      isMongoUnavailable(error) ? unavailable(error, opened, url, database) : error,
    close: () => opened.close(),
  };
}

/** @param client undefined if the connection string cannot be used */
function unavailable(
  error: unknown,
  client: MongoClient | undefined,
  url: string,
  database: string,
): MongoUnavailable {
  const refusal = refusalOf(error, database);
  const message = `MongoDB${placeOf(client)}: ${refusal ?? messageOf(error)}`;
  // Not as the cause: it may contain the connection string.
  return new MongoUnavailable(withoutCredentials(message, url), !!client && refusal === null);
}

/** A database with the guarantees, whatever the client's connection string says. */
export function guaranteed(client: MongoClient, database: string): Db {
  return client.db(database, GUARANTEES);
}

/** The reason why a server denies access, and the remedy; null for other errors. */
export function refusalOf(error: unknown, database: string): string | null {
  const { code } = Object(error) as Partial<MongoServerError>;
  if (code === AUTHENTICATION_FAILED)
    return 'user or password of MONGODB_URL are wrong, or authSource is not the user’s database';
  if (code === UNAUTHORIZED)
    return `not allowed to use the database ${database}: MONGODB_URL needs the name and password of a user with the role readWrite on it`;
  return null;
}

/** The address searched: the driver names it only after a failed connection, not after a time-out. */
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
