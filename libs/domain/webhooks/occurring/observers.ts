import type { DriveEvents } from '../../foundation/events.js';
import { itemOf } from '../../relations/directory-tree.js';
import type { Context } from '../../foundation/decision.js';
import { presentInvite } from '../../groups/invites-reads.js';
import { presentGroup } from '../../groups/reads.js';
import { itemBefore, itemOccurrences, type SeenBy, seenItem } from './items.js';
import type { Occurrence, Payload } from './occurrences.js';
import { WATCHES } from '../record.js';

/**
 * Reads the state just before an event; the returned function reads the state just after it and returns the
 * occurrences.
 */
export type Observer<Data> = (
  context: Context,
  data: Data,
  seenBy: SeenBy,
) => () => readonly Occurrence[];

/** The occurrences of stored events; unnamed events only change the state. */
export const observers: { readonly [Type in keyof DriveEvents]?: Observer<DriveEvents[Type]> } = {
  FileCreated: (context, { file_id }) => created(context, file_id),
  FolderCreated: (context, { folder_id }) => created(context, folder_id),
  FileVersionCreated: (context, { file_id }, seenBy) => updated(context, file_id, seenBy),
  FileUpdated: (context, { file_id }, seenBy) => updated(context, file_id, seenBy),
  FileContentStored: (context, { file_id }, seenBy) => updated(context, file_id, seenBy),
  FolderUpdated: (context, { folder_id }, seenBy) => updated(context, folder_id, seenBy),
  ItemTrashed: (context, { item_id }, seenBy) => deleted(context, [item_id], seenBy),
  ItemsExpired(context, { trashed }, seenBy) {
    const item_ids = trashed.map(({ item_id }) => item_id);
    return deleted(context, item_ids, seenBy);
  },
  ItemsDeleted: (context, { item_ids }, seenBy) => deleted(context, item_ids, seenBy),

  ItemCopied(context, { source_id, copy_id, parent_folder_uuid }, seenBy) {
    const source = itemBefore(context, source_id, seenBy, { id: copy_id, parent_folder_uuid });
    return () => {
      const copy = seenItem(context, copy_id);
      if (!copy) return [];
      return itemOccurrences('created', copy, source?.item.record, copy.record, source?.seen_by);
    };
  },

  ItemMoved(context, { item_id, parent_folder_uuid }, seenBy) {
    const before = itemBefore(context, item_id, seenBy, { parent_folder_uuid });
    return () => {
      const after = seenItem(context, item_id);
      if (!before || !after) return [];
      const { item, seen_by } = before;
      return [
        ...itemOccurrences('deleted', item, item.record, undefined, seen_by),
        ...itemOccurrences('created', after, item.record, after.record, seen_by),
      ];
    };
  },

  ItemRestored(context, { item_id }, seenBy) {
    const before = itemBefore(context, item_id, seenBy);
    return () => {
      const after = seenItem(context, item_id);
      if (!before || !after) return [];
      const indexes = [...after.own, WATCHES.restore_trash];
      const sides = { before: before.item.record, after: after.record };
      const before_to = before.seen_by;
      return [{ event: 'drive.restore_trash', indexes, item_id, before_to, ...sides }];
    };
  },

  GroupInviteCreated: (context, { invite_id }) => {
    return () => inviteChange('group.invite.created', undefined, inviteIn(context, invite_id));
  },

  GroupInviteUpdated: inviteUpdated,
  GroupInviteRedeemed: inviteUpdated,

  LabelPinned: (context, { label_id, resource_id }) => pinned(context, label_id, resource_id, true),

  LabelUnpinned: (context, { label_id, resource_id }) =>
    pinned(context, label_id, resource_id, false),

  UserSuperswapped: superswapped,
  ContactRedeemed: superswapped,

  InboxNotified: ({ state: { drive_id } }, { topic, payload }) => {
    const indexes = topic ? [WATCHES.inbox, topic] : [WATCHES.inbox];
    const after = { type: 'org_inbox_new_notif', drive_id, topic, payload } as const;
    return () => [{ event: 'org.inbox.new_mail', indexes, topic, after }];
  },
};

function created(context: Context, item_id: string): () => readonly Occurrence[] {
  const relabelled = labelling(context, item_id);
  return () => {
    const item = seenItem(context, item_id);
    if (!item) return [];
    return [...itemOccurrences('created', item, undefined, item.record), ...relabelled()];
  };
}

function updated(context: Context, item_id: string, seenBy: SeenBy): () => readonly Occurrence[] {
  const before = itemBefore(context, item_id, seenBy);
  const relabelled = labelling(context, item_id);
  return () => {
    const after = seenItem(context, item_id);
    if (!before || !after) return [];
    const { item, seen_by } = before;
    return [
      ...itemOccurrences('updated', after, item.record, after.record, seen_by),
      ...relabelled(),
    ];
  };
}

/** The labels that an item gained or lost when it was stored, as if each had been pinned separately. */
function labelling(context: Context, item_id: string): () => readonly Occurrence[] {
  const labels = () => new Set(itemOf(context.state, item_id)?.label_ids);
  const before = labels();
  return () => {
    const after = labels();
    const [lost, gained] = [before.difference(after), after.difference(before)];
    return [
      ...[...lost].flatMap((id) => pinned(context, id, item_id, false)()),
      ...[...gained].flatMap((id) => pinned(context, id, item_id, true)()),
    ];
  };
}

function deleted(
  context: Context,
  item_ids: readonly string[],
  seenBy: SeenBy,
): () => readonly Occurrence[] {
  const items = item_ids.flatMap((item_id) => itemBefore(context, item_id, seenBy) ?? []);
  return () =>
    items.flatMap(({ item, seen_by }) =>
      itemOccurrences('deleted', item, item.record, undefined, seen_by),
    );
}

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

function inviteUpdated(context: Context, { invite_id }: { readonly invite_id: string }) {
  const before = inviteIn(context, invite_id);
  return () => inviteChange('group.invite.updated', before, inviteIn(context, invite_id));
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

function superswapped(
  _: Context,
  { current_user_id, new_user_id }: DriveEvents['UserSuperswapped' | 'ContactRedeemed'],
): () => readonly Occurrence[] {
  const indexes = [WATCHES.superswap];
  const before = { type: 'superswap_userid', content: current_user_id } as const;
  const after = { type: 'superswap_userid', content: new_user_id } as const;
  return () => [{ event: 'org.superswap_user', indexes, before, after }];
}
