import { jest } from '@jest/globals';

import { READ_MODEL_CONTRACT } from '../read-model.contract.js';
import { MemoryReadModel } from './memory-read-model.js';

// A property of many runs takes long on a busy machine.
jest.setTimeout(60_000);

describe('MemoryReadModel keeps the contract', () => {
  it.each(READ_MODEL_CONTRACT)('$name', async ({ run }) => {
    await expect(run(async (schema) => new MemoryReadModel(schema))).resolves.toBeUndefined();
  });
});

const candidates = { candidate_cost: 0.001, candidate_text_cost: 0.001 };
const scans = { candidate_cost: 1e9, candidate_text_cost: 1e9 };

// Small blocks are cut, filled and emptied all the time; every query is answered in each way.
describe.each([
  { name: 'by candidates', tuning: { block_records: 2, gram_records: 1, ...candidates } },
  { name: 'by scans', tuning: { block_records: 3, gram_records: 2, ...scans } },
  { name: 'by the cheaper way', tuning: { block_records: 5, candidate_cost: 2 } },
])('MemoryReadModel with small blocks keeps the contract $name', ({ tuning }) => {
  it.each(READ_MODEL_CONTRACT)('$name', async ({ run }) => {
    const kept = run(async (schema) => new MemoryReadModel(schema, tuning));
    await expect(kept).resolves.toBeUndefined();
  });
});

it('blocks hold at least two records', () => {
  expect(() => new MemoryReadModel({}, { block_records: 1 })).toThrow('at least 2');
});

it('no schema may call a field `id`', () => {
  const things = { created_at: () => 0, filter_text: () => '', fields: { id: () => '' } };
  expect(() => new MemoryReadModel({ things })).toThrow('always a field');
});
