import { event, type DomainEvent } from '../../foundation/events.js';
import type { Context } from '../../foundation/decision.js';
import { contacted, grouped, invited, superswapped } from '../../groups/testing/events.js';
import { DRIVE, SpecDrive } from '../../testing/drive.js';
import { listenersOf, type Match, onlyListener, watchEvent } from './matching.js';
import { watching } from '../testing/events.js';

const OLD = 'UserID_old';
const NEW = 'UserID_new';
const GROUP = 'GroupID_g';
const INVITE = 'GroupInviteID_i';
const LABEL = 'LabelID_1';
const DIFF = { revision: 7 };

/** The matches of an event of the drive. */
function matchesOf(drive: SpecDrive, fact: DomainEvent): readonly Match[] {
  const context: Context = { ...drive.context({ kind: 'system' }), masked: true };
  const after = watchEvent(context, fact, listenersOf(drive.state));
  drive.given(fact);
  return after(DIFF);
}

const ids = (matches: readonly Match[]): string[] => matches.map(({ webhook }) => webhook.id);

const inbox = (topic: string | null) =>
  event('InboxNotified', { inbox_notif_id: 'n', topic, payload: { a: 1 } });
const redeemed = event('ContactRedeemed', {
  current_user_id: OLD,
  new_user_id: NEW,
  subject_key_id: 's',
  public_note: null,
});
const updated = event('GroupInviteUpdated', { invite_id: INVITE, role: 'ADMIN' });
const pin = { label_id: LABEL, resource_id: GROUP };
const labelled = event('LabelCreated', {
  label_id: LABEL,
  created_by: OLD,
  value: 'urgent',
  public_note: null,
  private_note: null,
  color: '#3B82F6',
  external_id: null,
  external_payload: null,
});
const claimed = event('GroupInviteRedeemed', { invite_id: INVITE, invitee_id: OLD, note: 'n' });

/** A drive with the group, a placeholder invite, and a contact. */
const drive = () =>
  new SpecDrive().given(
    contacted(OLD),
    grouped(GROUP),
    labelled,
    invited(INVITE, GROUP, 'PlaceholderGroupInviteeID_1', { redeem_code: 'RedeemTokenID_x' }),
  );

describe('matching events to webhooks', () => {
  it.each([
    ['group.invite.created', GROUP, invited('GroupInviteID_2', GROUP, OLD), [], ['group_invite']],
    ['group.invite.updated', GROUP, updated, ['group_invite'], ['group_invite']],
    ['group.invite.updated', GROUP, claimed, ['group_invite'], ['group_invite']],
    ['label.added', LABEL, event('LabelPinned', pin), [], ['label']],
    ['label.removed', LABEL, event('LabelUnpinned', pin), [], ['label']],
    ['org.superswap_user', 'SUPERSWAP_USER', superswapped(OLD, NEW), [OLD], [NEW]],
    ['org.superswap_user', 'SUPERSWAP_USER', redeemed, [OLD], [NEW]],
    ['org.inbox.new_mail', 'INBOX_NEW_MAIL', inbox(null), [], ['org_inbox_new_notif']],
    ['org.inbox.new_mail', 'orders', inbox('orders'), [], ['org_inbox_new_notif']],
    ['drive.state_diffs', 'STATE_DIFFS', inbox(null), [], ['state_diffs']],
    ['drive.state_diffs', 'STATE_DIFFS', contacted('UserID_x'), [], ['state_diffs']],
  ] as const)('%s on %s', (kind, alt_index, fact, before, after) => {
    const watched = drive().given(
      watching('WebhookID_right', alt_index, { event: kind }),
      watching('WebhookID_elsewhere', 'something else', { event: kind }),
      watching('WebhookID_otherwise', alt_index, { event: 'file.viewed' }),
      watching('WebhookID_off', alt_index, { event: kind, active: false }),
    );
    const matches = matchesOf(watched, fact);
    expect(ids(matches)).toEqual(['WebhookID_right']);
    const { occurrence } = matches[0]!;
    expect(occurrence.event).toBe(kind);
    const shown = (side: typeof occurrence.before) =>
      side ? [side.type === 'superswap_userid' ? side.content : side.type] : [];
    expect([shown(occurrence.before), shown(occurrence.after)]).toEqual([before, after]);
  });

  it('shows an invite with its group before and after, its code never', () => {
    const watched = drive().given(
      watching('WebhookID_1', GROUP, { event: 'group.invite.updated' }),
    );
    const [match] = matchesOf(watched, claimed);
    expect(match!.occurrence).toMatchObject({
      before: { group: { id: GROUP }, group_invite: { id: INVITE, note: '' } },
      after: {
        group: { id: GROUP, member_count: 2 },
        group_invite: { invitee_id: OLD, note: 'n' },
      },
    });
    expect(JSON.stringify(match!.occurrence)).not.toContain('RedeemTokenID_');
  });

  it.each([true, false])('names the label and what it was pinned on (added: %p)', (add) => {
    const kind = add ? 'label.added' : 'label.removed';
    const watched = drive().given(watching('WebhookID_1', LABEL, { event: kind }));
    const [match] = matchesOf(watched, event(add ? 'LabelPinned' : 'LabelUnpinned', pin));
    const after = {
      type: 'label',
      resource_id: GROUP,
      label_id: LABEL,
      label_value: 'urgent',
      add,
    };
    expect(match!.occurrence.after).toEqual(after);
  });

  it('passes a notice on unchanged', () => {
    const watched = drive().given(watching('WebhookID_1', 'INBOX_NEW_MAIL'));
    expect(matchesOf(watched, inbox('orders'))[0]!.occurrence.after).toEqual({
      type: 'org_inbox_new_notif',
      drive_id: DRIVE,
      topic: 'orders',
      payload: { a: 1 },
    });
  });

  it('matches each webhook once, however many of its indexes match', () => {
    const watched = drive().given(watching('WebhookID_1', 'INBOX_NEW_MAIL'));
    expect(ids(matchesOf(watched, inbox('INBOX_NEW_MAIL')))).toEqual(['WebhookID_1']);
  });

  it.each([
    ['', null, true],
    ['', 'orders', true],
    ['{"topic":"orders"}', 'orders', true],
    ['{"topic":"orders"}', 'Orders', false],
    ['{"topic":"orders"}', null, false],
    ['{"topic":null}', null, false],
    ['{"other":1}', 'orders', false],
    ['{"other":1}', null, false],
  ])('filters %p let a notice with topic %p through: %p', (filters, topic, passes) => {
    const watched = drive().given(watching('WebhookID_1', 'INBOX_NEW_MAIL', { filters }));
    expect(ids(matchesOf(watched, inbox(topic)))).toEqual(passes ? ['WebhookID_1'] : []);
  });

  it('can match a single webhook, whatever the state', () => {
    const watched = drive().given(watching('WebhookID_1', 'INBOX_NEW_MAIL'));
    const [webhook] = watched.state.webhooks.values();
    const context = { ...watched.context({ kind: 'system' }), masked: true };
    const past = { ...context, state: drive().state };
    const label_match = (fact: DomainEvent) =>
      watchEvent(past, fact, onlyListener(watched.state, { ...webhook!, active: false }))(DIFF);
    expect(ids(label_match(inbox('orders')))).toEqual(['WebhookID_1']);
    expect(label_match(superswapped(OLD, NEW))).toEqual([]);
  });

  it('matches a webhook to its own deletion but not to its creation', () => {
    const made = watching('WebhookID_1', 'STATE_DIFFS', { event: 'drive.state_diffs' });
    const watched = drive().given(watching('WebhookID_0', 'x'));
    expect(matchesOf(watched, made)).toEqual([]);
    const ended = matchesOf(watched, event('WebhookDeleted', { webhook_id: 'WebhookID_1' }));
    expect(ids(ended)).toEqual(['WebhookID_1']);
    expect(ended[0]!.occurrence.after).toEqual({ type: 'state_diffs', data: DIFF });
  });

  it('matches nothing for an invite that does not exist', () => {
    const watched = drive().given(
      watching('WebhookID_1', GROUP, { event: 'group.invite.updated' }),
    );
    expect(
      matchesOf(watched, event('GroupInviteUpdated', { invite_id: 'GroupInviteID_none' })),
    ).toEqual([]);
  });
});
