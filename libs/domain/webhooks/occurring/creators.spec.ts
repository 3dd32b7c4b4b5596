import { type DomainEvent, event } from '../../foundation/events.js';
import type { Context } from '../../foundation/decision.js';
import { contacted, granted, grouped, invited, superswapped } from '../../groups/testing/events.js';
import { directoryGrant, disk, folder, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { webhookCommands } from '../commands.js';
import { creatorEver, pausedReason } from './creators.js';
import { listenersOf, type Match, onlyListener, watchEvent, watchNotices } from './matching.js';
import type { WebhookEvent } from '../record.js';
import { watching } from '../testing/events.js';
import { presentWebhook } from '../reads.js';

const { ReplayWebhook, UpdateWebhook } = webhookCommands;
const CREATOR = 'UserID_creator';
const NEXT = 'UserID_next';
const ID = 'WebhookID_1';
const FILE = 'FileID_1';
const MINE = 'FolderID_mine';
const HIDDEN = 'FolderID_hidden';
const DIFF = {};

const fileIn = (parent_folder_uuid: string, file_id = FILE) =>
  event('FileCreated', {
    ...{ file_id, parent_folder_uuid, name: 'a.txt', disk_id: 'DiskID_1', created_by: OWNER },
    ...{ version_id: 'FileVersionID_1', extension: 'txt', file_size: 1, raw_url: '' },
    ...{ upload_status: 'COMPLETED', has_sovereign_permissions: false, label_ids: [] },
    ...{ creator_permission_id: null, expires_at: -1, shortcut_to: null, notes: null },
    ...{ external_id: null, external_payload: null },
  });
const renamed = event('FileUpdated', { file_id: FILE, updated_by: OWNER, name: 'b.txt' });
const moved = (parent_folder_uuid: string) =>
  event('ItemMoved', { item_id: FILE, parent_folder_uuid, name: 'a.txt' });
const inbox = event('InboxNotified', { inbox_notif_id: 'n', topic: null, payload: {} });
const may_view = (resource_id: string, fields: object = {}) =>
  directoryGrant(`on-${resource_id}`, resource_id, {
    ...{ granted_to: CREATOR, permission_types: ['VIEW'], inheritable: true },
    ...fields,
  });
const revoked = (resource_id: string) =>
  event('DirectoryPermissionDeleted', { permission_id: `DirectoryPermissionID_on-${resource_id}` });
const may_audit = granted('SystemPermissionID_audit', CREATOR, 'TABLE_AUDIT', 'VIEW');
const no_audit = event('SystemPermissionDeleted', { permission_id: 'SystemPermissionID_audit' });

/** A disk with the folders Mine, which the creator sees, and Hidden; the file lies in one of them. */
const tree = (parent = MINE): SpecDrive => {
  const drive = new SpecDrive().given(disk, contacted(CREATOR), contacted(NEXT));
  for (const id of [MINE, HIDDEN]) folder(drive, id, ROOT);
  return drive.given(fileIn(parent), may_view(MINE));
};
const hook = (alt_index: string, kind: WebhookEvent, created_by = CREATOR, id = ID) =>
  watching(id, alt_index, { event: kind, created_by });

function matchesOf(drive: SpecDrive, fact: DomainEvent): readonly Match[] {
  const context: Context = { ...drive.context({ kind: 'system' }), masked: true };
  const after = watchEvent(context, fact, listenersOf(drive.state));
  drive.given(fact);
  return after(DIFF);
}

/** The matched webhooks, each with the sides in its payload. */
const shown = (matches: readonly Match[]) =>
  matches.map(({ webhook, occurrence: { event: kind, before, after } }) => [
    webhook.id,
    kind,
    [...(before ? ['before'] : []), ...(after ? ['after'] : [])].join(' '),
  ]);
const reasonIn = (drive: SpecDrive, id = ID) =>
  pausedReason({ state: drive.state, now: drive.now }, drive.state.webhooks.get(id)!);

describe("deliveries depend on the creator's permissions at the event", () => {
  it('end when the permission ends and resume when it returns', () => {
    const drive = tree().given(hook(FILE, 'file.updated'));
    expect(shown(matchesOf(drive, renamed))).toEqual([[ID, 'file.updated', 'before after']]);
    expect(reasonIn(drive)).toBe(null);
    drive.given(revoked(MINE));
    expect(matchesOf(drive, renamed)).toEqual([]);
    expect(reasonIn(drive)).toBe('CREATOR_LACKS_RIGHT');
    drive.given(may_view(MINE));
    expect(matchesOf(drive, renamed)).toHaveLength(1);
    expect(reasonIn(drive)).toBe(null);
  });

  it('end at the minute the permission ends', () => {
    const drive = tree().given(revoked(MINE), hook(FILE, 'file.updated'));
    drive.given(may_view(MINE, { expiry_date_ms: drive.now + 5 }));
    expect(matchesOf(drive, renamed)).toHaveLength(1);
    drive.after(5);
    expect(matchesOf(drive, renamed)).toEqual([]);
    expect(reasonIn(drive)).toBe('CREATOR_LACKS_RIGHT');
  });

  it("end when the creator's contact is deleted, even if everyone may see the watched resource", () => {
    const to_all = directoryGrant('all', MINE, {
      ...{ granted_to: 'PUBLIC', permission_types: ['VIEW'], inheritable: true },
    });
    const drive = tree().given(hook(FILE, 'file.updated'), to_all);
    drive.given(event('ContactDeleted', { contact_id: CREATOR }));
    expect(matchesOf(drive, renamed)).toEqual([]);
    expect(reasonIn(drive)).toBe('CREATOR_DELETED');
    drive.given(contacted(CREATOR, { subject_key_id: 'subject-again' }));
    expect(matchesOf(drive, renamed)).toHaveLength(1);
  });

  it('apply also to a creator that never was a contact', () => {
    const stranger = 'UserID_stranger';
    const drive = tree().given(hook(FILE, 'file.updated', stranger));
    expect(reasonIn(drive)).toBe('CREATOR_LACKS_RIGHT');
    drive.given(may_view(MINE, { permission_id: 'x', granted_to: stranger }));
    expect(reasonIn(drive)).toBe(null);
    expect(matchesOf(drive, renamed)).toHaveLength(1);
  });

  it('are those of the current owner if no creator is stored', () => {
    const drive = tree().given(watching(ID, FILE, { event: 'file.updated' }));
    expect(matchesOf(drive, renamed)).toHaveLength(1);
    expect(presentWebhook(drive.context(OWNER), drive.state.webhooks.get(ID)!)).toMatchObject({
      created_by: OWNER,
      paused_reason: null,
    });
    drive.given(superswapped(OWNER, NEXT));
    expect(matchesOf(drive, renamed)).toHaveLength(1);
  });

  it('follow the creator to a new id', () => {
    const drive = tree().given(
      hook(FILE, 'file.updated'),
      hook('STATE_DIFFS', 'drive.state_diffs', CREATOR, 'WebhookID_2'),
      may_audit,
    );
    expect(shown(matchesOf(drive, superswapped(CREATOR, 'UserID_new')))).toEqual([
      ['WebhookID_2', 'drive.state_diffs', 'after'],
    ]);
    expect(drive.state.webhooks.get(ID)!.created_by).toBe('UserID_new');
    expect(matchesOf(drive, renamed)).toHaveLength(2);
  });

  it('exclude the event that removes the permission and include the one that grants it', () => {
    const drive = tree().given(hook('STATE_DIFFS', 'drive.state_diffs'));
    expect(matchesOf(drive, may_audit)).toHaveLength(1);
    expect(matchesOf(drive, inbox)).toHaveLength(1);
    expect(matchesOf(drive, no_audit)).toEqual([]);
    expect(matchesOf(drive, inbox)).toEqual([]);
  });

  it('include the deletion of the webhook itself', () => {
    const drive = tree().given(may_audit, hook('STATE_DIFFS', 'drive.state_diffs'));
    expect(matchesOf(drive, event('WebhookDeleted', { webhook_id: ID }))).toHaveLength(1);
  });

  it.each([
    ['INBOX_NEW_MAIL', 'org.inbox.new_mail', inbox],
    ['ALL_FILES', 'file.updated', renamed],
  ] as const)('on %s need VIEW on AUDIT', (alt_index, kind, fact) => {
    const drive = tree().given(hook(alt_index, kind), may_audit);
    expect(matchesOf(drive, fact)).toHaveLength(1);
    drive.given(no_audit);
    expect(matchesOf(drive, fact)).toEqual([]);
    expect(reasonIn(drive)).toBe('CREATOR_LACKS_RIGHT');
  });

  it('on a group need membership or VIEW', () => {
    const drive = tree().given(
      grouped('GroupID_g'),
      invited('GroupInviteID_m', 'GroupID_g', CREATOR),
    );
    drive.given(hook('GroupID_g', 'group.invite.created'));
    const invite = (nth: number) => invited(`GroupInviteID_${nth}`, 'GroupID_g', NEXT);
    expect(matchesOf(drive, invite(1))).toHaveLength(1);
    drive.given(event('GroupInvitesDeleted', { invite_ids: ['GroupInviteID_m'] }));
    expect(matchesOf(drive, invite(2))).toEqual([]);
  });
});

describe('an item that appears or disappears is sent as far as the creator could see it', () => {
  it('moved to a hidden folder: the departure without the destination', () => {
    const drive = tree(MINE).given(
      hook(FILE, 'file.deleted', CREATOR, 'WebhookID_left'),
      hook(FILE, 'file.created', CREATOR, 'WebhookID_came'),
      hook(MINE, 'subfile.deleted', CREATOR, 'WebhookID_below'),
    );
    expect(shown(matchesOf(drive, moved(HIDDEN)))).toEqual([
      ['WebhookID_left', 'file.deleted', 'before'],
      ['WebhookID_below', 'subfile.deleted', 'before'],
    ]);
  });

  it('moved from a hidden folder: the arrival without the origin', () => {
    const drive = tree(HIDDEN).given(
      hook(FILE, 'file.deleted', CREATOR, 'WebhookID_left'),
      hook(FILE, 'file.created', CREATOR, 'WebhookID_came'),
      hook(MINE, 'subfile.created', CREATOR, 'WebhookID_below'),
    );
    expect(shown(matchesOf(drive, moved(MINE)))).toEqual([
      ['WebhookID_came', 'file.created', 'after'],
      ['WebhookID_below', 'subfile.created', 'after'],
    ]);
  });

  it('moved between two visible folders: both sides', () => {
    const drive = tree(HIDDEN).given(
      hook(MINE, 'subfile.created', CREATOR, 'WebhookID_below'),
      may_view(HIDDEN),
    );
    expect(shown(matchesOf(drive, moved(MINE)))).toEqual([
      ['WebhookID_below', 'subfile.created', 'before after'],
    ]);
  });

  it.each([
    ['visible', MINE, 'before after'],
    ['hidden', HIDDEN, 'after'],
  ])('a copy of what is %s', (_, source, sides) => {
    const drive = tree(source).given(hook(MINE, 'subfile.created'));
    const copied = event('ItemCopied', {
      ...{ source_id: FILE, copy_id: 'FileID_copy', parent_folder_uuid: MINE, name: 'copy' },
      ...{ created_by: OWNER, files_expire_at: null, left_out: [] },
    });
    expect(shown(matchesOf(drive, copied))).toEqual([[ID, 'subfile.created', sides]]);
  });

  it('deleted: only if the creator could see it until then', () => {
    const gone = event('ItemsDeleted', { item_ids: [FILE] });
    const ends = (parent: string) =>
      shown(matchesOf(tree(parent).given(hook(FILE, 'file.deleted')), gone));
    expect(ends(MINE)).toEqual([[ID, 'file.deleted', 'before']]);
    expect(ends(HIDDEN)).toEqual([]);
  });

  it.each<[string, DomainEvent]>([
    ['trash', event('ItemsExpired', { trashed: [{ item_id: FILE, name: 'a.txt' }], kept: [] })],
    ['nothing', event('ItemsDeleted', { item_ids: [FILE] })],
  ])('expired, then swept into the %s: if the creator could see it until then', (_, swept) => {
    const ends = (parent: string, change: (drive: SpecDrive) => void = () => {}) => {
      const drive = tree(parent).given(
        hook(FILE, 'file.deleted'),
        hook(MINE, 'subfile.deleted', CREATOR, 'WebhookID_below'),
      );
      const expires_at = drive.now + 10;
      drive.given(event('FileUpdated', { file_id: FILE, updated_by: OWNER, expires_at }));
      change(drive);
      drive.after(20);
      return shown(matchesOf(drive, swept));
    };
    expect(ends(MINE)).toEqual([
      [ID, 'file.deleted', 'before'],
      ['WebhookID_below', 'subfile.deleted', 'before'],
    ]);
    expect(ends(HIDDEN)).toEqual([]);
    const until = (drive: SpecDrive): number => drive.now + 15;
    // A right that has ended by then counts no more.
    expect(
      ends(MINE, (drive) => {
        drive.given(revoked(MINE), may_view(MINE, { expiry_date_ms: until(drive) }));
      }),
    ).toEqual([]);
    // The folder of the file expires as well.
    const updated_by = OWNER;
    const folder_ends = (drive: SpecDrive): void => {
      const expires_at = drive.now + 5;
      drive.given(event('FolderUpdated', { folder_id: MINE, updated_by, expires_at }));
    };
    expect(ends(MINE, folder_ends)).toHaveLength(2);
  });

  it('restored: without its state in the trash', () => {
    const drive = tree().given(
      event('ItemTrashed', { item_id: FILE, name: 'a.txt', trashed_by: OWNER }),
      hook(FILE, 'drive.restore_trash'),
      hook('RESTORE_TRASH', 'drive.restore_trash', OWNER, 'WebhookID_owners'),
    );
    expect(reasonIn(drive)).toBe('CREATOR_LACKS_RIGHT');
    const restored = event('ItemRestored', {
      ...{ item_id: FILE, parent_folder_uuid: MINE, name: 'a.txt' },
    });
    expect(shown(matchesOf(drive, restored))).toEqual([
      [ID, 'drive.restore_trash', 'after'],
      ['WebhookID_owners', 'drive.restore_trash', 'before after'],
    ]);
  });

  it('viewed: not sent without the permission', () => {
    const drive = tree().given(hook(MINE, 'subfile.viewed'));
    const look = { event: 'subfile.viewed', indexes: [MINE], item_id: FILE } as const;
    const noticed = () =>
      watchNotices(drive.context({ kind: 'system' }), [look], listenersOf(drive.state));
    expect(noticed()).toHaveLength(1);
    drive.given(revoked(MINE));
    expect(noticed()).toEqual([]);
  });
});

describe('resending', () => {
  const past = (drive: SpecDrive, fact: DomainEvent) => {
    const state = tree().given(hook(FILE, 'file.updated')).state;
    const context = { ...drive.context({ kind: 'system' }), state };
    const webhook = drive.state.webhooks.get(ID)!;
    return watchEvent(context, fact, onlyListener(drive.state, webhook))(DIFF);
  };

  it("checks the creator's permissions at the past event, under the id of that time", () => {
    const drive = tree().given(hook(FILE, 'file.updated'));
    expect(past(drive, renamed)).toHaveLength(1);
    drive.given(superswapped(CREATOR, 'UserID_new'));
    expect(past(drive, renamed)).toHaveLength(1);
    drive.given(event('WebhookTakenOver', { webhook_id: ID, created_by: NEXT }));
    expect(past(drive, renamed)).toEqual([]);
  });

  it('shows the current owner everything', () => {
    const drive = tree().given(hook(FILE, 'file.updated', NEXT));
    expect(past(drive, renamed)).toEqual([]);
    drive.given(event('WebhookTakenOver', { webhook_id: ID, created_by: OWNER }));
    expect(creatorEver(drive.state, drive.state.webhooks.get(ID)!)).toBe('owner');
    expect(past(drive, renamed)).toHaveLength(1);
  });

  it('is refused while the webhook is paused', () => {
    const drive = tree().given(hook(FILE, 'file.updated'), revoked(MINE));
    const range = { id: ID, from_revision: 0, to_revision: 1, queued: 0 };
    expect(drive.when(ReplayWebhook, OWNER, range).refusal).toBe('webhook-paused');
    drive.given(may_view(MINE));
    expect(drive.when(ReplayWebhook, OWNER, range).refusal).toBe(null);
  });
});

describe('taking over', () => {
  const update = { id: ID, fresh: { secret: 'whsec_two' } };
  const may_edit = granted('SystemPermissionID_edit', NEXT, ID, 'EDIT');

  it('needs EDIT and permission to see the watched resource, and ends the pause', () => {
    const drive = tree().given(hook(FILE, 'file.updated'), revoked(MINE));
    const taken = () => drive.when(UpdateWebhook, NEXT, { ...update, take_over: true });
    expect(taken().refusal).toBe('forbidden');
    drive.given(may_edit);
    expect(taken().refusal).toBe('forbidden');
    drive.given(may_view(MINE, { granted_to: NEXT }));
    expect(taken().answer).toMatchObject({ created_by: NEXT, paused_reason: null });
    expect(matchesOf(drive, renamed)).toHaveLength(1);
  });

  it('is a no-op for the creator, and only take_over changes the creator', () => {
    const drive = tree().given(hook(FILE, 'file.updated'));
    const by_owner = { ...update, url: 'https://elsewhere.example/' };
    expect(drive.when(UpdateWebhook, OWNER, by_owner).answer!.created_by).toBe(CREATOR);
    const taken = () => drive.when(UpdateWebhook, OWNER, { ...update, take_over: true });
    expect(taken().events).toEqual([
      event('WebhookTakenOver', { webhook_id: ID, created_by: OWNER }),
    ]);
    expect(taken()).toMatchObject({ refusal: null, events: [] });
    const not = drive.when(UpdateWebhook, OWNER, { ...update, take_over: false });
    expect(not.refusal).toBe('nothing-to-update');
  });
});
