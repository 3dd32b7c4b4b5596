import {
  type Collection,
  type Document,
  MongoBulkWriteError,
  type OptionalUnlessRequiredId,
} from 'mongodb';

export const DUPLICATE_KEY = 11_000;

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
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    const is_unsure = failed.length === 0 || error.result.getWriteConcernError() !== undefined;
    if (is_unsure || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return failed.map(({ index }) => documents[index]!);
  }
}
