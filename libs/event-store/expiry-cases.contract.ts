/** What every store of expiries must do. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { Expiry, ExpiryStore, SideStores } from './stores.js';

const NOW = 1_700_000_000_000;

const expiry = (fields: Partial<Expiry>): Expiry => ({
  drive_id: randomUUID(),
  at_ms: NOW,
  revision: 7,
  noted_ms: NOW - 1000,
  ...fields,
});

/** An array of this realm, as it may come from another one under a test runner. */
const dueIn = async (store: ExpiryStore, ...asked: Parameters<ExpiryStore['due']>) =>
  Array.from(await store.due(...asked));

export const expiryCases: readonly {
  readonly name: string;
  run(stores: SideStores): Promise<void>;
}[] = [
  {
    name: 'drives with something that has expired are told, the earliest first, and no others',
    async run({ expiries: store }) {
      const [later, now, early] = [{ at_ms: NOW + 1 }, {}, { at_ms: 5 }].map(expiry);
      await store.note([later!, now!, early!]);
      assert.deepEqual(await dueIn(store, NOW, 10), [early, now]);
      assert.deepEqual(await dueIn(store, 4, 10), []);
    },
  },
  {
    name: 'of a drive the earlier time stays, with the higher revision and the later note',
    async run({ expiries: store }) {
      const one = expiry({});
      await store.note([one]);
      await store.note([{ ...one, at_ms: NOW + 9, revision: 3, noted_ms: NOW }]);
      await store.note([{ ...one, at_ms: NOW - 9, revision: 9, noted_ms: 3 }]);
      const together = { ...one, at_ms: NOW - 9, revision: 9, noted_ms: NOW };
      assert.deepEqual(await dueIn(store, NOW, 10), [together]);
    },
  },
  {
    name: 'they are told in pages, also where several expire at one time',
    async run({ expiries: store }) {
      const all = Array.from({ length: 7 }, (_, n) =>
        expiry({ drive_id: `d${n}`, at_ms: Math.floor(n / 3) }),
      );
      await store.note(all.toReversed());
      const found: Expiry[] = [];
      for (let page = await dueIn(store, NOW, 2); page.length > 0;) {
        assert.ok(page.length <= 2);
        found.push(...page);
        page = await dueIn(store, NOW, 2, page.at(-1));
      }
      assert.deepEqual(found, all);
    },
  },
  {
    name: 'a drive is settled to a later time, or to none',
    async run({ expiries: store }) {
      const [one, other] = [expiry({}), expiry({ at_ms: NOW - 1 })];
      await store.note([one, other]);
      assert.equal(await store.advance(one, NOW + 5), true);
      assert.equal(await store.advance(other, null), true);
      assert.deepEqual(await dueIn(store, NOW, 10), []);
      assert.deepEqual(await dueIn(store, NOW + 5, 10), [{ ...one, at_ms: NOW + 5 }]);
    },
  },
  {
    name: 'what was noted meanwhile is not settled',
    async run({ expiries: store }) {
      const seen = expiry({});
      await store.note([seen]);
      for (const newer of [
        { ...seen, at_ms: NOW - 1 },
        { ...seen, revision: 8 },
        { ...seen, noted_ms: NOW },
      ]) {
        await store.note([newer]);
        const [as_is] = await dueIn(store, NOW, 10);
        assert.equal(await store.advance(seen, null), false);
        assert.equal(await store.advance(seen, NOW + 9), false);
        assert.deepEqual(await dueIn(store, NOW, 10), [as_is]);
      }
    },
  },
  {
    name: 'it is complete for a time in the trash once somebody says so, and tells no drive for it',
    async run({ expiries: store }) {
      assert.equal(await store.isComplete(1000), false);
      for (const trash_ms of [2000, 1000, 1000]) await store.complete(trash_ms);
      assert.equal(await store.isComplete(1000), true);
      assert.equal(await store.isComplete(2000), false);
      assert.deepEqual(await dueIn(store, NOW, 10), []);
    },
  },
];
