import { READ_MODEL_CONTRACT } from '../read-model.contract.js';
import { DocumentsInMemory } from './testing/documents-in-memory.js';

// A property of many runs takes long on a busy machine.
describe('the queries in memory keep the contract', () => {
  it.each(READ_MODEL_CONTRACT)('$name', async ({ run }) => {
    await expect(run(async (schema) => new DocumentsInMemory(schema))).resolves.toBeUndefined();
  });
});

const candidates = { candidate_cost: 0.001 };
const bits = { candidate_cost: 1e9 };
const shelves = { shelf_slots: 32, unindexed_slots: 0, unindexed_changes: 3, zone_slots: 32 };

// Small blocks are cut, filled and emptied all the time; every query is answered in each way.
describe.each([
  { name: 'by candidates', tuning: { block_records: 2, ...candidates, ...shelves } },
  { name: 'by bits', tuning: { block_records: 3, ...bits, ...shelves } },
  { name: 'by the cheaper way', tuning: { block_records: 5, candidate_cost: 2 } },
])('the queries in memory with small blocks keep the contract $name', ({ tuning }) => {
  it.each(READ_MODEL_CONTRACT)('$name', async ({ run }) => {
    const kept = run(async (schema) => new DocumentsInMemory(schema, tuning));
    await expect(kept).resolves.toBeUndefined();
  });
});

it('blocks hold at least two records', () => {
  expect(() => new DocumentsInMemory({}, { block_records: 1 })).toThrow('at least 2');
});

it('no schema may call a field `id`', () => {
  const things = { created_at: () => 0, filter_text: () => '', fields: { id: () => '' } };
  expect(() => new DocumentsInMemory({ things })).toThrow('always a field');
});
