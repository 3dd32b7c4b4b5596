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

const candidates = { candidate_cost: 0.001 };
const bits = { candidate_cost: 1e9 };
const shelves = { shelf_slots: 32, unindexed_slots: 0, unindexed_changes: 3, zone_slots: 32 };

// Small blocks are cut, filled and emptied all the time; every query is answered in each way.
describe.each([
  { name: 'by candidates', tuning: { block_records: 2, ...candidates, ...shelves } },
  { name: 'by bits', tuning: { block_records: 3, ...bits, ...shelves } },
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

it('a step of very many documents leaves the event loop its turns, and is one step nevertheless', async () => {
  const MANY = 30_000;
  const schema = { created_at: () => 0, filter_text: () => '', fields: {} };
  const model = new MemoryReadModel({ things: schema });
  const record = {};
  const document = (family: string, id: string) => ({ family, id, revision: 0, record });
  const at = (revision: number) => ({ revision, event_hash: new Uint8Array() });
  const none = { document, *documents() {} };
  await model.build('DriveID_a', 'first', at(0), none);
  await model.activate('DriveID_a', 'first');
  const touched = Array.from({ length: MANY }, (_, nth) => ({ family: 'things', id: `${nth}` }));
  const step = { drive_id: 'DriveID_a', generation: 'first', from_revision: 0, ...at(1) };
  const turns = await turnsDuring(async () => {
    // The same step again comes too late, whether or not the first is over.
    const applied = [1, 2].map(() => model.apply({ ...step, touched, source: none }));
    expect(await Promise.all(applied)).toEqual([true, false]);
  });
  expect(turns).toBeGreaterThan(1);
  const { total } = await model.list('DriveID_a', {
    family: 'things',
    visible: 'all',
    direction: 'ASC',
    page_size: 1,
  });
  expect(total).toBe(MANY);
});

it('a build leaves the event loop its turns after about a millisecond of work', async () => {
  const record = {};
  const schema = { created_at: () => 0, filter_text: slowText, fields: {} };
  const model = new MemoryReadModel({ things: schema });
  const document = (family: string, id: string) => ({ family, id, revision: 0, record });
  const source = {
    document,
    *documents(family: string) {
      for (let nth = 0; nth < 1_000; nth++) yield document(family, `${nth}`);
    },
  };
  const place = { revision: 0, event_hash: new Uint8Array() };
  const turns = await turnsDuring(async () => {
    expect(await model.build('DriveID_a', 'first', place, source)).toBe(1_000);
  });
  // 100 ms of work at least, 3 ms of it in a step.
  expect(turns).toBeGreaterThan(20);
});

/** Turns of the event loop while a task runs. */
async function turnsDuring(task: () => Promise<void>): Promise<number> {
  let turns = 0;
  let is_over = false;
  const turn = (): void => {
    turns++;
    if (!is_over) setImmediate(turn);
  };
  setImmediate(turn);
  await task();
  is_over = true;
  return turns;
}

/** Takes as long as the texts of many members. */
function slowText(): string {
  const end_ms = performance.now() + 0.1;
  while (performance.now() < end_ms);
  return '';
}
