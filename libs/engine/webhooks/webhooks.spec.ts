import { webhookCommands } from '../../domain/webhooks/definitions.js';
import { contactCommands } from '../../domain/contacts/definitions.js';
import { inviteCommands } from '../../domain/groups/definitions.js';
import { organizationCommands } from '../../domain/organization/definitions.js';
import { rebuildReadModel } from '../rebuild.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { hooked, Receivers, webhooksOf } from '../testing/webhooks.js';
import type { WebhookLimits } from './limits.js';
import type { Webhooks } from './webhooks.js';

const A = 'https://a.example/';
const B = 'https://b.example/';
const OTHERS = 'GroupID_others';
const fresh = { secret: 'whsec_rotated' };

describe('webhooks', () => {
  let spec: EngineSpec;
  let webhooks: Webhooks;
  let receivers: Receivers;

  const begin = async (limits: Partial<WebhookLimits> = {}): Promise<void> => {
    spec = new EngineSpec();
    receivers = new Receivers();
    webhooks = webhooksOf(spec, receivers, limits);
    await webhooks.start();
    await spec.spawn();
  };
  /** A new process on the same stores; the old one is closed unless it crashed. */
  const restart = async ({ crash = false, limits = {} } = {}): Promise<void> => {
    if (!crash) {
      await webhooks.close();
      await spec.drives.close();
    }
    spec = spec.restarted();
    webhooks = webhooksOf(spec, receivers, limits);
    await webhooks.start();
  };
  const later = async (ms: number): Promise<void> => {
    spec.now += ms;
    webhooks.wake();
    await webhooks.idle();
  };
  const attempts = async (webhook_id: string) =>
    spec.side.jobs.attempts(DRIVE_A, webhook_id, { direction: 'ASC', limit: 1000 });
  const revisionsAt = (url: string): number[] =>
    receivers.at(url).map((body) => body.payload.after.data.revision as number);

  beforeEach(() => begin());
  afterEach(async () => {
    await webhooks.close();
    await spec.drives.close();
  });

  it('tell of every event after their own creation, in order and once', async () => {
    await spec.note();
    await hooked(spec, A);
    for (let at = 0; at < 3; at++) await spec.note();
    await webhooks.idle();
    expect(revisionsAt(A)).toEqual([3, 4, 5]);
    const [first] = receivers.at(A);
    expect(first).toEqual({
      event: 'drive.state_diffs',
      timestamp_ms: spec.now,
      nonce: expect.any(Number),
      webhook_id: expect.stringMatching(/^WebhookID_/),
      webhook_alt_index: 'STATE_DIFFS',
      payload: { after: { type: 'state_diffs', data: { revision: 3, type: 'InboxNotified' } } },
    });
    const nonces = receivers.at(A).map(({ nonce }) => nonce as number);
    expect(nonces).toEqual([...new Set(nonces)].toSorted((a, b) => a - b));
  });

  it('give each occurrence an id of its own, the same on every attempt', async () => {
    await hooked(spec, A);
    receivers.fails(A);
    await spec.note();
    await webhooks.idle();
    receivers.answers.delete(A);
    await spec.note();
    await later(5_000);
    const ids = receivers.got.map(({ delivery_id }) => delivery_id);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  });

  it('are signed under the present secret and the one before it', async () => {
    const id = await hooked(spec, A, { signature: 'by hand' });
    await spec.note();
    await webhooks.idle();
    await spec.run(webhookCommands.UpdateWebhook, { id, rotate_secret: true, fresh });
    await webhooks.idle();
    const [first, second] = receivers.got;
    expect(first).toMatchObject({ secrets: [expect.any(String)], signature: 'by hand' });
    expect(second!.secrets).toEqual(['whsec_rotated', first!.secrets[0]]);
  });

  it('wait longer and longer after failures and then go on, while others are not held up', async () => {
    const failing = await hooked(spec, A);
    await hooked(spec, B);
    receivers.fails(A, 503);
    for (let at = 0; at < 3; at++) await spec.note();
    await webhooks.idle();
    expect(revisionsAt(B)).toEqual([3, 4, 5]);
    expect(receivers.at(A)).toHaveLength(1);
    for (const [wait, tries] of [
      [4_999, 1],
      [1, 2],
      [9_999, 2],
      [1, 3],
      [20_000, 4],
    ] as const) {
      await later(wait);
      expect(receivers.at(A)).toHaveLength(tries);
    }
    receivers.answers.delete(A);
    await later(40_000);
    expect(revisionsAt(A)).toEqual([2, 2, 2, 2, 2, 3, 4, 5]);
    const log = await attempts(failing);
    expect(log.map(({ outcome, status }) => `${outcome} ${status}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'failed 503'),
      ...Array.from({ length: 4 }, () => 'delivered 200'),
    ]);
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 1, 1, 1]);
  });

  it('give a delivery up after a day and go on with the next', async () => {
    const id = await hooked(spec, A);
    receivers.fails(A, null);
    await spec.note();
    await webhooks.idle();
    for (let at = 0; at < 40; at++) await later(3_600_000);
    const log = await attempts(id);
    expect(log.at(-1)).toMatchObject({ outcome: 'quarantined', reason: 'no answer', status: null });
    expect(log.at(-1)!.at_ms - log[0]!.at_ms).toBeGreaterThanOrEqual(86_400_000);
    expect(log.filter(({ outcome }) => outcome === 'quarantined')).toHaveLength(1);
    receivers.answers.delete(A);
    await spec.note();
    await webhooks.idle();
    expect(revisionsAt(A).at(-1)).toBe(3);
    expect(webhooks.attempted).toMatchObject({ delivered: 1, quarantined: 1 });
    expect(await webhooks.waiting()).toMatchObject({ waiting: 0, quarantined: 1 });
  });

  it('quarantine what comes on top of a full queue', async () => {
    await webhooks.close();
    webhooks = webhooksOf(spec, receivers, { queue_max_count: 2 });
    const id = await hooked(spec, A);
    receivers.fails(A);
    for (let at = 0; at < 4; at++) await spec.note();
    await webhooks.idle();
    receivers.answers.delete(A);
    await later(5_000);
    expect(revisionsAt(A)).toEqual([2, 2, 3]);
    const log = await attempts(id);
    expect(log.filter(({ nonce }) => nonce === null).map(({ revision }) => revision)).toEqual([
      4, 5,
    ]);
  });

  it('never hold up or fail the request that caused them', async () => {
    await hooked(spec, A);
    let release = (): void => {};
    receivers.answers.set(
      A,
      () =>
        new Promise((resolve) => {
          release = () => resolve({ status: 200, reason: null });
        }),
    );
    expect(await spec.note()).toHaveProperty('data');
    expect(await spec.note()).toHaveProperty('data');
    while (receivers.got.length === 0) await new Promise(setImmediate);
    release();
    receivers.answers.delete(A);
    await webhooks.idle();
    expect(revisionsAt(A)).toEqual([2, 3]);
  });

  it('that are off are told nothing, nor sent what was queued before', async () => {
    const id = await hooked(spec, A);
    receivers.fails(A);
    await spec.note();
    await webhooks.idle();
    await spec.run(webhookCommands.UpdateWebhook, { id, active: false, fresh });
    await spec.note();
    await later(5_000);
    expect(receivers.at(A)).toHaveLength(1);
    const ends = (await attempts(id)).filter(({ outcome }) => outcome === 'quarantined');
    expect(ends.map(({ revision, reason }) => [revision, reason])).toEqual([
      [2, 'the webhook was switched off'],
      [3, 'the webhook was switched off'],
    ]);
  });

  it('that are deleted are sent nothing any more', async () => {
    const id = await hooked(spec, A);
    receivers.fails(A);
    await spec.note();
    await webhooks.idle();
    await spec.run(webhookCommands.DeleteWebhook, { id });
    await later(5_000);
    expect(receivers.at(A)).toHaveLength(1);
    expect((await spec.side.jobs.counts()).waiting).toBe(0);
  });

  it('whose address changes are tried at the new one', async () => {
    const id = await hooked(spec, A);
    receivers.fails(A);
    await spec.note();
    await webhooks.idle();
    await spec.run(webhookCommands.UpdateWebhook, { id, url: B, fresh });
    await later(5_000);
    expect(revisionsAt(B)).toEqual([2, 3]);
  });

  describe('after a restart', () => {
    it('go on where they stopped and repeat nothing', async () => {
      await hooked(spec, A);
      await spec.note();
      await webhooks.idle();
      await restart();
      await webhooks.idle();
      expect(revisionsAt(A)).toEqual([2]);
      await spec.note();
      await webhooks.idle();
      expect(revisionsAt(A)).toEqual([2, 3]);
    });

    it('tell of events that were stored but not yet looked at', async () => {
      await hooked(spec, A);
      await webhooks.idle();
      await webhooks.close();
      await spec.note();
      await spec.note();
      expect(receivers.got).toEqual([]);
      await restart({ crash: true });
      await webhooks.idle();
      expect(revisionsAt(A)).toEqual([2, 3]);
    });

    it('send what waited, each at least once', async () => {
      await hooked(spec, A);
      receivers.fails(A);
      await spec.note();
      await spec.note();
      await webhooks.idle();
      receivers.answers.delete(A);
      await restart();
      await later(5_000);
      expect(revisionsAt(A)).toEqual([2, 2, 3]);
    });

    it('tell of the first event after a creation that crashed before anybody looked', async () => {
      await webhooks.close();
      await hooked(spec, A);
      await restart({ crash: true });
      await spec.note();
      await webhooks.idle();
      expect(revisionsAt(A)).toEqual([2]);
    });

    it('load no drive that has nothing new', async () => {
      await hooked(spec, A);
      await spec.note();
      await webhooks.idle();
      await restart();
      await webhooks.idle();
      expect([...spec.drives.inMemory()].map(({ drive_id }) => drive_id)).toEqual([]);
    });

    it('begin anew where nothing is known of them', async () => {
      await hooked(spec, A);
      await spec.note();
      await webhooks.idle();
      await spec.side.jobs.close(DRIVE_A, Infinity);
      await restart();
      await spec.note();
      await webhooks.idle();
      expect(revisionsAt(A)).toEqual([2, 3]);
    });
  });

  it('repeat nothing because read models are rebuilt or the past is folded', async () => {
    await hooked(spec, A);
    await spec.note();
    await webhooks.idle();
    const drive = await spec.drives.open(DRIVE_A);
    const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
    await rebuildReadModel(spec.drives, drive, progress);
    await spec.drives.loader.load(DRIVE_A, { to: 1 });
    await webhooks.idle();
    expect(revisionsAt(A)).toEqual([2]);
  });

  it('stand still when the stream was rewound, until one is changed', async () => {
    const id = await hooked(spec, A);
    await spec.note();
    await webhooks.idle();
    const reactor = (await spec.side.jobs.reactor(DRIVE_A))!;
    const elsewhere = { ...reactor, event_hash: new Uint8Array(32) };
    const bounds = { count: 0, bytes: 0 };
    expect(await spec.side.jobs.advance(reactor, elsewhere, [], bounds)).toBe(true);
    await restart();
    await webhooks.idle();
    const [standing] = await spec.side.jobs.standing(9);
    expect(standing).toMatchObject({
      drive_id: DRIVE_A,
      quarantined: 'revision 2 is not the event it was',
    });
    await spec.note();
    await webhooks.idle();
    expect(revisionsAt(A)).toEqual([2]);
    await spec.run(webhookCommands.UpdateWebhook, { id, note: 'go on', fresh });
    await spec.note();
    await webhooks.idle();
    expect(revisionsAt(A)).toEqual([2, 4, 5]);
    expect(await spec.side.jobs.standing(9)).toEqual([]);
  });

  it('whose stream ends before the place they stood at stand still too', async () => {
    await hooked(spec, A);
    await webhooks.idle();
    const reactor = (await spec.side.jobs.reactor(DRIVE_A))!;
    await spec.side.jobs.advance(reactor, { ...reactor, revision: 99 }, [], { count: 0, bytes: 0 });
    await restart();
    await webhooks.idle();
    expect((await spec.side.jobs.standing(9)).map(({ quarantined }) => quarantined)).toEqual([
      'the stream ends before revision 99',
    ]);
  });

  it('need nobody to look once the last one is gone for a while', async () => {
    const id = await hooked(spec, A);
    await spec.run(webhookCommands.DeleteWebhook, { id });
    await webhooks.idle();
    expect(await spec.side.jobs.reactor(DRIVE_A)).not.toBeNull();
    spec.now += 11 * 60_000;
    await spec.note();
    await webhooks.idle();
    expect(await spec.side.jobs.reactor(DRIVE_A)).toBeNull();
    await hooked(spec, B);
    await spec.note();
    await webhooks.idle();
    expect(revisionsAt(B)).toHaveLength(1);
  });

  it('can be sent again what happened, also before they were made', async () => {
    await spec.note();
    await hooked(spec, A);
    await spec.note();
    await webhooks.idle();
    const sent = receivers.got.at(-1)!;
    const drive = await spec.drives.open(DRIVE_A);
    const [webhook] = drive.state.webhooks.values();
    const all = { from_revision: 0, to_revision: 3 };
    expect(await webhooks.replay(drive, webhook!, all, true)).toBe(4);
    await webhooks.idle();
    expect(revisionsAt(A)).toEqual([3]);
    expect(await webhooks.replay(drive, webhook!, all)).toBe(4);
    await webhooks.idle();
    expect(revisionsAt(A)).toEqual([3, 0, 1, 2, 3]);
    expect(receivers.got.at(-1)!.delivery_id).toBe(sent.delivery_id);
    expect(receivers.at(A).at(-1).notes).toBe('Sent again on request');
    const one = { from_revision: 2, to_revision: 2 };
    expect(await webhooks.replay(drive, webhook!, one)).toBe(1);
  });

  it('are told of notices that are no events', async () => {
    await hooked(spec, A, { event: 'file.viewed', alt_index: 'FileID_1' });
    for (const file_id of ['FileID_1', 'FileID_2'])
      webhooks.notice(DRIVE_A, () => [{ event: 'file.viewed', indexes: [file_id, 'ALL_FILES'] }]);
    await webhooks.idle();
    expect(receivers.at(A)).toEqual([
      expect.objectContaining({ event: 'file.viewed', payload: {} }),
    ]);
  });

  it('keep nothing readable of what waits', async () => {
    await hooked(spec, A, { event: 'org.inbox.new_mail', alt_index: 'INBOX_NEW_MAIL' });
    receivers.fails(A);
    await spec.note('a word that nobody else says');
    await webhooks.idle();
    const [waiting] = await spec.side.jobs.due(Infinity, 9);
    expect(waiting!.sealed).not.toContain('word');
    expect(receivers.got[0]!.body).toContain('a word that nobody else says');
  });

  it('keep what waits from anybody once a person it speaks of is erased, and tell the rest', async () => {
    const code = { code: '', code_digest: '' };
    for (const nth of [1, 2])
      await spec.run(contactCommands.CreateContact, {
        id: `UserID_${nth}`,
        name: `Person ${nth}`,
        fresh: { subject_key_id: `subject-${nth}`, invite_id: `GroupInviteID_c${nth}`, ...code },
      });
    const swap = { current_user_id: 'UserID_1', new_user_id: 'UserID_new' };
    await spec.run(organizationCommands.SuperswapUser, swap);
    await spec.group('Others', OTHERS);
    const id = await hooked(spec, B, { event: 'group.invite.created', alt_index: OTHERS });
    receivers.fails(B);
    for (const [nth, invitee_id] of ['UserID_2', 'UserID_new'].entries())
      await spec.run(inviteCommands.CreateInvite, {
        group_id: OTHERS,
        role: 'MEMBER',
        invitee_id,
        fresh: { invite_id: `GroupInviteID_i${nth}`, placeholder_id: 'x', ...code },
      });
    await webhooks.idle();
    expect((await spec.side.jobs.counts()).waiting).toBe(2);
    await spec.run(contactCommands.EraseContact, { id: 'UserID_1' });
    await webhooks.idle();
    receivers.answers.delete(B);
    await later(5_000);
    const sent = JSON.stringify(receivers.at(B));
    expect(sent).toContain('Person 2');
    expect(sent).not.toContain('Person 1');
    expect((await attempts(id)).map(({ reason }) => reason)).toContain(
      'somebody it speaks of was erased',
    );
  });

  it('reach a receiver that fails, hangs and comes back with each of 1,000 events, in order', async () => {
    await hooked(spec, A);
    await hooked(spec, B);
    receivers.answers.set(A, (nth) => {
      if (nth % 7 === 0) return { status: 500, reason: null };
      if (nth % 11 === 0) return { status: null, reason: 'no answer in time' };
      return { status: 204, reason: null };
    });
    for (let batch = 0; batch < 100; batch++) {
      await Promise.all(Array.from({ length: 10 }, () => spec.note()));
      if (batch % 20 === 10) await restart({ crash: batch % 40 === 10 });
      if (batch % 5 === 0) await later(5_000);
    }
    await webhooks.idle();
    for (let at = 0; at < 2_000 && (await spec.side.jobs.counts()).waiting > 0; at++)
      await later(5_000);
    const expected = Array.from({ length: 1_000 }, (_, at) => at + 3);
    expect(firsts(revisionsAt(A)).filter((revision) => revision > 2)).toEqual(expected);
    expect(revisionsAt(B).filter((revision) => revision > 2)).toEqual(expected);
    expect(isInOrder(revisionsAt(A))).toBe(true);
  }, 60_000);
});

/** Each value once, in the order of first appearance. */
const firsts = (values: readonly number[]): number[] => [...new Set(values)];

/** True if later values are never smaller: repeated ones stand side by side. */
const isInOrder = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value >= values[at - 1]!);
