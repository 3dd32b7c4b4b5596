import { type Collection, MongoBulkWriteError } from 'mongodb';
import { DUPLICATE_KEY, insertMissing, upsertAll } from './put.js';

const DOCUMENTS = [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }];

/** A collection that answers its first write so, and every further one with success; with the names of its calls. */
const answering = (failed: readonly number[], code: number, concern?: object) => {
  const calls: [string, unknown][] = [];
  const write = (name: string) => (documents: unknown) => {
    calls.push([name, documents]);
    if (calls.length > 1) return Promise.resolve();
    const writeErrors = failed.map((index) => ({ index, code }));
    const result = { getWriteConcernError: () => concern };
    const error = { message: 'E11000 duplicate key', code, writeErrors };
    return Promise.reject(new MongoBulkWriteError(error as never, result as never));
  };
  const collection = { insertMany: write('insertMany'), bulkWrite: write('bulkWrite'), calls };
  return collection as unknown as Collection<{ _id: string }> & Pick<typeof collection, 'calls'>;
};

const FAILURES = () =>
  [
    ['another error', answering([1], 121)],
    ['no error of a write', answering([], DUPLICATE_KEY)],
    ['a write concern that failed beside duplicates', answering([1], DUPLICATE_KEY, { code: 64 })],
  ] as const;

describe('inserting what is missing', () => {
  it('gives back what was there', async () => {
    const there = insertMissing(answering([0, 2], DUPLICATE_KEY), DOCUMENTS);
    expect(await there).toEqual([{ _id: 'a' }, { _id: 'c' }]);
  });

  it.each(FAILURES())('fails on %s', async (_, collection) => {
    await expect(insertMissing(collection, DOCUMENTS)).rejects.toThrow(MongoBulkWriteError);
  });
});

describe('upserting', () => {
  it('writes all of them again after a refusal: servers may drop what follows it', async () => {
    const collection = answering([0], DUPLICATE_KEY);
    await upsertAll(collection, DOCUMENTS);
    const replacements = DOCUMENTS.map((document) => ({
      replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
    }));
    expect(collection.calls).toEqual([
      ['bulkWrite', replacements],
      ['insertMany', DOCUMENTS],
    ]);
  });

  it.each(FAILURES())('fails on %s', async (_, collection) => {
    await expect(upsertAll(collection, DOCUMENTS)).rejects.toThrow(MongoBulkWriteError);
    expect(collection.calls).toHaveLength(1);
  });

  it('asks the server for nothing without documents', async () => {
    const collection = answering([], DUPLICATE_KEY);
    await upsertAll(collection, []);
    expect(collection.calls).toEqual([]);
  });
});
