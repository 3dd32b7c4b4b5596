/** What every set of side stores must do; cases as in the event store's suite. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from '@jest/globals';

import { jobsCases as jobs } from './jobs-cases.contract.js';
import type { SideStores, Snapshot } from './stores.js';
import { expiryCases } from './expiry-cases.contract.js';
import { indexCases } from './index-cases.contract.js';
import { tileCases } from './tile-cases.contract.js';

interface SideStoresCase {
  readonly name: string;
  run(stores: SideStores): Promise<void>;
}

const freshDrive = (): string => randomUUID();
const freshKey = (): Uint8Array => new Uint8Array(randomBytes(32));

/** Hexadecimal, since keys of equal bytes may come from another realm under a test runner. */
const hex = (bytes: Uint8Array | null | undefined): string | null | undefined =>
  bytes && Buffer.from(bytes).toString('hex');

const hexOf = (keys: ReadonlyMap<string, Uint8Array>): Record<string, string | null | undefined> =>
  Object.fromEntries([...keys].map(([key_id, key]) => [key_id, hex(key)]));

function snapshot(fields: Partial<Snapshot>): Snapshot {
  return {
    drive_id: freshDrive(),
    revision: 0,
    event_hash: freshKey(),
    state_version: 'v1',
    body: new Uint8Array(randomBytes(100)),
    ...fields,
  };
}

const keys: SideStoresCase[] = [
  {
    name: 'stored keys are read back, one by one and all of a drive',
    async run({ keys: vault }) {
      const drive = freshDrive();
      const stored = new Map([
        ['drive', freshKey()],
        ['subject/ü', freshKey()],
      ]);
      await vault.put(drive, stored);
      assert.equal(hex(await vault.get(drive, 'drive')), hex(stored.get('drive')));
      assert.deepEqual(hexOf(await vault.all(drive)), hexOf(stored));
      assert.equal(await vault.get(drive, 'other'), undefined);
    },
  },
  {
    name: 'a drive has its own keys only',
    async run({ keys: vault }) {
      const [one, two] = [freshDrive(), freshDrive()];
      const [key, other] = [freshKey(), freshKey()];
      await vault.put(one, new Map([['drive', key]]));
      await vault.put(two, new Map([['drive', other]]));
      await vault.destroy(two, ['drive']);
      assert.deepEqual(hexOf(await vault.all(one)), { drive: hex(key) });
      assert.deepEqual(hexOf(await vault.all(two)), {});
      assert.equal(await vault.get(freshDrive(), 'drive'), undefined);
    },
  },
  {
    name: 'an id keeps its first key; new ids of the same call are stored',
    async run({ keys: vault }) {
      const drive = freshDrive();
      const [first, second, fresh] = [freshKey(), freshKey(), freshKey()];
      assert.deepEqual(await vault.put(drive, new Map([['a', first]])), []);
      const existed = await vault.put(
        drive,
        new Map([
          ['a', second],
          ['b', fresh],
        ]),
      );
      assert.deepEqual(existed, ['a']);
      assert.deepEqual(hexOf(await vault.all(drive)), { a: hex(first), b: hex(fresh) });
    },
  },
  {
    name: 'a destroyed key is gone for good, also one destroyed before it was ever put',
    async run({ keys: vault }) {
      const drive = freshDrive();
      const kept = freshKey();
      await vault.put(
        drive,
        new Map([
          ['gone', freshKey()],
          ['kept', kept],
        ]),
      );
      await vault.destroy(drive, ['gone', 'never-seen']);
      await vault.destroy(drive, ['gone']);
      const existed = await vault.put(
        drive,
        new Map([
          ['gone', freshKey()],
          ['never-seen', freshKey()],
        ]),
      );
      assert.deepEqual([...existed].sort(), ['gone', 'never-seen']);
      assert.equal(await vault.get(drive, 'gone'), null);
      assert.equal(await vault.get(drive, 'never-seen'), null);
      assert.deepEqual(hexOf(await vault.all(drive)), { kept: hex(kept) });
    },
  },
  {
    name: 'a key of another length than 32 bytes is refused, and no other of its call is stored',
    async run({ keys: vault }) {
      const drive = freshDrive();
      const wrong = new Map([
        ['good', freshKey()],
        ['short', new Uint8Array(31)],
      ]);
      await assert.rejects(vault.put(drive, wrong), RangeError);
      assert.equal((await vault.all(drive)).size, 0);
    },
  },
  {
    name: 'all keys of a drive are given, however many they are',
    async run({ keys: vault }) {
      const drive = freshDrive();
      const names = Array.from({ length: 450 }, (_, nth) => `subject-${nth}`);
      await vault.put(drive, new Map(names.map((name) => [name, freshKey()])));
      await vault.put(freshDrive(), new Map([['subject-0', freshKey()]]));
      await vault.destroy(drive, ['subject-7']);
      const kept = names.filter((name) => name !== 'subject-7').sort();
      assert.deepEqual([...(await vault.all(drive)).keys()].sort(), kept);
    },
  },
  {
    name: 'keys handed over and handed out may be overwritten by their holder',
    async run({ keys: vault }) {
      const drive = freshDrive();
      // A Buffer, whose slices share its bytes.
      const key = randomBytes(32);
      const expected = hex(key);
      await vault.put(drive, new Map([['a', key]]));
      key.fill(0);
      (await vault.get(drive, 'a'))?.fill(0);
      (await vault.all(drive)).get('a')?.fill(0);
      assert.equal(hex(await vault.get(drive, 'a')), expected);
    },
  },
];

const snapshots: SideStoresCase[] = [
  {
    name: 'a snapshot is read back whole',
    async run({ snapshots: store }) {
      const stored = snapshot({ revision: 12, body: new Uint8Array(randomBytes(2_000_000)) });
      await store.put(stored);
      const read = await store.latest(stored.drive_id, 'v1', 12);
      assert.ok(read);
      assert.equal(read.drive_id, stored.drive_id);
      assert.equal(read.revision, 12);
      assert.equal(read.state_version, 'v1');
      assert.equal(hex(read.event_hash), hex(stored.event_hash));
      assert.ok(Buffer.from(stored.body).equals(read.body));
    },
  },
  {
    name: 'the latest is the newest of its shape at or below a revision',
    async run({ snapshots: store }) {
      const drive_id = freshDrive();
      for (const revision of [30, 10, 20]) await store.put(snapshot({ drive_id, revision }));
      await store.put(snapshot({ drive_id, revision: 25, state_version: 'v2' }));
      await store.put(snapshot({ revision: 22 }));
      const latest = async (version: string, at_most: number) =>
        (await store.latest(drive_id, version, at_most))?.revision;
      assert.equal(await latest('v1', Infinity), 30);
      assert.equal(await latest('v1', 29), 20);
      assert.equal(await latest('v1', 20), 20);
      assert.equal(await latest('v1', 9), undefined);
      assert.equal(await latest('v2', 29), 25);
      assert.equal(await store.latest(drive_id, 'v3', Infinity), null);
    },
  },
  {
    name: 'a snapshot put again at its place replaces the former',
    async run({ snapshots: store }) {
      const first = snapshot({ revision: 5 });
      const second = { ...first, body: new Uint8Array(randomBytes(50)) };
      await store.put(first);
      await store.put(second);
      const read = await store.latest(first.drive_id, 'v1', 5);
      assert.equal(hex(read?.body), hex(second.body));
      assert.equal((await store.list(first.drive_id)).length, 1);
    },
  },
  {
    name: 'snapshots are listed oldest first, and dropped by revision in every shape',
    async run({ snapshots: store }) {
      const drive_id = freshDrive();
      const other = snapshot({ revision: 20 });
      await store.put(other);
      await store.put(snapshot({ drive_id, revision: 20, body: new Uint8Array(7) }));
      await store.put(snapshot({ drive_id, revision: 20, state_version: 'v2' }));
      await store.put(snapshot({ drive_id, revision: 10, body: new Uint8Array(9) }));
      const places = async () =>
        Array.from(
          await store.list(drive_id),
          ({ revision, state_version, bytes }) => `${revision} ${state_version} ${bytes}`,
        );
      assert.deepEqual(await places(), ['10 v1 9', '20 v1 7', '20 v2 100']);
      await store.drop(drive_id, [20, 99]);
      assert.deepEqual(await places(), ['10 v1 9']);
      assert.equal((await store.list(other.drive_id)).length, 1);
    },
  },
];

const presence: SideStoresCase[] = [
  {
    name: 'times last seen are kept by drive, and an earlier one is ignored',
    async run({ presence: store }) {
      const [drive, other] = [freshDrive(), freshDrive()];
      await store.save(
        drive,
        new Map([
          ['a', 1_700_000_000_100],
          ['b', 50],
        ]),
      );
      await store.save(other, new Map([['a', 7]]));
      await store.save(
        drive,
        new Map([
          ['a', 90],
          ['b', 60],
        ]),
      );
      const seen = Object.fromEntries(await store.load(drive));
      assert.deepEqual(seen, { a: 1_700_000_000_100, b: 60 });
      assert.deepEqual(Object.fromEntries(await store.load(other)), { a: 7 });
    },
  },
  {
    name: 'a renamed user keeps the later of both times',
    async run({ presence: store }) {
      const drive = freshDrive();
      await store.save(drive, new Map(Object.entries({ old: 20, known: 10, late: 30, same: 5 })));
      await store.rename(drive, 'old', 'known');
      await store.rename(drive, 'known', 'late');
      await store.rename(drive, 'late', 'new');
      await store.rename(drive, 'nobody', 'somebody');
      await store.rename(drive, 'same', 'same');
      assert.deepEqual(Object.fromEntries(await store.load(drive)), { new: 30, same: 5 });
    },
  },
  {
    name: 'a deleted time is gone, for that user of that drive only',
    async run({ presence: store }) {
      const [drive, other] = [freshDrive(), freshDrive()];
      for (const one of [drive, other])
        await store.save(one, new Map(Object.entries({ a: 1, b: 2 })));
      await store.delete(drive, 'a');
      await store.delete(drive, 'nobody');
      assert.deepEqual(Object.fromEntries(await store.load(drive)), { b: 2 });
      assert.deepEqual(Object.fromEntries(await store.load(other)), { a: 1, b: 2 });
    },
  },
];

const nonces: SideStoresCase[] = [
  {
    name: 'a nonce is used once',
    async run({ nonces: store }) {
      const [key, now] = [`UserID_a ${randomUUID()}`, Date.now()];
      assert.equal(await store.use(key, now + 60_000, now), true);
      assert.equal(await store.use(key, now + 60_000, now), false);
      assert.equal(await store.use(key, now + 90_000, now + 10), false);
      assert.equal(await store.use(`${key}b`, now + 60_000, now), true);
      const both = `UserID_b ${randomUUID()}`;
      const used = await Promise.all([1, 2, 3].map(() => store.use(both, now + 60_000, now)));
      assert.deepEqual(used.filter(Boolean), [true]);
    },
  },
];

/** Every case of the suite; stores that do nothing fail each. */
export const sideStoresCases: readonly SideStoresCase[] = [
  ...keys,
  ...snapshots,
  ...tileCases,
  ...indexCases,
  ...presence,
  ...nonces,
  ...expiryCases,
  ...jobs,
];

/**
 * Runs the suite on side stores from `makeStores`, fresh ones for each case.
 * @param makeStores gives stores and what to do after their case (the stores are closed before)
 */
export function describeSideStores(
  name: string,
  makeStores: () => Promise<{ stores: SideStores; cleanUp?: () => Promise<void> }>,
): void {
  describe(`side stores: ${name}`, () => {
    let made: Awaited<ReturnType<typeof makeStores>>;
    beforeEach(async () => {
      made = await makeStores();
    });
    afterEach(async () => {
      await made.stores.close();
      await made.cleanUp?.();
    });
    // oxlint-disable-next-line jest/expect-expect -- the cases assert
    it.each(sideStoresCases)('$name', ({ run }) => run(made.stores));
  });
}
