import {
  type Collection,
  type Document,
  MongoBulkWriteError,
  type OptionalUnlessRequiredId,
} from 'mongodb';

export const DUPLICATE_KEY = 11_000;

/**
 * Inserts what is not there yet, in any order. @returns documents whose id there was already
 * @throws also when the rest was inserted, but not as safely as asked for: duplicates hide that from the driver's error
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
