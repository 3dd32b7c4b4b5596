import {
  type AnyBulkWriteOperation,
  type BulkWriteResult,
  type Collection,
  type Document,
  type Filter,
  MongoBulkWriteError,
  type OptionalUnlessRequiredId,
  type WithoutId,
} from 'mongodb';

export const DUPLICATE_KEY = 11_000;

/** Filter for the stored document with the same id that a document may replace; absent: whatever is stored. */
type Guard<Row> = (document: Row) => Filter<Row>;

/**
 * Inserts documents that do not exist yet, in any order. @returns documents whose id existed already
 * @throws also if the rest was inserted with less safety than required, which the driver's error hides behind
 *   duplicates
 */
export async function insertMissing<Row extends Document>(
  collection: Collection<Row>,
  documents: readonly Row[],
): Promise<readonly Row[]> {
  if (documents.length === 0) return [];
  try {
    await collection.insertMany(documents as OptionalUnlessRequiredId<Row>[], { ordered: false });
    return [];
  } catch (error) {
    return duplicatesIn(error).map((index) => documents[index]!);
  }
}

/** Inserts documents, most of which do not exist, and replaces the others. One command if none exists. */
export async function insertOrReplace<Row extends Document>(
  collection: Collection<Row>,
  documents: readonly Row[],
  guard?: Guard<Row>,
): Promise<void> {
  const known = await insertMissing(collection, documents);
  if (known.length > 0) await replace(collection, known, { upsert: false, guard });
}

/**
 * Inserts or replaces documents, most of which exist. One command if the guard lets all of them be replaced. Otherwise
 * the server tries to insert those that the guard protects, and FerretDB drops the writes after such a failure: all are
 * written again.
 */
export async function upsertAll<Row extends Document>(
  collection: Collection<Row>,
  documents: readonly Row[],
  guard?: Guard<Row>,
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await replace(collection, documents, { upsert: true, guard });
  } catch (error) {
    duplicatesIn(error);
    await insertOrReplace(collection, documents, guard);
  }
}

function replace<Row extends Document>(
  collection: Collection<Row>,
  documents: readonly Row[],
  { upsert, guard }: { readonly upsert: boolean; readonly guard: Guard<Row> | undefined },
): Promise<BulkWriteResult> {
  const writes = documents.map((document): AnyBulkWriteOperation<Row> => {
    const filter = { ...guard?.(document), _id: document._id } as Filter<Row>;
    return { replaceOne: { filter, replacement: document as WithoutId<Row>, upsert } };
  });
  return collection.bulkWrite(writes, { ordered: false });
}

/**
 * Places of the documents whose ids existed, if that is all that failed.
 * @throws the error otherwise, also if other writes are less safe than required, which it hides behind duplicates
 */
function duplicatesIn(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const failed = [error.writeErrors].flat();
  const is_unsure = failed.length === 0 || error.result.getWriteConcernError() !== undefined;
  if (is_unsure || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return failed.map(({ index }) => index);
}
