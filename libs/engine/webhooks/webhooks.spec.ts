import { webhookCommands } from '../../domain/webhooks/commands.js';
import { contactCommands } from '../../domain/contacts/commands.js';
import { inviteCommands } from '../../domain/groups/definitions.js';
import { organizationCommands } from '../../domain/organization/commands.js';
import { rebuildReadModel } from '../read-models/rebuild.js';
import { DRIVE_A } from '../testing/engine.js';
import { hooked, webhooksOf, WebhooksSpec } from '../testing/webhooks.js';

const A = 'https://a.example/';
const B = 'https://b.example/';
const OTHERS = 'GroupID_others';
const fresh = { secret: 'whsec_rotated' };

describe('webhooks', () => {
  let live: WebhooksSpec;

  beforeEach(async () => {
    live = await WebhooksSpec.begin();
  });
  afterEach(() => live.close());

  it('tell of every event after their own creation, in order and once', async () => {
    await live.spec.note();
    await hooked(live.spec, A);
    for (let at = 0; at < 3; at++) await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([3, 4, 5]);
    const [first] = live.receivers.at(A);
    expect(first).toEqual({
      event: 'drive.state_diffs',
      timestamp_ms: live.spec.now,
      nonce: expect.any(Number),
      webhook_id: expect.stringMatching(/^WebhookID_/),
      webhook_alt_index: 'STATE_DIFFS',
      payload: { after: { type: 'state_diffs', data: { revision: 3, type: 'InboxNotified' } } },
    });
    const nonces = live.receivers.at(A).map(({ nonce }) => nonce as number);
    expect(nonces).toEqual([...new Set(nonces)].toSorted((a, b) => a - b));
  });

  it('give each occurrence an id of its own, the same on every attempt', async () => {
    await hooked(live.spec, A);
    live.receivers.fails(A);
    await live.spec.note();
    await live.webhooks.idle();
    live.receivers.answers.delete(A);
    await live.spec.note();
    await live.later(5_000);
    const ids = live.receivers.got.map(({ delivery_id }) => delivery_id);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  });

  it('are signed under the present secret and the one before it', async () => {
    const id = await hooked(live.spec, A, { signature: 'by hand' });
    await live.spec.note();
    await live.webhooks.idle();
    await live.spec.run(webhookCommands.UpdateWebhook, { id, rotate_secret: true, fresh });
    await live.webhooks.idle();
    const [first, second] = live.receivers.got;
    expect(first).toMatchObject({ secrets: [expect.any(String)], signature: 'by hand' });
    expect(second!.secrets).toEqual(['whsec_rotated', first!.secrets[0]]);
  });

  it('wait longer and longer after failures and then go on, while others are not held up', async () => {
    const failing = await hooked(live.spec, A);
    await hooked(live.spec, B);
    live.receivers.fails(A, 503);
    for (let at = 0; at < 3; at++) await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(B)).toEqual([3, 4, 5]);
    expect(live.receivers.at(A)).toHaveLength(1);
    for (const [wait, tries] of [
      [4_999, 1],
      [1, 2],
      [9_999, 2],
      [1, 3],
      [20_000, 4],
    ] as const) {
      await live.later(wait);
      expect(live.receivers.at(A)).toHaveLength(tries);
    }
    live.receivers.answers.delete(A);
    await live.later(40_000);
    expect(live.revisionsAt(A)).toEqual([2, 2, 2, 2, 2, 3, 4, 5]);
    const log = await live.attempts(failing);
    expect(log.map(({ outcome, status }) => `${outcome} ${status}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'failed 503'),
      ...Array.from({ length: 4 }, () => 'delivered 200'),
    ]);
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 1, 1, 1]);
  });

  it('give a delivery up after a day and go on with the next', async () => {
    const id = await hooked(live.spec, A);
    live.receivers.fails(A, null);
    await live.spec.note();
    await live.webhooks.idle();
    for (let at = 0; at < 40; at++) await live.later(3_600_000);
    const log = await live.attempts(id);
    expect(log.at(-1)).toMatchObject({ outcome: 'quarantined', reason: 'no answer', status: null });
    expect(log.at(-1)!.at_ms - log[0]!.at_ms).toBeGreaterThanOrEqual(86_400_000);
    expect(log.filter(({ outcome }) => outcome === 'quarantined')).toHaveLength(1);
    live.receivers.answers.delete(A);
    await live.spec.note();
    await live.webhooks.idle();
    expect(live.revisionsAt(A).at(-1)).toBe(3);
    expect(live.webhooks.attempted).toMatchObject({ delivered: 1, quarantined: 1 });
    expect(await live.webhooks.waiting()).toMatchObject({ waiting: 0, quarantined: 1 });
  });

  it('quarantine what comes on top of a full queue', async () => {
    await live.webhooks.close();
    live.webhooks = webhooksOf(live.spec, live.receivers, { queue_max_count: 2 });
    const id = await hooked(live.spec, A);
    live.receivers.fails(A);
    for (let at = 0; at < 4; at++) await live.spec.note();
    await live.webhooks.idle();
    live.receivers.answers.delete(A);
    await live.later(5_000);
    expect(live.revisionsAt(A)).toEqual([2, 2, 3]);
    const log = await live.attempts(id);
    expect(log.filter(({ nonce }) => nonce === null).map(({ revision }) => revision)).toEqual([
      4, 5,
    ]);
  });

  it('never hold up or fail the request that caused them', async () => {
    await hooked(live.spec, A);
    let release = (): void => {};
    live.receivers.answers.set(
      A,
      () =>
        new Promise((resolve) => {
          release = () => resolve({ status: 200, reason: null });
        }),
    );
    expect(await live.spec.note()).toHaveProperty('data');
    expect(await live.spec.note()).toHaveProperty('data');
    while (live.receivers.got.length === 0) await new Promise(setImmediate);
    release();
    live.receivers.answers.delete(A);
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2, 3]);
  });

  it('that are off are told nothing, nor sent what was queued before', async () => {
    const id = await hooked(live.spec, A);
    live.receivers.fails(A);
    await live.spec.note();
    await live.webhooks.idle();
    await live.spec.run(webhookCommands.UpdateWebhook, { id, active: false, fresh });
    await live.spec.note();
    await live.later(5_000);
    expect(live.receivers.at(A)).toHaveLength(1);
    const ends = (await live.attempts(id)).filter(({ outcome }) => outcome === 'quarantined');
    expect(ends.map(({ revision, reason }) => [revision, reason])).toEqual([
      [2, 'the webhook was switched off'],
      [3, 'the webhook was switched off'],
    ]);
  });

  it('that are deleted are sent nothing any more', async () => {
    const id = await hooked(live.spec, A);
    live.receivers.fails(A);
    await live.spec.note();
    await live.webhooks.idle();
    await live.spec.run(webhookCommands.DeleteWebhook, { id });
    await live.later(5_000);
    expect(live.receivers.at(A)).toHaveLength(1);
    expect((await live.spec.side.jobs.counts()).waiting).toBe(0);
  });

  it('whose address changes are tried at the new one', async () => {
    const id = await hooked(live.spec, A);
    live.receivers.fails(A);
    await live.spec.note();
    await live.webhooks.idle();
    await live.spec.run(webhookCommands.UpdateWebhook, { id, url: B, fresh });
    await live.later(5_000);
    expect(live.revisionsAt(B)).toEqual([2, 3]);
  });

  it('repeat nothing because read models are rebuilt or the past is folded', async () => {
    await hooked(live.spec, A);
    await live.spec.note();
    await live.webhooks.idle();
    const drive = await live.spec.drives.open(DRIVE_A);
    const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
    await rebuildReadModel(live.spec.drives, drive, progress);
    await live.spec.drives.loader.load(DRIVE_A, { to: 1 });
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([2]);
  });

  it('can be sent again what happened, also before they were made', async () => {
    await live.spec.note();
    await hooked(live.spec, A);
    await live.spec.note();
    await live.webhooks.idle();
    const sent = live.receivers.got.at(-1)!;
    const drive = await live.spec.drives.open(DRIVE_A);
    const [webhook] = drive.state.webhooks.values();
    const all = { from_revision: 0, to_revision: 3 };
    expect(await live.webhooks.replay(drive, webhook!, all, true)).toBe(4);
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([3]);
    expect(await live.webhooks.replay(drive, webhook!, all)).toBe(4);
    await live.webhooks.idle();
    expect(live.revisionsAt(A)).toEqual([3, 0, 1, 2, 3]);
    expect(live.receivers.got.at(-1)!.delivery_id).toBe(sent.delivery_id);
    expect(live.receivers.at(A).at(-1).notes).toBe('Sent again on request');
    const one = { from_revision: 2, to_revision: 2 };
    expect(await live.webhooks.replay(drive, webhook!, one)).toBe(1);
  });

  it('are told of notices that are no events', async () => {
    await hooked(live.spec, A, { event: 'file.viewed', alt_index: 'FileID_1' });
    for (const file_id of ['FileID_1', 'FileID_2'])
      live.webhooks.notice(DRIVE_A, () => [
        { event: 'file.viewed', indexes: [file_id, 'ALL_FILES'] },
      ]);
    await live.webhooks.idle();
    expect(live.receivers.at(A)).toEqual([
      expect.objectContaining({ event: 'file.viewed', payload: {} }),
    ]);
  });

  it('are due once a clock that was ahead is put right', async () => {
    const HOUR_MS = 3_600_000;
    const id = await hooked(live.spec, A);
    live.receivers.fails(A);
    live.spec.setClock(100 * HOUR_MS);
    await live.spec.note();
    await live.webhooks.idle();
    live.spec.setClock(-100 * HOUR_MS);
    live.receivers.fails(A, null);
    await live.spec.note();
    await live.webhooks.idle();
    // It is given up a day after it was put right, not after 124 hours.
    for (let hour = 0; hour < 25; hour++) await live.later(HOUR_MS);
    live.receivers.answers.delete(A);
    await live.later(HOUR_MS);
    const attempts = await live.attempts(id);
    expect(attempts.filter(({ revision }) => revision === 2).at(-1)!.outcome).toBe('quarantined');
    expect(live.revisionsAt(A).at(-1)).toBe(3);
    expect(attempts.at(-1)).toMatchObject({ revision: 3, outcome: 'delivered' });
  });

  it('of notices are judged at no earlier time than the last event', async () => {
    await hooked(live.spec, A, { event: 'file.viewed', alt_index: 'ALL_FILES' });
    live.spec.setClock(3_600_000);
    await live.spec.note();
    const last_ms = live.spec.now;
    live.spec.setClock(-3_600_000);
    live.webhooks.notice(DRIVE_A, ({ now }) => {
      expect(now).toBe(last_ms);
      return [{ event: 'file.viewed', indexes: ['ALL_FILES'] }];
    });
    await live.webhooks.idle();
    expect(live.receivers.at(A)).toMatchObject([{ event: 'file.viewed', timestamp_ms: last_ms }]);
  });

  it('keep nothing readable of what waits', async () => {
    await hooked(live.spec, A, { event: 'org.inbox.new_mail', alt_index: 'INBOX_NEW_MAIL' });
    live.receivers.fails(A);
    await live.spec.note('a word that nobody else says');
    await live.webhooks.idle();
    const [waiting] = await live.spec.side.jobs.due(Infinity, 9);
    expect(waiting!.sealed).not.toContain('that nobody');
    expect(live.receivers.got[0]!.body).toContain('a word that nobody else says');
  });

  it('keep what waits from anybody once a person it speaks of is erased, and tell the rest', async () => {
    const code = { code: '', code_digest: '' };
    for (const nth of [1, 2])
      await live.spec.run(contactCommands.CreateContact, {
        id: `UserID_${nth}`,
        name: `Person ${nth}`,
        fresh: { subject_key_id: `subject-${nth}`, invite_id: `GroupInviteID_c${nth}`, ...code },
      });
    const swap = { current_user_id: 'UserID_1', new_user_id: 'UserID_new' };
    await live.spec.run(organizationCommands.SuperswapUser, swap);
    await live.spec.group('Others', OTHERS);
    const id = await hooked(live.spec, B, { event: 'group.invite.created', alt_index: OTHERS });
    live.receivers.fails(B);
    for (const [nth, invitee_id] of ['UserID_2', 'UserID_new'].entries())
      await live.spec.run(inviteCommands.CreateInvite, {
        group_id: OTHERS,
        role: 'MEMBER',
        invitee_id,
        fresh: { invite_id: `GroupInviteID_i${nth}`, placeholder_id: 'x', ...code },
      });
    await live.webhooks.idle();
    expect((await live.spec.side.jobs.counts()).waiting).toBe(2);
    await live.spec.run(contactCommands.EraseContact, { id: 'UserID_1' });
    await live.webhooks.idle();
    live.receivers.answers.delete(B);
    await live.later(5_000);
    const sent = JSON.stringify(live.receivers.at(B));
    expect(sent).toContain('Person 2');
    expect(sent).not.toContain('Person 1');
    expect((await live.attempts(id)).map(({ reason }) => reason)).toContain(
      'somebody it speaks of was erased',
    );
  });
});
