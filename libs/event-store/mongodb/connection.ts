import {
  type BulkWriteResult,
  type Collection,
  type Db,
  type Document,
  type Filter,
  MongoBulkWriteError,
  MongoClient,
  MongoServerError,
  type MongoClientOptions,
  type OptionalUnlessRequiredId,
  type WithoutId,
} from 'mongodb';

/**
 * What every command asks of the server, here and nowhere else: a write is acknowledged by a majority and
 * survives a change of the primary; reads come from the primary and see what a majority has. Retries are
 * the driver's own: reads always, writes where the server is a replica set (they are exactly-once there).
 */
const OPTIONS: MongoClientOptions = {
  appName: 'drive-workspace-service',
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
  readConcern: { level: 'majority' },
  retryReads: true,
  retryWrites: true,
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  socketTimeoutMS: 30_000,
  ignoreUndefined: true,
  promoteBuffers: true,
};

/** The server cannot be reached or refuses us. The message holds no part of the connection string's secrets. */
export class MongoUnusable extends Error {
  override readonly name = 'MongoUnusable';
}

/**
 * Connects to a server and one of its databases.
 * @throws MongoUnusable when the connection string is none or nobody answers
 */
export async function connectMongo(url: string, database: string): Promise<Connection> {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(url, OPTIONS);
    await client.connect();
    await client.db(database).command({ ping: 1 });
    return { client, db: client.db(database) };
  } catch (error) {
    await client?.close();
    // Not as a cause: what the driver throws may hold the whole connection string.
    throw new MongoUnusable(
      `MongoDB cannot be used: ${withoutSecrets((error as Error).message, url)}`,
    );
  }
}

export interface Connection {
  readonly client: MongoClient;
  readonly db: Db;
}

function withoutSecrets(message: string, url: string): string {
  const user = /^[^/]*\/\/([^@]*)@/.exec(url)?.[1] ?? '';
  const password = user.slice(user.indexOf(':') + 1);
  const secrets = [url, user, password, decoded(password)].filter((secret) => secret !== '');
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const DUPLICATE_KEY = 11_000;
/** "Not implemented", by servers that speak the protocol but know less. */
const NOT_IMPLEMENTED = 238;

export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

export const isNotImplemented = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === NOT_IMPLEMENTED;

/** An upsert that ran into another one of the same id is done again, and then finds what that one made. */
export async function upserting<Result>(upsert: () => Promise<Result>): Promise<Result> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return upsert();
  }
}

/** Inserts what is not there yet, in any order. @returns documents whose id there was already */
export async function insertMissing<Row extends Document>(
  collection: Collection<Row>,
  documents: readonly Row[],
): Promise<readonly Row[]> {
  if (documents.length === 0) return [];
  try {
    await collection.insertMany(documents as OptionalUnlessRequiredId<Row>[], { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return failed.map(({ index }) => documents[index]!);
  }
}

/**
 * Inserts documents or puts them in the place of those with their id, as far as those match the guard.
 * Not one by one as upserts: a guard that does not match would make some servers drop the writes after it.
 */
export async function putAll<Row extends Document>(
  collection: Collection<Row>,
  documents: readonly Row[],
  guard: (document: Row) => Filter<Row> = () => ({}),
): Promise<void> {
  const known = await insertMissing(collection, documents);
  if (known.length === 0) return;
  const writes = known.map((document) => ({
    replaceOne: {
      filter: { ...guard(document), _id: document._id } as Filter<Row>,
      replacement: document as WithoutId<Row>,
    },
  }));
  await (collection.bulkWrite(writes, { ordered: false }) as Promise<BulkWriteResult>);
}

/** Bytes of one's own: the driver's share the message they came in. */
export const bytesOf = (stored: Uint8Array): Uint8Array => new Uint8Array(stored);
