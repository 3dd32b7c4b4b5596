/** The suite tested: stores that do nothing fail every case. */
import { describe, expect, it } from '@jest/globals';

import { sideStoresCases } from './side-stores.contract.js';
import type { SideStores } from './stores.js';

const nothing: SideStores = {
  keys: {
    get: async () => undefined,
    all: async () => new Map(),
    put: async () => [],
    destroy: async () => {},
  },
  snapshots: {
    latest: async () => null,
    put: async () => {},
    list: async () => [],
    drop: async () => {},
  },
  tiles: {
    get: async () => null,
    last: async () => null,
    put: async () => {},
    drop: async () => {},
  },
  index: {
    append_events: 1,
    position: async () => null,
    append: async () => {},
    find: async () => [],
    count: async () => 0,
    firstDifference: async () => null,
    countTypes: async () => [],
    replace: async () => {},
    drop: async () => {},
  },
  presence: {
    load: async () => new Map(),
    save: async () => {},
    rename: async () => {},
    delete: async () => {},
  },
  nonces: { use: async () => true },
  expiries: {
    note: async () => {},
    due: async () => [],
    advance: async () => false,
    isComplete: async () => false,
    complete: async () => {},
  },
  jobs: {
    rebuilds: {
      begin: async (rebuild) => ({ rebuild, is_new: false }),
      note: async () => {},
      find: async () => null,
      trim: async () => {},
    },
    open: async () => {},
    reactor: async () => null,
    reactors: async () => [],
    quarantinedReactors: async () => [],
    quarantine: async () => {},
    close: async () => {},
    advance: async () => false,
    enqueue: async () => 0,
    due: async () => [],
    claim: async () => null,
    nextDue: async () => null,
    waitingIn: async () => [],
    postpone: async () => {},
    finish: async () => {},
    dismiss: async () => {},
    drop: async () => {},
    attempts: async () => [],
    attemptCount: async () => 0,
    trim: async () => {},
    counts: async () => ({ waiting: 0, quarantined: 0, reactors_quarantined: 0 }),
  },
  close: async () => {},
};

/** Whatever is thrown counts; errors of another realm than the test's are no instances of its Error. */
const fails = (run: Promise<void>): Promise<boolean> =>
  run.then(
    () => false,
    () => true,
  );

describe('the contract of side stores', () => {
  it.each(sideStoresCases)('fails stores that do nothing: $name', async ({ run }) => {
    expect(await fails(run(nothing))).toBe(true);
  });
});
