import { type Collection, MongoBulkWriteError } from 'mongodb';
import { DUPLICATE_KEY, insertMissing } from './insert.js';

const DOCUMENTS = [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }];

/** A collection that answers an insert so. */
const answering = (failed: readonly number[], code: number, concern?: object) =>
  ({
    insertMany: () => {
      const writeErrors = failed.map((index) => ({ index, code }));
      const result = { getWriteConcernError: () => concern };
      const error = { message: 'E11000 duplicate key', code, writeErrors };
      return Promise.reject(new MongoBulkWriteError(error as never, result as never));
    },
  }) as unknown as Collection<{ _id: string }>;

describe('inserting what is missing', () => {
  it('gives back what was there', async () => {
    const there = insertMissing(answering([0, 2], DUPLICATE_KEY), DOCUMENTS);
    expect(await there).toEqual([{ _id: 'a' }, { _id: 'c' }]);
  });

  it.each([
    ['another error', answering([1], 121)],
    ['no error of a write', answering([], DUPLICATE_KEY)],
    ['a write concern that failed beside duplicates', answering([1], DUPLICATE_KEY, { code: 64 })],
  ])('fails on %s', async (_, collection) => {
    await expect(insertMissing(collection, DOCUMENTS)).rejects.toThrow(MongoBulkWriteError);
  });
});
