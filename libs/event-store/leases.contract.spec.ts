/** The suite tested: leases that do nothing, and leases that give everybody everything, fail every case. */
import { describe, expect, it } from '@jest/globals';

import { leasesCases } from './leases.contract.js';
import type { PartitionLeases } from './leases.js';

const nothing: PartitionLeases = {
  acquire: async () => null,
  renew: async () => null,
  release: async () => {},
  holders: async () => [],
  position: async () => null,
  savePosition: async () => false,
};

/** Whatever is thrown counts; errors of another realm than the test's are no instances of its Error. */
const fails = (run: Promise<void>): Promise<boolean> =>
  run.then(
    () => false,
    () => true,
  );

describe('the contract of partition leases', () => {
  it.each(leasesCases)('fails leases that do nothing: $name', async ({ run }) => {
    expect(await fails(run(nothing))).toBe(true);
  });

  it.each(leasesCases)('fails leases that refuse nobody: $name', async ({ run }) => {
    const generous: PartitionLeases = {
      ...nothing,
      acquire: async (partition, owner, _, expires_ms) => ({
        ...{ partition, owner, token: 1, expires_ms },
      }),
      renew: async (lease, expires_ms) => ({ ...lease, expires_ms }),
      savePosition: async () => true,
    };
    expect(await fails(run(generous))).toBe(true);
  });
});
