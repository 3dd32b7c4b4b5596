import type { Context } from '../drive/decision.js';
import type { DriveEvents } from '../drive/events.js';
import { presentInvite } from '../groups/invites-view.js';
import { presentGroup } from '../groups/view.js';
import type { Occurrence, Payload } from './occurrences.js';
import { WATCHES } from './record.js';

/**
 * Looks at the state just before an event; what it answers looks at the state just after it and
 * tells what happened.
 */
export type Observer<Data> = (context: Context, data: Data) => () => readonly Occurrence[];

/** What stored events mean to webhooks; those not named mean nothing but a change of state. */
export const observers: { readonly [Type in keyof DriveEvents]?: Observer<DriveEvents[Type]> } = {
  GroupInviteCreated: (context, { invite_id }) => {
    return () => inviteChange('group.invite.created', undefined, inviteIn(context, invite_id));
  },

  GroupInviteUpdated: (context, { invite_id }) => {
    const before = inviteIn(context, invite_id);
    return () => inviteChange('group.invite.updated', before, inviteIn(context, invite_id));
  },

  GroupInviteRedeemed: (context, { invite_id }) => {
    const before = inviteIn(context, invite_id);
    return () => inviteChange('group.invite.updated', before, inviteIn(context, invite_id));
  },

  LabelPinned: (context, { label_id, resource_id }) => pinned(context, label_id, resource_id, true),

  LabelUnpinned: (context, { label_id, resource_id }) =>
    pinned(context, label_id, resource_id, false),

  UserSuperswapped: (_, { current_user_id, new_user_id }) =>
    superswapped(current_user_id, new_user_id),

  ContactRedeemed: (_, { current_user_id, new_user_id }) =>
    superswapped(current_user_id, new_user_id),

  InboxNotified: ({ state: { drive_id } }, { topic, payload }) => {
    const indexes = topic ? [WATCHES.inbox, topic] : [WATCHES.inbox];
    const after = { type: 'org_inbox_new_notif', drive_id, topic, payload } as const;
    return () => [{ event: 'org.inbox.new_mail', indexes, topic, after }];
  },
};

type InvitePayload = Extract<Payload, { type: 'group_invite' }>;

function inviteIn(context: Context, invite_id: string): InvitePayload | undefined {
  const invite = context.state.invites.get(invite_id);
  const group = invite && context.state.groups.get(invite.group_id);
  if (!group) return undefined;
  return {
    type: 'group_invite',
    group: presentGroup(context, group),
    group_invite: presentInvite(context, invite),
  };
}

function inviteChange(
  event: 'group.invite.created' | 'group.invite.updated',
  before: InvitePayload | undefined,
  after: InvitePayload | undefined,
): readonly Occurrence[] {
  if (!after) return [];
  return [{ event, indexes: [after.group.id], ...(before && { before }), after }];
}

function pinned(
  { state }: Context,
  label_id: string,
  resource_id: string,
  add: boolean,
): () => readonly Occurrence[] {
  const label_value = state.labels.get(label_id)?.value ?? '';
  const after = { type: 'label', resource_id, label_id, label_value, add } as const;
  return () => [{ event: add ? 'label.added' : 'label.removed', indexes: [label_id], after }];
}

function superswapped(old_id: string, new_id: string): () => readonly Occurrence[] {
  const indexes = [WATCHES.superswap];
  const before = { type: 'superswap_userid', content: old_id } as const;
  const after = { type: 'superswap_userid', content: new_id } as const;
  return () => [{ event: 'org.superswap_user', indexes, before, after }];
}
