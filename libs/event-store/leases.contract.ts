/** What all leases on partitions must do; cases as in the event store's suite. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from '@jest/globals';

import { IMPLAUSIBLE_LEASE_MS, type Lease, type PartitionLeases } from './leases.js';

interface LeasesCase {
  readonly name: string;
  run(leases: PartitionLeases): Promise<void>;
}

const held = async (leases: PartitionLeases, now_ms: number): Promise<string[]> =>
  Array.from(await leases.holders(now_ms), ({ partition, owner }) => `${partition} ${owner}`);

/** Compared member by member: objects of another realm under a test runner are never deeply equal. */
const plain = (lease: Lease | null) => lease && { ...lease };

export const leasesCases: readonly LeasesCase[] = [
  {
    name: 'a partition has one holder until its lease ends',
    async run(leases) {
      const first = await leases.acquire('p', 'one', 100, 200);
      assert.deepEqual(plain(first), { partition: 'p', owner: 'one', token: 1, expires_ms: 200 });
      assert.equal(await leases.acquire('p', 'two', 199, 300), null);
      const second = await leases.acquire('p', 'two', 200, 300);
      assert.deepEqual(plain(second), { partition: 'p', owner: 'two', token: 2, expires_ms: 300 });
      assert.equal(await leases.acquire('p', 'one', 201, 300), null);
    },
  },
  {
    name: 'of many who ask at a time one gets it',
    async run(leases) {
      const owners = Array.from({ length: 10 }, (_, nth) => `owner ${nth}`);
      const got = await Promise.all(owners.map((owner) => leases.acquire('p', owner, 100, 200)));
      const [holder, ...others] = got.filter((lease) => lease !== null);
      assert.equal(holder?.token, 1);
      assert.equal(others.length, 0);
      const next = await Promise.all(owners.map((owner) => leases.acquire('p', owner, 200, 300)));
      const tokens = next.filter((lease) => lease !== null).map(({ token }) => token);
      assert.deepEqual(tokens, [2]);
    },
  },
  {
    name: 'its holder gets it again with the same token, also with an earlier end',
    async run(leases) {
      await leases.acquire('p', 'one', 100, 200);
      assert.equal((await leases.acquire('p', 'one', 150, 400))?.token, 1);
      const again = await leases.acquire('p', 'one', 150, 300);
      assert.deepEqual([again?.token, again?.expires_ms], [1, 300]);
      assert.equal((await leases.renew(again!, 250))?.expires_ms, 250);
      assert.equal(await leases.acquire('p', 'two', 249, 300), null);
      assert.equal((await leases.acquire('p', 'two', 250, 300))?.token, 2);
    },
  },
  {
    name: 'a lease that a clock ahead gave is free at once',
    async run(leases) {
      const end_ms = 200 + IMPLAUSIBLE_LEASE_MS;
      assert.ok(await leases.acquire('p', 'one', end_ms - 100, end_ms));
      assert.deepEqual(await held(leases, 200), ['p one']);
      assert.equal(await leases.acquire('p', 'two', 200, 300), null);
      assert.deepEqual(await held(leases, 199), []);
      assert.equal((await leases.acquire('p', 'two', 199, 300))?.token, 2);
    },
  },
  {
    name: 'a lease is renewed as long as nobody else took it',
    async run(leases) {
      const lease = (await leases.acquire('p', 'one', 100, 200))!;
      const renewed = await leases.renew(lease, 300);
      assert.deepEqual(plain(renewed), { ...lease, expires_ms: 300 });
      assert.equal(await leases.acquire('p', 'two', 250, 400), null);
      assert.equal((await leases.renew(lease, 500))?.expires_ms, 500);
      assert.ok(await leases.acquire('p', 'two', 500, 600));
      assert.equal(await leases.renew(lease, 700), null);
      assert.deepEqual(await held(leases, 550), ['p two']);
    },
  },
  {
    name: 'a released partition is free at once, and a late release takes nothing away',
    async run(leases) {
      const lease = (await leases.acquire('p', 'one', 100, 200))!;
      await leases.release(lease);
      assert.deepEqual(await held(leases, 100), []);
      assert.equal(await leases.renew(lease, 300), null);
      assert.equal((await leases.acquire('p', 'one', 101, 300))?.token, 2);
      await leases.release(lease);
      assert.deepEqual(await held(leases, 101), ['p one']);
    },
  },
  {
    name: 'holders are listed by partition, without those whose lease has ended',
    async run(leases) {
      await leases.acquire('b', 'one', 100, 200);
      await leases.acquire('c', 'two', 100, 150);
      await leases.acquire('a', 'two', 100, 200);
      assert.deepEqual(await held(leases, 149), ['a two', 'b one', 'c two']);
      assert.deepEqual(await held(leases, 150), ['a two', 'b one']);
    },
  },
  {
    name: 'a position is saved, also an earlier one, only under a lease that is not lost',
    async run(leases) {
      assert.equal(await leases.position('p'), null);
      const lease = (await leases.acquire('p', 'one', 100, 200))!;
      assert.equal(await leases.position('p'), null);
      assert.equal(await leases.savePosition(lease, 7), true);
      assert.equal(await leases.savePosition(lease, 5), true);
      assert.equal(await leases.position('p'), 5);
      const other = (await leases.acquire('p', 'two', 200, 300))!;
      assert.equal(await leases.position('p'), 5);
      assert.equal(await leases.savePosition(lease, 99), false);
      assert.equal(await leases.savePosition(other, 8), true);
      assert.equal(await leases.position('p'), 8);
      await leases.release(other);
      assert.equal(await leases.position('p'), 8);
      assert.equal(await leases.savePosition(other, 9), false);
      assert.equal(await leases.position('q'), null);
    },
  },
];

/**
 * Runs the suite on leases from `makeLeases`, fresh ones for each case.
 * @param makeLeases gives leases and what to do after their case
 */
export function describePartitionLeases(
  name: string,
  makeLeases: () => Promise<{ leases: PartitionLeases; cleanUp?: () => Promise<void> }>,
): void {
  describe(`partition leases: ${name}`, () => {
    let made: Awaited<ReturnType<typeof makeLeases>>;
    beforeEach(async () => {
      made = await makeLeases();
    });
    afterEach(async () => {
      await made.cleanUp?.();
    });
    // oxlint-disable-next-line jest/expect-expect -- the cases assert
    it.each(leasesCases)('$name', ({ run }) => run(made.leases));
  });
}
