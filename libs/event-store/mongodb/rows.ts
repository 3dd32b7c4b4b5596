import {
  type Collection,
  type CollectionOptions,
  type Db,
  type Document,
  MongoServerError,
} from 'mongodb';
import { DUPLICATE_KEY } from '../../mongodb/put.js';

/** A collection of the side stores. Binary fields are read as bytes. */
export function sideCollection<Row extends Document>(
  db: Db,
  name: string,
  options: CollectionOptions = {},
): Collection<Row> {
  return db.collection<Row>(`side_${name}`, { promoteBuffers: true, ...options });
}

/** The same, with its indexes; they are not created if it is only read. */
export async function openCollection<Row extends Document>(
  db: Db,
  name: string,
  indexes: readonly Readonly<Record<string, 1 | -1>>[],
  read_only: boolean,
): Promise<Collection<Row>> {
  const collection = sideCollection<Row>(db, name);
  if (!read_only) await ensureIndexes(collection, indexes);
  return collection;
}

/** Id of a row that belongs to a drive. */
export const rowId = (drive_id: string, id: string): string => `${drive_id}\n${id}`;

/** Creates missing indexes, one by one: several existing ones in one call end a connection to FerretDB. */
export async function ensureIndexes<Row extends Document>(
  collection: Collection<Row>,
  keys: readonly Readonly<Record<string, 1 | -1>>[],
): Promise<void> {
  for (const key of keys) await collection.createIndex(key);
}

/** Error code of servers that do not implement a command. */
const NOT_IMPLEMENTED = 238;

export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

export const isNotImplemented = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === NOT_IMPLEMENTED;

/** Repeats an upsert that conflicted with another one of the same id, so that it finds that document. */
export async function upserting<Result>(upsert: () => Promise<Result>): Promise<Result> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return upsert();
  }
}

/** A copy: the driver's bytes share the message's buffer. */
export const bytesOf = (stored: Uint8Array): Uint8Array => new Uint8Array(stored);

interface CounterRow {
  readonly _id: string;
  readonly value: number;
}

/** Increasing numbers, each given out once over all processes. */
export class Counters {
  private readonly counters: Collection<CounterRow>;

  constructor(db: Db) {
    this.counters = sideCollection(db, 'counters');
  }

  /** Leaves out the numbers up to `value`. */
  async skip(name: string, value: number): Promise<void> {
    await upserting(() =>
      this.counters.updateOne({ _id: name }, { $max: { value } }, { upsert: true }),
    );
  }

  /** Reserves `count` consecutive numbers for the caller and returns the first; from 1. */
  async take(name: string, count: number): Promise<number> {
    const counter = await upserting(() =>
      this.counters.findOneAndUpdate(
        { _id: name },
        { $inc: { value: count } },
        { upsert: true, returnDocument: 'after' },
      ),
    );
    return counter!.value - count + 1;
  }
}
