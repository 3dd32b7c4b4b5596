import { READ_MODEL_CONTRACT } from '../read-model.contract.js';
import { MemoryReadModel } from './memory-read-model.js';

describe('MemoryReadModel keeps the contract', () => {
  it.each(READ_MODEL_CONTRACT)('$name', async ({ run }) => {
    await expect(run(async (schema) => new MemoryReadModel(schema))).resolves.toBeUndefined();
  });
});

// Small blocks are cut, filled and emptied all the time, even by a handful of records.
describe.each([2, 3, 5])('MemoryReadModel with blocks of %i records keeps the contract', (n) => {
  it.each(READ_MODEL_CONTRACT)('$name', async ({ run }) => {
    const small = { block_records: n };
    const kept = run(async (schema) => new MemoryReadModel(schema, small));
    await expect(kept).resolves.toBeUndefined();
  });
});
