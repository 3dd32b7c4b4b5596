/** What every job store must do: a part of the side stores' suite. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';

import { rebuildCases } from './rebuild-cases.contract.js';
import {
  LONGEST_WAIT_MS,
  type Delivery,
  type JobStore,
  type NewAttempt,
  type NewDelivery,
  type ReactorPosition,
} from './jobs.js';

interface JobsCase {
  readonly name: string;
  run(stores: { readonly jobs: JobStore }): Promise<void>;
}

const DAY_MS = 86_400_000;
const ROOM = { count: 100, bytes: 10_000 };

function position(fields: Partial<ReactorPosition> = {}): ReactorPosition {
  return { drive_id: randomUUID(), revision: 5, event_hash: randomBytes(32), ...fields };
}

function delivery(fields: Partial<NewDelivery> = {}): NewDelivery {
  return {
    drive_id: 'drive',
    webhook_id: 'hook',
    delivery_id: randomUUID(),
    event: 'file.created',
    revision: 3,
    sealed: 'body',
    queued_ms: 100,
    ...fields,
  };
}

/** Number of pending deliveries of a drive. */
const waiting = async (jobs: JobStore, drive_id: string): Promise<number> =>
  (await jobs.waitingIn(drive_id, 0, 100)).length;

const attempt = (outcome: NewAttempt['outcome'], at_ms: number): NewAttempt => ({
  at_ms,
  status: outcome === 'delivered' ? 200 : null,
  latency_ms: 12,
  outcome,
  reason: outcome === 'delivered' ? null : 'no answer',
});

const names = (deliveries: readonly Delivery[]): string[] =>
  Array.from(deliveries, ({ webhook_id, sealed }) => `${webhook_id} ${sealed}`);

const plain = ({ drive_id, revision, event_hash }: ReactorPosition): unknown => ({
  drive_id,
  revision,
  event_hash: Buffer.from(event_hash).toString('hex'),
});

const next = (from: ReactorPosition, by = 1): ReactorPosition =>
  position({ drive_id: from.drive_id, revision: from.revision + by });

const reactors: JobsCase[] = [
  {
    name: 'an open reactor stays where it is when it is opened again',
    async run({ jobs }) {
      const first = position();
      await jobs.open(first, 10);
      await jobs.open(next(first), 20);
      const found = await jobs.reactor(first.drive_id);
      assert.ok(found);
      assert.deepEqual(plain(found), plain(first));
      assert.deepEqual([found.opened_ms, found.quarantined], [20, null]);
      assert.equal(await jobs.reactor(randomUUID()), null);
    },
  },
  {
    name: 'reactors are listed in pages by drive',
    async run({ jobs }) {
      for (const drive_id of ['b', 'c', 'a']) await jobs.open(position({ drive_id }), 1);
      const listed = async (after: string, limit: number): Promise<string[]> =>
        Array.from(await jobs.reactors(after, limit), ({ drive_id }) => drive_id);
      assert.deepEqual(await listed('', 2), ['a', 'b']);
      assert.deepEqual(await listed('b', 2), ['c']);
    },
  },
  {
    name: 'a reactor moves on together with what it found, and only from where it stands',
    async run({ jobs }) {
      const from = position({ drive_id: 'drive' });
      const to = next(from, 2);
      await jobs.open(from, 1);
      assert.equal(await jobs.advance(from, to, [delivery()], ROOM), true);
      assert.deepEqual(plain((await jobs.reactor('drive'))!), plain(to));
      assert.equal((await jobs.due(100, 9)).length, 1);
      const elsewhere = [from, { ...to, event_hash: randomBytes(32) }, position()];
      for (const wrong of elsewhere)
        assert.equal(await jobs.advance(wrong, next(to), [delivery()], ROOM), false);
      assert.deepEqual(plain((await jobs.reactor('drive'))!), plain(to));
      assert.equal(await waiting(jobs, 'drive'), 1);
    },
  },
  {
    name: 'a quarantined reactor stands still with all that waits, until it is opened anew',
    async run({ jobs }) {
      const from = position({ drive_id: 'drive' });
      await jobs.open(from, 1);
      await jobs.enqueue([delivery(), delivery({ drive_id: 'other' })], ROOM);
      await jobs.quarantine('drive', 'the stream was rewound');
      assert.equal((await jobs.reactor('drive'))?.quarantined, 'the stream was rewound');
      assert.equal(await jobs.advance(from, next(from), [], ROOM), false);
      assert.deepEqual(
        Array.from(await jobs.due(1_000, 9), ({ drive_id }) => drive_id),
        ['other'],
      );
      assert.equal((await jobs.due(1_000, 9, ['other'])).length, 0);
      assert.equal((await jobs.due(1_000, 9, ['third'])).length, 1);
      assert.equal(await jobs.nextDue(0), 100);
      assert.equal((await jobs.counts()).reactors_quarantined, 1);
      assert.deepEqual(
        Array.from(await jobs.quarantinedReactors(9), ({ drive_id }) => drive_id),
        ['drive'],
      );
      const anew = next(from, -3);
      await jobs.open(anew, 30);
      assert.deepEqual(plain((await jobs.reactor('drive'))!), plain(anew));
      assert.equal((await jobs.reactor('drive'))?.quarantined, null);
      assert.equal(await waiting(jobs, 'drive'), 0);
      assert.equal(await waiting(jobs, 'other'), 1);
    },
  },
  {
    name: 'only a reactor opened before a time is forgotten',
    async run({ jobs }) {
      const opened = position();
      await jobs.open(opened, 50);
      await jobs.close(opened.drive_id, 50);
      assert.ok(await jobs.reactor(opened.drive_id));
      await jobs.close(opened.drive_id, 51);
      assert.equal(await jobs.reactor(opened.drive_id), null);
    },
  },
];

const queue: JobsCase[] = [
  {
    name: 'a delivery is read back whole, with a nonce that only grows',
    async run({ jobs }) {
      const one = delivery({ sealed: 'üñï', revision: null });
      const began_ms = Date.now();
      await jobs.enqueue([one], ROOM);
      const [first] = await jobs.due(100, 9);
      assert.ok(first);
      // Above those of a store that was lost.
      assert.ok(first.nonce > began_ms - DAY_MS, `${first.nonce}`);
      assert.deepEqual({ ...first }, { ...one, nonce: first.nonce, attempts: 0, first_ms: null });
      await jobs.finish(first, attempt('delivered', 110));
      await jobs.enqueue([one], ROOM);
      const [second] = await jobs.due(200, 9);
      assert.ok(second && second.nonce > first.nonce);
    },
  },
  {
    name: 'deliveries of one webhook come one after another, each webhook on its own',
    async run({ jobs }) {
      const queued = ['a 1', 'a 2', 'b 1', 'a 3'].map((name) => {
        const [webhook_id = '', sealed = ''] = name.split(' ');
        return delivery({ webhook_id, sealed });
      });
      await jobs.enqueue(queued, ROOM);
      assert.deepEqual(names(await jobs.due(99, 9)), []);
      const due = await jobs.due(100, 9);
      assert.deepEqual(names(due).toSorted(), ['a 1', 'b 1']);
      assert.equal((await jobs.due(100, 1)).length, 1);
      const first = due.find(({ webhook_id }) => webhook_id === 'a')!;
      await jobs.finish(first, attempt('delivered', 120));
      assert.deepEqual(names(await jobs.due(120, 9)).toSorted(), ['a 2', 'b 1']);
    },
  },
  {
    name: 'what is put off holds back what comes behind it, and nothing else',
    async run({ jobs }) {
      const three = ['1', '2'].map((sealed) => delivery({ sealed }));
      await jobs.enqueue([...three, delivery({ webhook_id: 'other' })], ROOM);
      const first = (await jobs.due(100, 9)).find(({ webhook_id }) => webhook_id === 'hook')!;
      await jobs.postpone(first, attempt('failed', 110), 500);
      assert.deepEqual(names(await jobs.due(499, 9)), ['other body']);
      assert.equal(await jobs.nextDue(110), 500);
      assert.equal(await jobs.nextDue(500), null);
      const again = (await jobs.due(500, 9)).find(({ webhook_id }) => webhook_id === 'hook')!;
      assert.deepEqual([again.nonce, again.attempts, again.first_ms], [first.nonce, 1, 110]);
      await jobs.postpone(again, attempt('failed', 510), 900);
      const third = (await jobs.due(900, 9)).find(({ webhook_id }) => webhook_id === 'hook')!;
      assert.deepEqual([third.attempts, third.first_ms], [2, 110]);
      // The clock was set back.
      await jobs.postpone(third, attempt('failed', 90), 900);
      const fourth = (await jobs.due(900, 9)).find(({ webhook_id }) => webhook_id === 'hook')!;
      assert.deepEqual([fourth.attempts, fourth.first_ms], [3, 90]);
    },
  },
  {
    name: 'a turn that a clock ahead has set is due',
    async run({ jobs }) {
      await jobs.enqueue([delivery()], ROOM);
      const [first] = await jobs.due(100, 9);
      const next_ms = 200 + LONGEST_WAIT_MS;
      await jobs.postpone(first!, attempt('failed', 110), next_ms);
      assert.deepEqual(names(await jobs.due(200, 9)), []);
      assert.equal(await jobs.claim('drive', 'hook', 200, 300), null);
      assert.deepEqual(names(await jobs.due(199, 9)), ['hook body']);
      // So is one that such a clock has taken.
      assert.ok(await jobs.claim('drive', 'hook', next_ms, next_ms + 60_000));
      assert.ok(await jobs.claim('drive', 'hook', 199, 300));
      assert.equal(await jobs.claim('drive', 'hook', 200, 300), null);
    },
  },
  {
    name: 'a turn is taken by one only, until the delivery is settled or the turn is over',
    async run({ jobs }) {
      const claim = async (now_ms: number, until_ms: number): Promise<string | undefined> =>
        (await jobs.claim('drive', 'hook', now_ms, until_ms))?.sealed;
      await jobs.enqueue([delivery({ sealed: '1' }), delivery({ sealed: '2' })], ROOM);
      await jobs.enqueue([delivery({ webhook_id: 'other' })], ROOM);
      assert.equal(await claim(99, 200), undefined);
      const taken = await Promise.all(Array.from({ length: 5 }, () => claim(100, 200)));
      assert.deepEqual(
        taken.filter((sealed) => sealed !== undefined),
        ['1'],
      );
      assert.deepEqual(names(await jobs.due(199, 9)), ['other body']);
      assert.equal(await jobs.nextDue(150), 200);
      // The turn is over, and nothing was heard of the delivery.
      const again = await jobs.claim('drive', 'hook', 200, 300);
      assert.equal(again?.sealed, '1');
      await jobs.postpone(again, attempt('failed', 210), 220);
      assert.equal(await claim(219, 400), undefined);
      const third = await jobs.claim('drive', 'hook', 220, 400);
      assert.deepEqual([third?.sealed, third?.attempts], ['1', 1]);
      await jobs.finish(third!, attempt('delivered', 230));
      assert.equal(await claim(230, 400), '2');
      assert.equal(await jobs.claim('drive', 'none', 230, 400), null);
    },
  },
  {
    name: 'what the queue of a webhook has no room for is noted as quarantined',
    async run({ jobs }) {
      const three = [delivery(), delivery(), delivery()];
      assert.equal(await jobs.enqueue(three, { count: 2, bytes: 100 }), 2);
      assert.equal(await waiting(jobs, 'drive'), 2);
      const room = { count: 9, bytes: 11 };
      assert.equal(await jobs.enqueue([delivery({ sealed: 'long' })], room), 0);
      assert.equal(await jobs.enqueue([delivery({ sealed: 'fit' })], room), 1);
      assert.equal(await waiting(jobs, 'drive'), 3);
      const noted = await jobs.attempts('drive', 'hook', { direction: 'ASC', limit: 9 });
      assert.deepEqual(
        Array.from(noted, ({ outcome, nonce, attempt: nth }) => [outcome, nonce, nth]),
        [
          ['quarantined', null, 0],
          ['quarantined', null, 0],
        ],
      );
      const counts = await jobs.counts();
      assert.deepEqual([counts.waiting, counts.quarantined], [3, 2]);
    },
  },
  {
    name: 'all that waits in a drive is read in pages, and may end in any order',
    async run({ jobs }) {
      const queued = ['a', 'b', 'a'].map((webhook_id) => delivery({ webhook_id }));
      await jobs.enqueue([...queued, delivery({ drive_id: 'other' })], ROOM);
      const first = await jobs.waitingIn('drive', 0, 2);
      assert.deepEqual(names(first), ['a body', 'b body']);
      const [last] = await jobs.waitingIn('drive', first[1]!.nonce, 2);
      assert.deepEqual(
        { ...last! },
        { ...queued[2]!, nonce: last!.nonce, attempts: 0, first_ms: null },
      );
      await jobs.finish(last!, attempt('quarantined', 110));
      assert.deepEqual(names(await jobs.waitingIn('drive', 0, 9)), ['a body', 'b body']);
      assert.deepEqual(names(await jobs.due(110, 9)).toSorted(), ['a body', 'b body', 'hook body']);
    },
  },
  {
    name: 'a delivery is dismissed without an attempt, and the next one is due',
    async run({ jobs }) {
      await jobs.enqueue([delivery({ sealed: '1' }), delivery({ sealed: '2' })], ROOM);
      const [first] = await jobs.due(100, 9);
      await jobs.postpone(first!, attempt('failed', 110), 120);
      const [again] = await jobs.due(120, 9);
      await jobs.dismiss(again!, 130, 'no longer wanted');
      assert.deepEqual(names(await jobs.due(130, 9)), ['hook 2']);
      const noted = await jobs.attempts('drive', 'hook', { direction: 'ASC', limit: 9 });
      assert.deepEqual(
        Array.from(noted, (one) => [one.attempt, one.outcome, one.at_ms, one.status, one.reason]),
        [
          [1, 'failed', 110, null, 'no answer'],
          [0, 'quarantined', 130, null, 'no longer wanted'],
        ],
      );
    },
  },
  {
    name: 'dismissing a later delivery leaves the turn of the first as it is',
    async run({ jobs }) {
      await jobs.enqueue([delivery({ sealed: '1' }), delivery({ sealed: '2' })], ROOM);
      const [, second] = await jobs.waitingIn('drive', 0, 9);
      const taken = await jobs.claim('drive', 'hook', 100, 300);
      await jobs.dismiss(second!, 110, 'no longer wanted');
      assert.equal(await jobs.claim('drive', 'hook', 120, 300), null);
      await jobs.postpone(taken!, attempt('failed', 130), 500);
      assert.deepEqual(names(await jobs.due(499, 9)), []);
      assert.deepEqual(names(await jobs.due(500, 9)), ['hook 1']);
      assert.equal(await waiting(jobs, 'drive'), 1);
    },
  },
  {
    name: 'what waits for a webhook can be dropped; a late end of it is ignored',
    async run({ jobs }) {
      await jobs.enqueue([delivery(), delivery(), delivery({ webhook_id: 'other' })], ROOM);
      const first = (await jobs.due(100, 9)).find(({ webhook_id }) => webhook_id === 'hook')!;
      await jobs.drop('drive', 'hook');
      await jobs.finish(first, attempt('delivered', 110));
      await jobs.postpone(first, attempt('failed', 110), 120);
      assert.deepEqual(names(await jobs.due(1_000, 9)), ['other body']);
      assert.equal(await jobs.attemptCount('drive', 'hook'), 0);
    },
  },
];

const log: JobsCase[] = [
  {
    name: 'attempts are read back whole, in pages of either direction',
    async run({ jobs }) {
      const made = delivery();
      await jobs.enqueue([made], ROOM);
      for (const at_ms of [110, 120, 130]) {
        const [due] = await jobs.due(at_ms, 1);
        await jobs.postpone(due!, attempt('failed', at_ms), at_ms);
      }
      const [due] = await jobs.due(140, 1);
      await jobs.finish(due!, attempt('delivered', 140));
      const all = await jobs.attempts('drive', 'hook', { direction: 'ASC', limit: 9 });
      const { delivery_id, event, revision } = made;
      assert.deepEqual(
        { ...all[3] },
        {
          ...attempt('delivered', 140),
          ...{ id: all[3]!.id, delivery_id, event, revision, nonce: due!.nonce, attempt: 4 },
        },
      );
      const times = async (page: object): Promise<number[]> => {
        const asked = { direction: 'ASC', limit: 2, ...page } as const;
        return Array.from(await jobs.attempts('drive', 'hook', asked), ({ at_ms }) => at_ms);
      };
      const ids = Array.from(all, ({ id }) => id);
      assert.deepEqual(await times({}), [110, 120]);
      assert.deepEqual(await times({ after: ids[1] }), [130, 140]);
      assert.deepEqual(await times({ before: ids[3] }), [120, 130]);
      assert.deepEqual(await times({ direction: 'DESC' }), [140, 130]);
      assert.deepEqual(await times({ direction: 'DESC', after: ids[2] }), [120, 110]);
      assert.deepEqual(await times({ direction: 'DESC', before: ids[0] }), [130, 120]);
      assert.deepEqual(await times({ after: ids[3] }), []);
      assert.equal(await jobs.attemptCount('drive', 'hook'), 4);
      assert.equal(await jobs.attemptCount('drive', 'other'), 0);
    },
  },
  {
    name: 'attempts are forgotten by age and by number',
    async run({ jobs }) {
      for (const webhook_id of ['hook', 'other'])
        for (let at_ms = 100; at_ms < 105; at_ms++) {
          await jobs.enqueue([delivery({ webhook_id, queued_ms: at_ms })], ROOM);
          const [due] = await jobs.due(at_ms, 1);
          await jobs.finish(due!, attempt('delivered', at_ms));
        }
      await jobs.trim(101, 100);
      assert.equal(await jobs.attemptCount('drive', 'hook'), 4);
      await jobs.trim(0, 2);
      for (const webhook_id of ['hook', 'other']) {
        const kept = await jobs.attempts('drive', webhook_id, { direction: 'ASC', limit: 9 });
        assert.deepEqual(
          Array.from(kept, ({ at_ms }) => at_ms),
          [103, 104],
        );
      }
    },
  },
];

/** Every case of job stores; stores that do nothing fail each. */
export const jobsCases: readonly JobsCase[] = [...reactors, ...queue, ...log, ...rebuildCases];
