import { newDriveState } from '../../drive/state.js';
import { directoryNode } from '../resources.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../kernel/permission-types.js';
import type { DriveState } from '../../foundation/state.js';
import { event, type DomainEvent } from '../../foundation/events.js';
import fc from 'fast-check';
import { evolve } from '../../drive/evolve.js';
import { serviceContactCreated } from '../../relations/bare-contact.js';
import { contactWith } from '../../relations/former-ids.js';
import type { FileRecord } from '../../directory/record.js';
import type { Folder } from '../../disks/record.js';
import type { TouchedKey } from '../../kernel/undo-log.js';
import { DRIVE, EVERYONE, OWNER, spawned } from '../../testing/drive.js';

/** A small world with every kind of name in it, so that random steps meet each other often. */
export const USERS = [OWNER, 'UserID_1', 'UserID_2', 'UserID_3', 'UserID_4'];
export const GROUPS = [EVERYONE, 'GroupID_1', 'GroupID_2', 'GroupID_3'];
export const PLACEHOLDERS = [
  'PlaceholderPermissionGranteeID_1',
  'PlaceholderPermissionGranteeID_2',
];
export const FOLDERS = Array.from({ length: 9 }, (_, at) => `FolderID_${at}`);
export const FILES = Array.from({ length: 3 }, (_, at) => `FileID_${at}`);
const GRANTEES = [...USERS, ...GROUPS, ...PLACEHOLDERS, 'PUBLIC'];
const INVITEES = [...USERS, 'PlaceholderGroupInviteeID_1', 'PUBLIC'];
const INVITES = Array.from({ length: 8 }, (_, at) => `GroupInviteID_${at}`);
const DIRECTORY_GRANTS = Array.from({ length: 12 }, (_, at) => `DirectoryPermissionID_${at}`);
const SYSTEM_GRANTS = Array.from({ length: 12 }, (_, at) => `SystemPermissionID_${at}`);

/** Resources of system queries; grants are placed on them too. */
export const SYSTEM_RESOURCES = [
  'TABLE_GROUPS',
  'TABLE_PERMISSIONS',
  'TABLE_DISKS',
  'TABLE_CONTACTS',
  'GroupID_1',
  'GroupID_2',
  'UserID_1',
  'DiskID_1',
  'SystemPermissionID_0',
  'SystemPermissionID_1',
  'DirectoryPermissionID_0',
  'DirectoryPermissionID_1',
  'GroupInviteID_0',
  'GroupInviteID_1',
  'RedeemTokenID_1',
];

const CHANGES_PER_MS = 4;

const one = (names: readonly string[]) => fc.constantFrom(...names);
/** Windows open and close between 1 and 9; 0 and -1 stand for always and never. */
const begin = fc.constantFrom(0, 0, 0, 1, 3, 5, 8);
const end = fc.constantFrom<number>(-1, -1, -1, 2, 4, 6, 9);
const some = (types: readonly string[]) => fc.subarray([...types], { minLength: 1 });

const folder = fc.record({
  step: fc.constant('folder' as const),
  at: fc.nat(FOLDERS.length - 1),
  /** Only earlier ones can be parents, so there are no circles; -1 for none. */
  parent: fc.integer({ min: -1, max: FOLDERS.length - 2 }),
  sovereign: fc.boolean(),
  /** A time at which nothing else begins or ends. */
  expires_at: fc.constantFrom(-1, -1, -1, 7),
});
const file = fc.record({
  step: fc.constant('file' as const),
  at: fc.nat(FILES.length - 1),
  parent: fc.nat(FOLDERS.length - 1),
  sovereign: fc.boolean(),
  expires_at: fc.constantFrom(-1, -1, -1, 7),
});
const group = fc.record({
  step: fc.constant('group' as const),
  id: one(GROUPS),
  owner: one(USERS),
});
const invite = fc.record({
  step: fc.constant('invite' as const),
  id: one(INVITES),
  group_id: one(GROUPS),
  invitee_id: one(INVITEES),
  role: fc.constantFrom('ADMIN' as const, 'MEMBER' as const),
  active_from: begin,
  expires_at: end,
});
const grant = (kind: 'directory' | 'system') =>
  fc.record({
    step: fc.constant(kind),
    id: one(kind === 'directory' ? DIRECTORY_GRANTS : SYSTEM_GRANTS),
    resource_id: one(kind === 'directory' ? [...FOLDERS, ...FILES] : SYSTEM_RESOURCES),
    granted_to: one(GRANTEES),
    granted_by: one(USERS),
    permission_types: some(kind === 'directory' ? DIRECTORY_TYPES : SYSTEM_TYPES),
    begin_date_ms: begin,
    expiry_date_ms: end,
    inheritable: fc.boolean(),
  });
const redeem = fc.record({
  step: fc.constant('redeem' as const),
  id: one([...DIRECTORY_GRANTS, ...SYSTEM_GRANTS, ...INVITES]),
  user: one(USERS),
});
const remove = fc.record({
  step: fc.constant('remove' as const),
  id: one([...GROUPS, ...INVITES, ...DIRECTORY_GRANTS, ...SYSTEM_GRANTS, ...USERS.slice(1)]),
});
const contact = fc.record({
  step: fc.constant('contact' as const),
  id: one(USERS.slice(1)),
});
/** More of these than `remove` has, so that contacts are deleted and created again. */
const leave = fc.record({
  step: fc.constant('remove' as const),
  id: one(USERS.slice(1)),
});
const swap = fc.record({
  step: fc.constant('swap' as const),
  from: one(USERS),
  to: one(USERS),
});
/** Lets time pass without an event. */
const wait = fc.record({
  step: fc.constant('wait' as const),
  ms: fc.integer({ min: 1, max: 3 }),
});
/** Takes back this many of the last steps. */
const undo = fc.record({
  step: fc.constant('undo' as const),
  steps: fc.integer({ min: 1, max: 4 }),
});

export const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: folder },
    { weight: 3, arbitrary: file },
    { weight: 2, arbitrary: group },
    { weight: 6, arbitrary: invite },
    { weight: 9, arbitrary: grant('directory') },
    { weight: 9, arbitrary: grant('system') },
    { weight: 2, arbitrary: redeem },
    { weight: 2, arbitrary: remove },
    { weight: 2, arbitrary: contact },
    { weight: 1, arbitrary: leave },
    { weight: 2, arbitrary: swap },
    { weight: 1, arbitrary: wait },
    { weight: 2, arbitrary: undo },
  ),
  { minLength: 8, maxLength: 60, size: 'max' },
);
export type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** Called for every change that steps make, as a fold reports events. */
export interface Watch {
  before(state: DriveState, timestamp_ms: number): void;
  after(state: DriveState, touched: readonly TouchedKey[]): void;
}

/** A state that random steps are applied to, nearly all through the events of the product. */
export class RandomDrive {
  readonly state = newDriveState(DRIVE);
  private readonly marks: number[] = [];
  private age = 0;

  constructor(private readonly watch?: Watch) {
    this.apply(spawned);
    FOLDERS.forEach((_, at) => this.putFolder(at, at - 1 - (at % 2), at % 4 === 0, -1));
  }

  take(step: Step): void {
    if (step.step === 'undo') {
      for (let left = step.steps; left > 0 && this.marks.length > 0; left--)
        this.state.undo_log.undoTo(this.marks.pop()!);
      return;
    }
    this.marks.push(this.state.undo_log.mark());
    switch (step.step) {
      case 'folder':
        return this.putFolder(step.at, step.parent, step.sovereign, step.expires_at);
      case 'file':
        return this.putFile(step);
      case 'group':
        return this.putGroup(step.id, step.owner);
      case 'invite':
        return this.putInvite(step);
      case 'directory':
      case 'system':
        return this.putGrant(step);
      case 'redeem':
        return this.redeem(step.id, step.user);
      case 'remove':
        return this.remove(step.id);
      case 'contact':
        return this.putContact(step.id);
      case 'swap':
        return this.swap(step.from, step.to);
      case 'wait':
        this.age += step.ms * CHANGES_PER_MS;
    }
  }

  private apply({ type, data }: DomainEvent): void {
    this.change((facts) => evolve(this.state, { ...facts, type, data }));
  }

  private change(make: (facts: ReturnType<RandomDrive['facts']>) => void): void {
    const { state, watch } = this;
    const facts = this.facts();
    const mark = state.undo_log.mark();
    watch?.before(state, facts.timestamp_ms);
    state.undo_log.revision = facts.revision;
    state.timestamp_ms = facts.timestamp_ms;
    make(facts);
    watch?.after(state, state.undo_log.touchedSince(mark));
  }

  private facts() {
    this.age++;
    // Several records share one moment, so that the order by id is met too.
    const timestamp_ms = Math.floor(this.age / CHANGES_PER_MS);
    return { event_id: `event-${this.age}`, timestamp_ms, revision: this.state.revision + 1 };
  }

  private swap(current_user_id: string, new_user_id: string): void {
    if (current_user_id === new_user_id) return;
    // Refused by the command: the new id is another contact's, now or formerly.
    const holder = contactWith(this.state, new_user_id);
    if (holder && (holder.id === new_user_id || holder.id !== current_user_id)) return;
    const swapped = { current_user_id, new_user_id, updated_count: 0 };
    this.apply(event('UserSuperswapped', swapped));
  }

  private putContact(id: string): void {
    // Former ids of contacts are refused.
    if (contactWith(this.state, id)) return;
    this.apply(serviceContactCreated(id, `subject-${this.age}`));
  }

  private putFolder(at: number, parent: number, sovereign: boolean, expires_at: number): void {
    this.change(() => this.state.folders.put(this.folder(at, parent, sovereign, expires_at)));
  }

  private folder(at: number, parent: number, sovereign: boolean, expires_at: number): Folder {
    return {
      id: FOLDERS[at]!,
      name: `folder ${at}`,
      parent_folder_uuid: FOLDERS[Math.min(parent, at - 1)] ?? null,
      disk_id: 'DiskID_1',
      created_by: OWNER,
      created_at: 0,
      last_updated_by: OWNER,
      last_updated_date_ms: 0,
      expires_at,
      has_sovereign_permissions: sovereign,
    };
  }

  private putFile({ at, parent, sovereign, expires_at }: Extract<Step, { step: 'file' }>): void {
    const record: FileRecord = {
      id: FILES[at]!,
      name: `file ${at}`,
      parent_folder_uuid: FOLDERS[parent]!,
      disk_id: 'DiskID_1',
      version_id: `FileVersionID_${at}`,
      file_version: 1,
      prior_version: null,
      version_by: OWNER,
      version_at: 0,
      object_name: null,
      keyed_by_version: false,
      extension: '',
      file_size: 1,
      raw_url: '',
      upload_status: 'QUEUED',
      created_by: OWNER,
      created_at: 0,
      last_updated_by: OWNER,
      last_updated_date_ms: 0,
      expires_at,
      has_sovereign_permissions: sovereign,
      shortcut_to: null,
      notes: null,
      external_id: null,
      external_payload: null,
      restore_trash_prior_folder_uuid: null,
      restore_name: null,
      trashed_by: null,
    };
    this.change(() => this.state.files.put(record));
  }

  private putGroup(id: string, owner: string): void {
    const known = this.state.groups.get(id);
    if (known) return this.change(() => this.state.groups.put({ ...known, owner }));
    const fields = { name: id, avatar: '', public_note: '', private_note: '', host_url: '' };
    const external = { external_id: null, external_payload: null };
    const admin_invite_id = `GroupInviteID_of_${id}`;
    this.apply(
      event('GroupCreated', { group_id: id, owner, admin_invite_id, ...fields, ...external }),
    );
  }

  private putInvite(step: Extract<Step, { step: 'invite' }>): void {
    const { step: _, id: invite_id, group_id, invitee_id, ...fields } = step;
    if (this.state.invites.has(invite_id))
      return this.apply(event('GroupInviteUpdated', { invite_id, ...fields }));
    if (!this.state.groups.has(group_id)) return;
    this.apply(
      event('GroupInviteCreated', {
        ...fields,
        invite_id,
        group_id,
        invitee_id,
        inviter_id: OWNER,
        note: '',
        redeem_code: null,
        redeem_digest: '',
        from_placeholder_invitee: null,
        external_id: null,
        external_payload: null,
      }),
    );
  }

  private putGrant(step: Extract<Step, { step: 'directory' | 'system' }>): void {
    const { step: kind, id: permission_id, ...fields } = step;
    const { resource_id, granted_to, granted_by: _by, ...directory_changes } = fields;
    if (granted_to.startsWith('GroupID_') && !this.state.groups.has(granted_to)) return;
    // No command grants anything on a missing item, and grants on an item are removed with it.
    if (kind === 'directory' && !directoryNode(this.state, resource_id)) return;
    const code = { redeem_code: null, redeem_digest: '' };
    const rest = { note: '', metadata: null, external_id: null, external_payload: null, ...code };
    if (kind === 'directory' && this.state.directory_permissions.has(permission_id))
      this.apply({
        type: 'DirectoryPermissionUpdated',
        data: { permission_id, ...directory_changes },
      } as DomainEvent);
    else if (this.state.system_permissions.has(permission_id))
      this.apply({
        type: 'SystemPermissionUpdated',
        data: { permission_id, ...directory_changes, resource_id, granted_to, ...code },
      } as DomainEvent);
    else
      this.apply({
        type: kind === 'directory' ? 'DirectoryPermissionCreated' : 'SystemPermissionCreated',
        data: { permission_id, ...fields, ...rest },
      } as DomainEvent);
  }

  private redeem(id: string, user: string): void {
    const data = { granted_to: user, note: null };
    if (this.state.invites.has(id))
      this.apply(event('GroupInviteRedeemed', { invite_id: id, invitee_id: user, note: '' }));
    if (this.state.directory_permissions.has(id))
      this.apply(event('DirectoryPermissionRedeemed', { permission_id: id, ...data }));
    if (this.state.system_permissions.has(id))
      this.apply(event('SystemPermissionRedeemed', { permission_id: id, ...data }));
  }

  private remove(id: string): void {
    if (this.state.groups.has(id)) this.apply(event('GroupDeleted', { group_id: id }));
    if (this.state.invites.has(id)) this.apply(event('GroupInvitesDeleted', { invite_ids: [id] }));
    if (this.state.directory_permissions.has(id))
      this.apply(event('DirectoryPermissionDeleted', { permission_id: id }));
    if (this.state.system_permissions.has(id))
      this.apply(event('SystemPermissionDeleted', { permission_id: id }));
    if (id.startsWith('UserID_')) this.apply(event('ContactDeleted', { contact_id: id }));
  }
}
