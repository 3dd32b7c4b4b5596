import { createSecretKey } from 'node:crypto';

import type { Page, ReadModel } from './port.js';
import { READ_MODEL_CONTRACT } from './read-model.contract.js';

// A property of many runs takes long on a busy machine.
const empty = <Item>(): Page<Item> => ({
  items: [],
  total: 0,
  before: null,
  after: null,
  revision: -1,
});

/** Knows nothing and does nothing; says `yes` to whatever it is asked to do. */
function idleModel(yes: boolean): ReadModel {
  return {
    durable: true,
    form: '',
    apply: async () => yes,
    build: async () => 0,
    activate: async () => yes,
    sweep: async () => {},
    generations: async () => [],
    checkpoint: async () => null,
    isWithinStep: async () => yes,
    forget: async () => {},
    list: async () => empty(),
    search: async () => empty(),
    entries: async () => [],
    fingerprintKey: () => createSecretKey(new Uint8Array(32)),
    leftOvers: async () => [],
    dropLeftOvers: async () => {},
    close: async () => {},
  };
}

describe('the contract of the read model', () => {
  it('names every case once', () => {
    const names = READ_MODEL_CONTRACT.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(40);
  });

  it.each(READ_MODEL_CONTRACT)('is failed by a model that does nothing: $name', async ({ run }) => {
    await expect(run(async () => idleModel(false))).rejects.toHaveProperty('message');
  });

  it.each(READ_MODEL_CONTRACT)('is failed by one that only says yes: $name', async ({ run }) => {
    await expect(run(async () => idleModel(true))).rejects.toHaveProperty('message');
  });
});
