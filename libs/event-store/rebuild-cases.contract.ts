/** What every store of rebuilds must do: a part of the job store's suite. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { JobStore, Rebuild } from './jobs.js';

const NOW = 1_700_000_000_000;
const HEARD = { from_ms: NOW, to_ms: NOW + 5 };

const rebuild = (fields: Partial<Rebuild> = {}): Rebuild => ({
  drive_id: randomUUID(),
  job_id: randomUUID(),
  ...{ events_folded: 0, events_total: 10, documents_written: 0 },
  ...{ started_ms: NOW, heard_ms: NOW, finished_ms: null, revision: null, error: null },
  ...fields,
});

export const rebuildCases: readonly {
  readonly name: string;
  run(stores: { readonly jobs: JobStore }): Promise<void>;
}[] = [
  {
    name: 'a rebuild is found as it was noted last, under its drive and name',
    async run({ jobs: { rebuilds } }) {
      const first = rebuild();
      assert.deepEqual(await rebuilds.begin(first, HEARD), { rebuild: first, is_new: true });
      assert.deepEqual(await rebuilds.find(first.drive_id, first.job_id), first);
      const told = { ...first, events_folded: 7, documents_written: 3, heard_ms: NOW + 1 };
      await rebuilds.note(told);
      assert.deepEqual(await rebuilds.find(first.drive_id, first.job_id), told);
      const done = { ...told, finished_ms: NOW + 2, revision: 12 };
      await rebuilds.note(done);
      await rebuilds.note({ ...told, error: 'late' });
      assert.deepEqual(await rebuilds.find(first.drive_id, first.job_id), done);
      assert.equal(await rebuilds.find(randomUUID(), first.job_id), null);
      assert.equal(await rebuilds.find(first.drive_id, randomUUID()), null);
    },
  },
  {
    name: 'a drive has one at a time, however many begin at once; others have theirs',
    async run({ jobs: { rebuilds } }) {
      const { drive_id } = rebuild();
      const asked = Array.from({ length: 5 }, () => rebuild({ drive_id }));
      const begun = await Promise.all(asked.map((one) => rebuilds.begin(one, HEARD)));
      assert.equal(begun.filter(({ is_new }) => is_new).length, 1);
      const running = begun.find(({ is_new }) => is_new)!.rebuild;
      for (const one of begun) assert.deepEqual(one.rebuild, running);
      const other = rebuild();
      assert.deepEqual(await rebuilds.begin(other, HEARD), { rebuild: other, is_new: true });
    },
  },
  {
    name: 'the next one begins when the last has finished, which is still found',
    async run({ jobs: { rebuilds } }) {
      const first = rebuild({ finished_ms: NOW, error: 'no' });
      const next = rebuild({ drive_id: first.drive_id, started_ms: NOW + 5 });
      await rebuilds.begin(first, HEARD);
      assert.deepEqual(await rebuilds.begin(next, HEARD), { rebuild: next, is_new: true });
      assert.deepEqual(await rebuilds.find(first.drive_id, first.job_id), first);
      assert.deepEqual(await rebuilds.find(first.drive_id, next.job_id), next);
    },
  },
  {
    name: 'the next one begins when the process of the last is heard of no more; that one may still end',
    async run({ jobs: { rebuilds } }) {
      const first = rebuild();
      const next = rebuild({ drive_id: first.drive_id });
      await rebuilds.begin(first, HEARD);
      assert.equal((await rebuilds.begin(next, HEARD)).is_new, false);
      assert.equal((await rebuilds.begin(next, { from_ms: NOW + 1, to_ms: NOW + 9 })).is_new, true);
      const done = { ...first, heard_ms: NOW + 9, finished_ms: NOW + 9 };
      await rebuilds.note(done);
      assert.deepEqual(await rebuilds.find(first.drive_id, first.job_id), done);
      assert.deepEqual(await rebuilds.find(first.drive_id, next.job_id), next);
    },
  },
  {
    name: 'the next one begins when the last was heard of by a clock that was ahead',
    async run({ jobs: { rebuilds } }) {
      const first = rebuild({ heard_ms: HEARD.to_ms + 1 });
      const next = rebuild({ drive_id: first.drive_id });
      await rebuilds.begin(first, HEARD);
      assert.equal((await rebuilds.begin(next, HEARD)).is_new, true);
      const other = rebuild({ drive_id: first.drive_id });
      assert.deepEqual(await rebuilds.begin(other, HEARD), { rebuild: next, is_new: false });
    },
  },
  {
    name: 'one may begin again under its name; what is told of the former is ignored then',
    async run({ jobs: { rebuilds } }) {
      const first = rebuild({ finished_ms: NOW, error: 'no' });
      await rebuilds.begin(first, HEARD);
      const again = { ...first, started_ms: NOW + 5, finished_ms: null, error: null };
      assert.equal((await rebuilds.begin(again, HEARD)).is_new, true);
      await rebuilds.note({ ...first, error: 'late' });
      assert.deepEqual(await rebuilds.find(first.drive_id, first.job_id), again);
    },
  },
  {
    name: 'rebuilds are forgotten by age',
    async run({ jobs: { rebuilds } }) {
      const [old, young] = [rebuild({ started_ms: NOW - 1 }), rebuild()];
      for (const one of [old, young]) await rebuilds.begin(one, HEARD);
      await rebuilds.trim(NOW);
      assert.equal(await rebuilds.find(old.drive_id, old.job_id), null);
      assert.deepEqual(await rebuilds.find(young.drive_id, young.job_id), young);
    },
  },
];
