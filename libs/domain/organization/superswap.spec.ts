import { jest } from '@jest/globals';
import { event, type DomainEvent } from '../foundation/events.js';
import { itemMade, versionMade } from '../directory/testing/events.js';
import { contacted, grouped, granted, invited, keyed } from '../groups/testing/events.js';
import { DRIVE, EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { directoryGrant, diskMade } from '../permissions/testing/grants.js';
import { purchased } from '../purchases/testing/events.js';
import { watching } from '../webhooks/testing/events.js';
import { organizationCommands } from './commands.js';

const { SuperswapUser } = organizationCommands;
const OLD = 'UserID_old';
const NEW = 'UserID_new';
const OTHER = 'UserID_other';
const swap = (current_user_id = OLD, new_user_id = NEW) => ({ current_user_id, new_user_id });

const contact = (contact_id: string, created_by: string | null = null) =>
  contacted(contact_id, {
    subject_key_id: 'subject-1',
    name: 'Olga',
    redeem_code: 'RedeemTokenID_1',
    redeem_digest: `digest-of-code-of-${created_by}`,
    code_ends_on_sign_in: true,
    created_by,
  });

const key = (api_key_id: string, user_id: string, created_by: string | null) =>
  keyed(api_key_id, user_id, `digest-${api_key_id}`, { created_by });

const shared = (id: string, granted_to: string, granted_by: string) =>
  directoryGrant(id, 'FolderID_root-1', { granted_to, granted_by, permission_types: ['VIEW'] });

/** A system grant to another user. */
function grantedBy(permission_id: string, granted_by: string): DomainEvent {
  const { data } = granted(permission_id, OTHER, 'TABLE_DISKS', 'VIEW');
  return { type: 'SystemPermissionCreated', data: { ...data, granted_by } } as DomainEvent;
}

/** A disk created by the user: two folders, and two grants to the creator. */
const disk = (created_by: string, nth = 1) =>
  diskMade({
    disk_id: `DiskID_${nth}`,
    created_by,
    root_folder: `FolderID_root-${nth}`,
    trash_folder: `FolderID_trash-${nth}`,
    creator_grants: {
      root_permission_id: `DirectoryPermissionID_root-${nth}`,
      trash_permission_id: `DirectoryPermissionID_trash-${nth}`,
    },
  });

/** Another user's item on their disk, trashed by the user. */
const trashed = (item_id: string, nth: number): DomainEvent[] => [
  disk(OTHER, nth),
  itemMade(item_id, `FolderID_root-${nth}`, `DiskID_${nth}`, OTHER),
  event('ItemTrashed', { item_id, name: item_id, trashed_by: OLD }),
];

type Facts = DomainEvent | readonly DomainEvent[];

/** Events that refer to OLD in every field that a superswap changes, with the number of counted records. */
const everywhere: readonly (readonly [facts: Facts, counted: number])[] = [
  [contact(OLD), 1],
  // The creator of a contact is internal and not counted.
  [contact(OTHER, OLD), 0],
  [key('ApiKeyID_of', OLD, null), 1],
  [key('ApiKeyID_by', OTHER, OLD), 1],
  [key('ApiKeyID_both', OLD, OLD), 1],
  [disk(OLD), 4],
  [itemMade('FolderID_made', 'FolderID_root-1', 'DiskID_1', OLD), 1],
  // The file with its current version, and the previous version.
  [
    [itemMade('FileID_made', 'FolderID_root-1', 'DiskID_1', OLD), versionMade('FileID_made', OLD)],
    3,
  ],
  [
    [
      itemMade('FileID_taken', 'FolderID_root-1', 'DiskID_1', OLD),
      versionMade('FileID_taken', OTHER),
    ],
    2,
  ],
  // `trashed_by` is bookkeeping and not counted.
  [trashed('FileID_trashed', 2), 0],
  [trashed('FolderID_trashed', 3), 0],
  // The group and its ADMIN invite, which names OLD twice.
  [grouped('GroupID_1', OLD), 2],
  [invited('GroupInviteID_to', EVERYONE, OLD), 1],
  [invited('GroupInviteID_by', EVERYONE, OTHER, { inviter_id: OLD }), 1],
  [shared('to', OLD, OWNER), 1],
  [shared('by', OTHER, OLD), 1],
  [shared('both', OLD, OLD), 1],
  [granted('SystemPermissionID_to', OLD, 'TABLE_DISKS', 'VIEW'), 1],
  [granted('SystemPermissionID_on', OTHER, OLD, 'VIEW'), 1],
  [granted('SystemPermissionID_self', OLD, OLD, 'EDIT'), 1],
  [grantedBy('SystemPermissionID_by', OLD), 1],
  [
    event('LabelCreated', {
      label_id: 'LabelID_1',
      created_by: OLD,
      value: 'urgent',
      public_note: null,
      private_note: null,
      color: '#FFF',
      external_id: null,
      external_payload: null,
    }),
    1,
  ],
  [event('OwnershipTransferRequested', { next_owner_id: OLD }), 1],
  // These are extras and not counted.
  [watching('WebhookID_1', OLD, { created_by: OLD }), 0],
  [purchased('PurchaseID_1', { vendor_id: OLD, related_resources: [OTHER, OLD] }), 0],
  [
    event('BookmarkCreated', {
      name: 'year-end',
      point: { revision: 0, at_ms: 0 },
      note: '',
      created_by: OLD,
    }),
    0,
  ],
  [event('ShortlinkCreated', { slug: 's1', original_url: 'https://a', created_by: OLD }), 0],
];

const full = () => new SpecDrive().given(...everywhere.flatMap(([facts]) => facts));
const counted = everywhere.reduce((sum, [, count]) => sum + count, 0);

const typesOf = (facts: Facts): string =>
  [facts]
    .flat()
    .map(({ type }) => type)
    .join();

/** All fields of the state that contain the text, as `family/id/field`. */
function placesOf(drive: SpecDrive, text: string): string[] {
  const places: string[] = [];
  for (const table of drive.state.tables)
    for (const record of table.values())
      for (const [field, value] of Object.entries(record))
        if (JSON.stringify(value).includes(`"${text}"`))
          places.push(`${table.definition.name}/${record.id}/${field}`);
  return places.sort();
}

describe('SuperswapUser', () => {
  it('does not change the old id in history', () => {
    const drive = full();
    const before = placesOf(drive, OLD);
    const families = new Set(before.map((place) => place.split('/')[0]));
    expect([...families]).toEqual([
      'api_keys',
      'bookmarks',
      'contacts',
      'directory_permissions',
      'file_versions',
      'files',
      'folders',
      'group_invites',
      'groups',
      'labels',
      'organization',
      'purchases',
      'shortlinks',
      'system_permissions',
      'webhooks',
    ]);
    drive.when(SuperswapUser, OWNER, swap());
    const [history] = drive.state.superswaps.values();
    expect(placesOf(drive, OLD)).toEqual([
      `contacts/${NEW}/past_user_ids`,
      `superswaps/${history!.id}/old_user_id`,
    ]);
    const moved = before.map((place) => place.replace(OLD, NEW));
    expect(placesOf(drive, NEW)).toEqual(
      [...moved, `superswaps/${history!.id}/new_user_id`].sort(),
    );
  });

  it('updates all indexes by user', () => {
    const drive = full();
    drive.when(SuperswapUser, OWNER, swap());
    expect(drive.state.undo_log.referencesTo(OLD)).toBe(0);
    for (const [table, index] of [
      [drive.state.api_keys, 'user'],
      [drive.state.invites, 'invitee'],
      [drive.state.groups, 'owner'],
      [drive.state.directory_permissions, 'grantee'],
      [drive.state.directory_permissions, 'granter'],
      [drive.state.system_permissions, 'grantee'],
      [drive.state.system_permissions, 'resource'],
      [drive.state.webhooks, 'alt_index'],
    ] as const) {
      expect(table.by(index, OLD).size).toBe(0);
      expect(table.by(index, NEW).size).toBeGreaterThan(0);
    }
  });

  it('counts each changed record once, except links and creators of contacts', () => {
    const { answer, allowed_by, events } = full().when(SuperswapUser, OWNER, swap());
    expect(allowed_by).toEqual(['OWNER']);
    expect(events).toEqual([event('UserSuperswapped', { ...swap(), updated_count: counted })]);
    expect(answer).toEqual({ success: true, message: expect.any(String), updated_count: counted });
    for (const part of [OLD, NEW, String(counted)]) expect(answer!.message).toContain(part);
  });

  it.each(everywhere.map(([facts, count]) => [typesOf(facts), facts, count] as const))(
    'counts a single %s',
    (_, facts, count) => {
      const drive = new SpecDrive().given(...[facts].flat());
      const { answer } = drive.when(SuperswapUser, OWNER, swap());
      expect(answer!.updated_count).toBe(count);
      expect(drive.state.undo_log.referencesTo(OLD)).toBe(0);
    },
  );

  it('lets tokens act as the new id, and no caller as the old id', () => {
    const drive = full();
    drive.when(SuperswapUser, OWNER, swap());
    const { caller } = drive.context({ kind: 'api_key', digest: 'digest-ApiKeyID_of' });
    expect(caller).toMatchObject({ user_id: NEW, api_key_id: 'ApiKeyID_of' });
    expect(drive.state.contacts.has(OLD)).toBe(false);
  });

  it('moves the whole contact, stores the old id and ends its code', () => {
    const drive = full();
    const before = drive.state.contacts.get(OLD)!;
    drive.when(SuperswapUser, OWNER, swap());
    expect(drive.state.contacts.get(NEW)).toEqual({
      ...before,
      id: NEW,
      past_user_ids: [OLD],
      redeem_code: '',
      redeem_digest: '',
      code_ends_on_sign_in: false,
      updated_at: drive.state.timestamp_ms,
      revision: drive.state.revision,
    });
    expect(drive.state.contacts.get(OTHER)).toMatchObject({ redeem_code: 'RedeemTokenID_1' });
  });

  it('does not change texts, placeholders and other users', () => {
    const drive = new SpecDrive().given(
      contact(OLD),
      invited('GroupInviteID_text', EVERYONE, OTHER, {
        note: OLD,
        external_id: OLD,
        external_payload: OLD,
        from_placeholder_invitee: 'PlaceholderGroupInviteeID_1',
      }),
    );
    const before = drive.state.invites.get('GroupInviteID_text');
    drive.when(SuperswapUser, OWNER, swap());
    expect(drive.state.invites.get('GroupInviteID_text')).toBe(before);
  });

  it('makes the new id the owner or pending owner if the old one was', () => {
    const drive = full();
    const { answer } = drive.when(SuperswapUser, OWNER, swap(OWNER, NEW));
    expect(answer!.message).toContain(OWNER);
    expect(drive.state.organization.owner_id).toBe(NEW);
    expect(drive.when(SuperswapUser, OWNER, swap(OLD, OWNER)).refusal).toBe('forbidden');
    expect(drive.when(SuperswapUser, NEW, swap(OLD, 'UserID_next')).refusal).toBeNull();
    expect(drive.state.organization.pending_owner_id).toBe('UserID_next');
  });

  it('can be reversed, and keeps the ids in between', () => {
    const drive = full();
    const before = placesOf(drive, OLD);
    drive.when(SuperswapUser, OWNER, swap(OLD, NEW));
    drive.when(SuperswapUser, OWNER, swap(NEW, 'UserID_newer'));
    const { answer } = drive.when(SuperswapUser, OWNER, swap('UserID_newer', OLD));
    expect(answer!.updated_count).toBe(counted);
    expect(drive.state.contacts.get(OLD)!.past_user_ids).toEqual([NEW, 'UserID_newer']);
    const after = placesOf(drive, OLD).filter((place) => !place.startsWith('superswaps/'));
    expect(after).toEqual(before);
    expect([...drive.state.superswaps.values()].map(({ new_user_id }) => new_user_id)).toEqual([
      NEW,
      'UserID_newer',
      OLD,
    ]);
  });

  it('works without a contact for a referenced id', () => {
    const drive = new SpecDrive().given(granted('SystemPermissionID_to', OLD, DRIVE, 'VIEW'));
    expect(drive.when(SuperswapUser, OWNER, swap()).answer!.updated_count).toBe(1);
    expect(drive.state.contacts.has(NEW)).toBe(false);
  });

  it('keeps duplicates if both ids had the same grant or invite', () => {
    const drive = new SpecDrive().given(
      contact(OLD),
      invited('GroupInviteID_1', EVERYONE, OLD),
      invited('GroupInviteID_2', EVERYONE, NEW),
    );
    drive.when(SuperswapUser, OWNER, swap());
    expect(drive.state.invites.count('invitee', NEW)).toBe(2);
  });

  it('refuses two equal ids before checking the caller', () => {
    expect(full().when(SuperswapUser, OTHER, swap(OLD, OLD)).refusal).toBe('same-user');
  });

  it('is allowed only to the owner', () => {
    expect(full().when(SuperswapUser, OLD, swap()).refusal).toBe('forbidden');
  });

  it('refuses an unreferenced id; history does not count', () => {
    const drive = new SpecDrive();
    expect(drive.when(SuperswapUser, OWNER, swap()).refusal).toBe('user-not-referenced');
    drive.given(contact(OLD));
    drive.when(SuperswapUser, OWNER, swap());
    expect(drive.when(SuperswapUser, OWNER, swap(OLD, OTHER)).refusal).toBe('user-not-referenced');
  });

  it('refuses a new id that is a contact, or another contact’s former id', () => {
    const drive = new SpecDrive().given(contact(OLD), contact(OTHER));
    expect(drive.when(SuperswapUser, OWNER, swap(OLD, OTHER)).refusal).toBe('user-in-use');
    drive.when(SuperswapUser, OWNER, swap(OTHER, 'UserID_another'));
    expect(drive.when(SuperswapUser, OWNER, swap(OLD, OTHER)).refusal).toBe('former-user-id');
    drive.given(event('ContactDeleted', { contact_id: 'UserID_another' }));
    expect(drive.when(SuperswapUser, OWNER, swap(OLD, OTHER)).refusal).toBeNull();
  });

  it('swaps in every field that a family declares to hold a user', () => {
    const declared = full().state.tables.flatMap(({ definition: { name, user_fields } }) =>
      user_fields.map((field) => `${name}.${field}`),
    );
    const drive = full();
    const filled = placesOf(drive, OLD).map((place) => place.replace(/\/.*\//, '.'));
    // The owner is another user here: that field has its own test above.
    const missing = declared.filter((field) => !filled.includes(field));
    expect(missing).toEqual(['organization.owner_id']);
  });
});

it('a superswap after the first visits only the records that refer to the user', () => {
  const drive = new SpecDrive().given(contact(OLD));
  const others = Array.from({ length: 50 }, (_, nth) => grouped(`GroupID_${nth}`, OTHER));
  drive.given(...others, grouped('GroupID_own', OLD));
  drive.when(SuperswapUser, OWNER, swap());
  const visits = drive.state.tables.map((table) => jest.spyOn(table, 'views'));
  const gets = jest.spyOn(drive.state.groups, 'get');
  expect(drive.when(SuperswapUser, OWNER, swap(NEW, OLD)).refusal).toBeNull();
  expect(visits.flatMap(({ mock }) => mock.calls)).toEqual([]);
  expect(new Set(gets.mock.calls.flat())).toEqual(new Set(['GroupID_own']));
});
