import {
  type BulkWriteResult,
  type Collection,
  type CollectionOptions,
  type Db,
  type Document,
  type Filter,
  MongoServerError,
  type WithoutId,
} from 'mongodb';

import { DUPLICATE_KEY, insertMissing } from '../../mongodb/insert.js';

/** A collection of side stores. Binary fields are read as bytes, as they are written. */
export function sideCollection<Row extends Document>(
  db: Db,
  name: string,
  options: CollectionOptions = {},
): Collection<Row> {
  return db.collection<Row>(`side_${name}`, { promoteBuffers: true, ...options });
}

/** Makes indexes that are missing, one by one: several of them, known already, end a connection to FerretDB. */
export async function ensureIndexes<Row extends Document>(
  collection: Collection<Row>,
  keys: readonly Readonly<Record<string, 1 | -1>>[],
): Promise<void> {
  for (const key of keys) await collection.createIndex(key);
}

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
