import type { SystemType } from '../kernel/permission-types.js';
import { recordOf } from '../foundation/record-of.js';
import { type DomainEvent, event } from '../foundation/events.js';
import {
  contacted,
  granted,
  grouped,
  invited,
  keyed,
  superswapped,
} from '../groups/testing/events.js';
import { directoryGrant, disk, ROOT } from '../permissions/testing/grants.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { purchased } from '../purchases/testing/events.js';
import { watching } from '../webhooks/testing/events.js';
import { labelCommands } from './commands.js';
import { labelValues } from '../relations/labels.js';

const { PinLabel, DeleteLabel } = labelCommands;
const BOB = 'UserID_bob';
const LABEL = 'LabelID_1';
const OTHER = 'LabelID_2';

const labelled = (label_id: string, value: string) =>
  event('LabelCreated', {
    label_id,
    value,
    public_note: null,
    private_note: null,
    color: '#ABC',
    created_by: OWNER,
    external_id: null,
    external_payload: null,
  });
const pinned = (resource_id: string, label_id = LABEL) =>
  event('LabelPinned', { label_id, resource_id });

/** One record of every family with labels, and the event that deletes it. */
const CARRIERS: readonly (readonly [family: string, id: string, gone: DomainEvent])[] = [
  ['contacts', BOB, event('ContactDeleted', { contact_id: BOB })],
  ['groups', 'GroupID_1', event('GroupDeleted', { group_id: 'GroupID_1' })],
  [
    'group_invites',
    'GroupInviteID_1',
    event('GroupInvitesDeleted', { invite_ids: ['GroupInviteID_1'] }),
  ],
  ['group_invites of a group', 'GroupInviteID_1', event('GroupDeleted', { group_id: 'GroupID_1' })],
  ['disks', 'DiskID_1', event('DiskDeleted', { disk_id: 'DiskID_1' })],
  ['folders', ROOT, event('DiskDeleted', { disk_id: 'DiskID_1' })],
  ['api_keys', 'ApiKeyID_1', event('ApiKeyDeleted', { api_key_id: 'ApiKeyID_1' })],
  ['webhooks', 'WebhookID_1', event('WebhookDeleted', { webhook_id: 'WebhookID_1' })],
  ['purchases', 'PurchaseID_1', event('PurchaseDeleted', { purchase_id: 'PurchaseID_1' })],
  ['drives', 'DriveID_1', event('KnownDriveDeleted', { drive_id: 'DriveID_1' })],
  ['labels', OTHER, event('LabelDeleted', { label_id: OTHER })],
  [
    'directory_permissions',
    'DirectoryPermissionID_1',
    event('DirectoryPermissionDeleted', { permission_id: 'DirectoryPermissionID_1' }),
  ],
  [
    'system_permissions',
    'SystemPermissionID_1',
    event('SystemPermissionDeleted', { permission_id: 'SystemPermissionID_1' }),
  ],
];

const full = () =>
  new SpecDrive().given(
    disk,
    contacted(BOB),
    grouped('GroupID_1'),
    invited('GroupInviteID_1', 'GroupID_1', BOB),
    keyed('ApiKeyID_1', OWNER, 'digest'),
    directoryGrant('1', ROOT, { granted_to: OWNER, permission_types: ['VIEW'] }),
    granted('SystemPermissionID_1', OWNER, 'TABLE_GROUPS', 'VIEW'),
    watching('WebhookID_1', 'GroupID_1'),
    purchased('PurchaseID_1'),
    event('KnownDriveCreated', {
      drive_id: 'DriveID_1',
      name: 'Acme',
      icp_principal: 'aaaaa-aa',
      public_note: '',
      private_note: '',
      host_url: '',
      email: null,
      external_id: null,
      external_payload: null,
    }),
    labelled(LABEL, 'urgent'),
    labelled(OTHER, 'later'),
  );
const values = (drive: SpecDrive, id: string) =>
  labelValues(drive.state, recordOf(drive.state, id)!);
const pin = (resource_id: string, add = true) => ({ label_id: LABEL, resource_id, add });

describe('PinLabel', () => {
  it.each(CARRIERS)('pins on and unpins from %s', (_, id) => {
    const drive = full();
    const before = recordOf(drive.state, id)!;
    const { events, answer } = drive.when(PinLabel, OWNER, pin(id));
    expect(events).toEqual([event('LabelPinned', { label_id: LABEL, resource_id: id })]);
    expect(answer).toMatchObject({ success: true, label: { id: LABEL, resources: [id] } });
    expect(values(drive, id)).toEqual(['urgent']);

    const again = drive.when(PinLabel, OWNER, pin(id));
    expect([again.events, again.refusal]).toEqual([[], null]);
    expect(again.answer!.message).toBe(answer!.message);

    const gone = drive.when(PinLabel, OWNER, pin(id, false));
    expect(gone.events).toEqual([event('LabelUnpinned', { label_id: LABEL, resource_id: id })]);
    expect(gone.answer!.label.resources).toEqual([]);
    expect(recordOf(drive.state, id)).toEqual({ ...before, revision: drive.state.revision });
    expect(drive.when(PinLabel, OWNER, pin(id, false)).events).toEqual([]);
  });

  it.each(CARRIERS)('is removed with %s', (_, id, gone) => {
    const drive = full().given(pinned(id), gone);
    expect(recordOf(drive.state, id)).toBeUndefined();
    expect(drive.state.undo_log.pins.of(LABEL)).toEqual([]);
  });

  it('shows several labels in the order of pinning, with their current values', () => {
    const drive = full().given(pinned(EVERYONE, OTHER), pinned(EVERYONE));
    expect(values(drive, EVERYONE)).toEqual(['later', 'urgent']);
    drive.given(event('LabelUpdated', { label_id: OTHER, value: 'tomorrow' }));
    expect(values(drive, EVERYONE)).toEqual(['tomorrow', 'urgent']);
  });

  it('is removed from all records when the label is deleted', () => {
    const drive = full().given(...CARRIERS.map(([, id]) => pinned(id)), pinned(BOB, OTHER));
    drive.when(DeleteLabel, OWNER, { id: LABEL });
    for (const [, id] of CARRIERS) expect(values(drive, id)).toEqual(id === BOB ? ['later'] : []);
    expect(recordOf(drive.state, EVERYONE)).not.toHaveProperty('label_ids');
    expect(drive.state.undo_log.pins.of(LABEL)).toEqual([]);
  });

  it('follows a superswap', () => {
    const drive = full().given(pinned(BOB), superswapped(BOB, 'UserID_new'));
    expect(values(drive, 'UserID_new')).toEqual(['urgent']);
    expect(drive.state.undo_log.pins.of(LABEL)).toEqual(['UserID_new']);
  });

  it('is rolled back with a failed transaction', () => {
    const drive = full().given(pinned(BOB));
    const { undo_log } = drive.state;
    drive.state.labels.remove(LABEL);
    drive.state.contacts.remove(BOB);
    expect(undo_log.pins.of(LABEL)).toEqual([]);
    undo_log.undoTo(0);
    expect(undo_log.pins.of(LABEL)).toEqual([BOB]);
  });
});

describe('permissions for pinning', () => {
  const drive = (on: string, ...types: SystemType[]) =>
    full().given(
      granted('SystemPermissionID_l', BOB, 'TABLE_LABELS', 'EDIT'),
      ...(types.length > 0 ? [granted('SystemPermissionID_r', BOB, on, ...types)] : []),
    );

  it('requires EDIT on label and record, and names both', () => {
    const { allowed_by } = drive('TABLE_GROUPS', 'EDIT').when(PinLabel, BOB, pin('GroupID_1'));
    expect(allowed_by).toEqual(['SystemPermissionID_l', 'SystemPermissionID_r']);
    const blind = drive('TABLE_GROUPS', 'VIEW', 'DELETE', 'CREATE', 'INVITE');
    expect(blind.when(PinLabel, BOB, pin('GroupID_1')).refusal).toBe('forbidden');
    expect(blind.when(PinLabel, BOB, pin('GroupID_1', false)).refusal).toBe('forbidden');
    const given = full().given(granted('SystemPermissionID_r', BOB, 'GroupID_1', 'EDIT'));
    expect(given.when(PinLabel, BOB, pin('GroupID_1')).refusal).toBe('forbidden');
  });

  it('requires the directory permission for folders', () => {
    const given = drive('TABLE_DISKS', 'EDIT');
    expect(given.when(PinLabel, BOB, pin(ROOT)).refusal).toBe('forbidden');
    given.given(directoryGrant('b', ROOT, { granted_to: BOB, permission_types: ['EDIT'] }));
    expect(given.when(PinLabel, BOB, pin(ROOT)).allowed_by).toEqual([
      'SystemPermissionID_l',
      'DirectoryPermissionID_b',
    ]);
  });

  it('refuses the label itself, unknown labels and unknown records', () => {
    expect(full().when(PinLabel, OWNER, pin(LABEL)).refusal).toBe('invalid-field');
    const unknown = { label_id: 'LabelID_none', resource_id: BOB, add: true };
    expect(full().when(PinLabel, OWNER, unknown).refusal).toBe('label-not-found');
    expect(full().when(PinLabel, 'UserID_x', unknown).refusal).toBe('forbidden');
    for (const id of ['GroupID_none', 'UserID_none', 'FolderID_none'])
      expect(full().when(PinLabel, OWNER, pin(id)).refusal).toBe('resource-not-found');
  });

  it('does not reveal without the permission whether a contact or label exists', () => {
    const refusal = (given: SpecDrive, resource_id: string, label_id = LABEL) =>
      given.when(PinLabel, BOB, { label_id, resource_id, add: true }).refusal;
    for (const id of ['UserID_none', OWNER])
      expect(refusal(drive('TABLE_DISKS', 'EDIT'), id)).toBe('forbidden');
    expect(refusal(drive('TABLE_CONTACTS', 'EDIT'), 'UserID_none')).toBe('resource-not-found');
    const on_one = full().given(granted('SystemPermissionID_l', BOB, LABEL, 'EDIT'));
    for (const id of [OTHER, 'LabelID_none']) {
      expect(refusal(on_one, id)).toBe('forbidden');
      expect(refusal(on_one, LABEL, id)).toBe('forbidden');
    }
    const grants = full().given(
      granted('SystemPermissionID_l', BOB, 'TABLE_LABELS', 'EDIT'),
      granted('SystemPermissionID_hidden', OTHER, 'TABLE_GROUPS', 'VIEW'),
    );
    for (const id of ['SystemPermissionID_hidden', 'SystemPermissionID_none'])
      expect(refusal(grants, id)).toBe('resource-not-found');
    expect(refusal(grants, 'SystemPermissionID_l')).toBe('forbidden');
    // Ids of other families are not confidential.
    expect(refusal(on_one, 'GroupID_none')).toBe('resource-not-found');
  });
});
