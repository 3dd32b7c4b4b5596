import * as fc from 'fast-check';
import type { Credential } from '../../libs/domain/access/caller.js';
import { TABLES } from '../../libs/domain/access/resources.js';
import { apiKeyCommands } from '../../libs/domain/api-keys/definitions.js';
import { bookmarkCommands } from '../../libs/domain/bookmarks/definitions.js';
import { contactCommands } from '../../libs/domain/contacts/definitions.js';
import { directoryCommands } from '../../libs/domain/directory/definitions.js';
import { CONFLICT_RESOLUTIONS } from '../../libs/domain/directory/commands.js';
import { diskCommands } from '../../libs/domain/disks/definitions.js';
import { DISK_TYPES } from '../../libs/domain/disks/record.js';
import type { CommandDefinition } from '../../libs/domain/drive/decision.js';
import type { DriveState } from '../../libs/domain/drive/state.js';
import { groupCommands, inviteCommands } from '../../libs/domain/groups/definitions.js';
import { organizationCommands } from '../../libs/domain/organization/definitions.js';
import { permissionCommands } from '../../libs/domain/permissions/definitions.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../libs/domain/permissions/record.js';
import { webhookCommands } from '../../libs/domain/webhooks/definitions.js';
import { WEBHOOK_EVENTS } from '../../libs/domain/webhooks/record.js';
import { Chance } from './chance.js';
import { extraCommand, extraCommands, FREQUENT_EXTRAS, isExtra } from './random-extras.js';

type AnyDefinition = CommandDefinition<never, unknown>;

const definitions = {
  ...organizationCommands,
  ...contactCommands,
  ...groupCommands,
  ...inviteCommands,
  ...diskCommands,
  ...directoryCommands,
  ...apiKeyCommands,
  ...permissionCommands,
  ...bookmarkCommands,
  ...webhookCommands,
  ...extraCommands,
};

export type CommandName = keyof typeof definitions;

/** All commands of a drive, the spawning ones aside. */
export const COMMAND_NAMES = Object.keys(definitions) as readonly CommandName[];

/** A command as chance chose it. What its numbers mean depends on the state it meets. */
export interface Step {
  readonly name: CommandName;
  readonly numbers: readonly number[];
}

/** A command ready to be run. */
export interface PlannedCommand {
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly command: unknown;
  readonly credential: Credential;
  /** How far the clock moves before it, ms. */
  readonly after_ms: number;
}

/** More often than others: what makes the records that the rest works on. */
const FREQUENT: readonly CommandName[] = [
  'CreateContact',
  'CreateGroup',
  'CreateInvite',
  'CreateDisk',
  'CreateFile',
  'CreateFile',
  'CreateFolder',
  'CreateFolder',
  'DeleteFolder',
  'RestoreTrash',
  'CreateDirectoryPermission',
  'CreateSystemPermission',
  'CreateApiKey',
  'SuperswapUser',
  'RedeemContact',
  ...FREQUENT_EXTRAS,
];

export const aStep: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...COMMAND_NAMES, ...FREQUENT),
  numbers: fc.array(fc.nat(0xffff), { minLength: 24, maxLength: 24, size: 'max' }),
});

/** At least 200 commands; fast-check's own sizes would make far fewer. */
export const manySteps = fc.array(aStep, { minLength: 200, maxLength: 260, size: 'max' });

const USERS = Array.from({ length: 10 }, (_, at) => `UserID_user-${at}`);
const NOTES = ['', 'first', 'second note', 'Ünïcode ✓', 'x'.repeat(300)];
const WINDOWS = [-1, 0, 1, 60_000, 3 * 86_400_000];
const STEPS_MS = [0, 0, 1, 1_000, 3_600_000, 26 * 3_600_000];

/** Makes commands for the state they meet, with ids that no run repeats by accident. */
export class Planner {
  private made = 0;

  plan({ name, numbers }: Step, state: DriveState, now: number): PlannedCommand {
    this.made++;
    const chance = new Chance(numbers);
    const after_ms = chance.of(STEPS_MS);
    const asked = this.credential(chance, state);
    const command = this.command(name, chance, state, now);
    const by_code = name === 'RedeemOrganization';
    const by_service =
      name === 'EndContactCode' || name === 'RecordReindex' || name === 'SweepExpired';
    const credential: Credential = by_code
      ? { kind: 'code' }
      : by_service
        ? { kind: 'system' }
        : asked;
    const definition: AnyDefinition = definitions[name];
    return {
      definition: definition as unknown as CommandDefinition<unknown, unknown>,
      command,
      credential,
      after_ms,
    };
  }

  /** Half of the time the owner, else anybody by signature or by a key that stands in the state. */
  private credential(chance: Chance, state: DriveState): Credential {
    const who = chance.number() % 4;
    const user_id = who < 2 ? state.organization.owner_id : this.user(chance, state);
    const keys = state.api_keys.where('user', user_id);
    const key = chance.once(2) && keys.length > 0 ? chance.of(keys) : undefined;
    return key ? { kind: 'api_key', digest: key.digest } : { kind: 'signature', user_id };
  }

  private user(chance: Chance, state: DriveState): string {
    const pool = chance.once(4) ? USERS : [...state.contacts.ids()];
    return pool.length > 0 ? chance.of(pool) : USERS[0]!;
  }

  /** An id of that family: mostly a live one, at times one that nobody has. */
  private id(chance: Chance, ids: Iterable<string>, prefix: string): string {
    const live = [...ids];
    return live.length === 0 || chance.once(12) ? `${prefix}nobody` : chance.of(live);
  }

  private fresh(prefix: string): string {
    return `${prefix}${this.made}`;
  }

  private command(name: CommandName, chance: Chance, state: DriveState, now: number): unknown {
    const group = () => this.id(chance, state.groups.ids(), 'GroupID_');
    const user = () => this.user(chance, state);
    const note = () => chance.of(NOTES);
    const code = { code: this.fresh('RedeemTokenID_'), code_digest: this.fresh('digest-') };
    const key = {
      api_key_id: this.fresh('ApiKeyID_'),
      value: this.fresh('value-'),
      digest: this.fresh('key-digest-'),
      last4: 'last',
    };
    const disk = {
      disk_id: this.fresh('DiskID_'),
      root_folder: this.fresh('FolderID_root'),
      trash_folder: this.fresh('FolderID_trash'),
      everyone_permission_id: this.fresh('DirectoryPermissionID_e'),
      root_permission_id: this.fresh('DirectoryPermissionID_r'),
      trash_permission_id: this.fresh('DirectoryPermissionID_t'),
    };
    const external = { ...chance.maybe('external_id', note()), ...chance.maybe('note', note()) };
    const begins = chance.of(WINDOWS) <= 0 ? 0 : now + chance.of(WINDOWS);
    const ends = chance.of([-1, -1, begins + 60_000, now + 86_400_000]);
    const id = chance.once(6) ? this.id(chance, [this.fresh('x'), 'x1', 'x2'], 'x') : undefined;
    const chosen = (prefix: string) => (id ? { id: prefix + id } : {});
    const grant = {
      permission_id: this.fresh('PermissionID_'),
      placeholder_id: this.fresh('PlaceholderPermissionGranteeID_'),
      ...code,
    };
    const grantee = () => chance.of([user(), group(), 'PUBLIC', undefined, undefined]);
    const window = { begin_date_ms: begins, expiry_date_ms: ends };
    const metadata = chance.of([null, { type: 'LABELS', $box: 0, content: note() }, {}]);
    if (isExtra(name))
      return extraCommand(name, {
        chance,
        state,
        note,
        user,
        external,
        chosen,
        id: (ids, prefix) => this.id(chance, ids, prefix),
        fresh: (prefix) => this.fresh(prefix),
      });
    const item = (of: string) =>
      of.endsWith('File')
        ? this.id(chance, state.files.ids(), 'FileID_')
        : this.id(chance, state.folders.ids(), 'FolderID_');
    switch (name) {
      case 'TransferOwnership':
        return {
          ...(chance.once(4) ? { cancel: true } : { next_owner_id: chance.of(USERS.slice(0, 2)) }),
          fresh: {
            subject_key_id: this.fresh('subject-'),
            everyone_invite_id: this.fresh('GroupInviteID_t'),
          },
        };
      case 'UpdateAllowedDomains':
        return { allowed_domains: chance.of(['', 'example.com', 'a.example,b.example']) };
      case 'SuperswapUser':
        return {
          current_user_id: user(),
          new_user_id: chance.once(3) ? chance.of(USERS) : this.fresh('UserID_swapped-'),
        };
      case 'RedeemOrganization':
        return { redeem_digest: 'digest-of-spawn', fresh: { api_key: key, disk } };
      case 'NotifyInbox':
        return {
          topic: chance.of([null, 'topic']),
          payload: { note: note(), $sealed: [], nested: [1, { a: null }] },
          fresh: { inbox_notif_id: this.fresh('InboxNotifID_') },
        };
      case 'CreateShortlink':
        return { original_url: 'https://example.com/', fresh: { slug: this.fresh('slug') } };
      case 'RemoveShortlink':
        return { slug: this.id(chance, state.shortlinks.ids(), 'slug') };
      case 'RecordReindex':
        return { events_folded: this.made, documents_written: 1 };
      case 'CreateBookmark':
        return {
          name: `mark-${chance.number() % 20}`,
          ...chance.maybe('note', note()),
          ...chance.maybe('point', { revision: state.revision, at_ms: now }),
        };
      case 'DeleteBookmark':
        return { name: this.id(chance, state.bookmarks.ids(), 'mark-') };
      case 'CreateContact':
        return {
          id: chance.once(4) ? chance.of(USERS) : this.fresh('UserID_contact-'),
          name: `Person ${this.made}`,
          ...chance.maybe('email', `p${this.made}@example.com`),
          ...chance.maybe('private_note', note()),
          ...chance.maybe('is_placeholder', chance.once(2)),
          ...external,
          fresh: {
            subject_key_id: this.fresh('subject-'),
            invite_id: this.fresh('GroupInviteID_c'),
            ...code,
          },
        };
      case 'UpdateContact':
        return {
          id: user(),
          ...chance.maybe('name', `Renamed ${this.made}`),
          ...chance.maybe('public_note', note()),
          ...chance.maybe('email', note()),
        };
      case 'DeleteContact':
      case 'EraseContact':
        return { id: user() };
      case 'RedeemContact': {
        const current_user_id = user();
        const redeem_digest = state.contacts.get(current_user_id)?.redeem_digest ?? '';
        const new_user_id = chance.once(3) ? chance.of(USERS) : this.fresh('UserID_redeemed-');
        return { current_user_id, new_user_id, redeem_digest, ...external, fresh: key };
      }
      case 'EndContactCode':
        return { contact_id: user() };
      case 'CreateGroup':
        return {
          ...chosen('GroupID_'),
          name: `Group ${this.made}`,
          ...external,
          fresh: { group_id: this.fresh('GroupID_'), invite_id: this.fresh('GroupInviteID_g') },
        };
      case 'UpdateGroup':
        return {
          id: group(),
          ...chance.maybe('name', `Regrouped ${this.made}`),
          ...chance.maybe('host_url', null),
        };
      case 'DeleteGroup':
        return { id: group() };
      case 'CreateInvite':
        return {
          ...chosen('GroupInviteID_'),
          group_id: group(),
          ...chance.of([{}, { invitee_id: user() }, { invitee_id: 'PUBLIC' }]),
          role: chance.of(['ADMIN', 'MEMBER', 'MEMBER']),
          active_from: begins,
          expires_at: ends,
          ...external,
          fresh: {
            invite_id: this.fresh('GroupInviteID_'),
            placeholder_id: this.fresh('PlaceholderGroupInviteeID_'),
            ...code,
          },
        };
      case 'UpdateInvite':
        return {
          id: this.id(chance, state.invites.ids(), 'GroupInviteID_'),
          role: chance.of(['ADMIN', 'MEMBER']),
          ...chance.maybe('expires_at', ends),
          ...external,
        };
      case 'DeleteInvite':
        return { id: this.id(chance, state.invites.ids(), 'GroupInviteID_') };
      case 'RedeemInvite': {
        const invite_id = this.id(chance, state.invites.ids(), 'GroupInviteID_');
        const invite = state.invites.get(invite_id);
        const is_public = invite?.invitee_id === 'PUBLIC';
        return {
          invite_id,
          redeem_code: is_public ? 'PUBLIC' : 'code',
          redeem_digest: invite?.redeem_digest || 'none',
          ...external,
          fresh: {
            invite_id: this.fresh('GroupInviteID_r'),
            subject_key_id: this.fresh('subject-'),
          },
        };
      }
      case 'CreateDisk':
        return {
          ...chosen('DiskID_'),
          name: `Disk ${this.made}`,
          disk_type: chance.of(DISK_TYPES),
          auth_json:
            '{"endpoint":"https://s3.example","access_key":"a","secret_key":"b","bucket":"c","region":"d"}',
          ...external,
          fresh: disk,
        };
      case 'UpdateDisk':
        return {
          id: this.id(chance, state.disks.ids(), 'DiskID_'),
          name: `Renamed ${this.made}`,
          ...chance.maybe('public_note', note()),
          ...chance.maybe('auth_json', null),
        };
      case 'DeleteDisk':
        return { id: this.id(chance, state.disks.ids(), 'DiskID_') };
      case 'GetFile':
      case 'GetFolder':
        return { id: item(name), fresh: { share_track_id: 'ShareTrackID_1' } };
      case 'CreateFile':
      case 'CreateFolder': {
        const parent = state.folders.get(item('Folder'));
        return {
          ...chosen(name === 'CreateFile' ? 'FileID_' : 'FolderID_'),
          name: chance.of(['a.txt', 'b', 'c: d', `Item ${this.made}`]),
          parent_folder_uuid: parent?.id ?? 'FolderID_nobody',
          disk_id: parent?.disk_id ?? 'DiskID_nobody',
          file_size: this.made,
          file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
          has_sovereign_permissions: chance.once(5),
          ...chance.maybe('expires_at', chance.of([-1, -1, now + 60_000])),
          ...chance.maybe(
            'labels',
            [...state.labels.values()].map(({ value }) => value).slice(0, 2),
          ),
          ...chance.maybe('notes', note()),
          fresh: {
            id: this.fresh(name === 'CreateFile' ? 'FileID_' : 'FolderID_'),
            version_id: this.fresh('FileVersionID_'),
            permission_id: this.fresh('DirectoryPermissionID_own'),
          },
        };
      }
      case 'UpdateFile':
      case 'UpdateFolder':
        return {
          id: item(name),
          ...chance.maybe('name', chance.of(['a.txt', 'b', `Renamed ${this.made}`])),
          ...chance.maybe('notes', chance.of([null, ...NOTES])),
          ...chance.maybe('labels', []),
          ...(name === 'UpdateFile' && chance.maybe('request_presigned_url', true)),
        };
      case 'DeleteFile':
      case 'DeleteFolder':
        return { id: item(name), permanent: chance.once(4) };
      case 'CopyFile':
      case 'CopyFolder':
      case 'MoveFile':
      case 'MoveFolder':
        return {
          id: item(name),
          destination_folder_id: item('Folder'),
          file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
          fresh: { id: this.fresh(name === 'CopyFile' ? 'FileID_copy' : 'FolderID_copy') },
        };
      case 'RestoreTrash': {
        const trashed = [...state.files.values(), ...state.folders.values()]
          .filter(({ trashed_by }) => trashed_by)
          .map(({ id: trashed_id }) => trashed_id);
        return {
          id: this.id(chance, trashed, 'FileID_'),
          file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
          fresh: { folder_ids: [] },
        };
      }
      case 'SweepExpired':
        return { most: 10 };
      case 'CreateApiKey':
        return {
          ...chosen('ApiKeyID_'),
          name: `Key ${this.made}`,
          ...chance.maybe('user_id', user()),
          ...chance.maybe('expires_at', ends),
          fresh: key,
        };
      case 'UpdateApiKey':
        return {
          id: this.id(chance, state.api_keys.ids(), 'ApiKeyID_'),
          ...chance.maybe('is_revoked', chance.once(3)),
          ...chance.maybe('name', `Rekeyed ${this.made}`),
        };
      case 'DeleteApiKey':
        return { id: this.id(chance, state.api_keys.ids(), 'ApiKeyID_') };
      case 'CreateDirectoryPermission':
        return {
          ...chosen('DirectoryPermissionID_'),
          resource_id: item(chance.once(3) ? 'File' : 'Folder'),
          ...grantedTo(grantee()),
          permission_types: chance.some(DIRECTORY_TYPES),
          inheritable: chance.once(2),
          metadata,
          ...window,
          ...external,
          fresh: { ...grant, permission_id: this.fresh('DirectoryPermissionID_') },
        };
      case 'UpdateDirectoryPermission':
        return {
          id: this.id(chance, state.directory_permissions.ids(), 'DirectoryPermissionID_'),
          permission_types: chance.some(DIRECTORY_TYPES),
          ...chance.maybe('metadata', metadata),
          ...chance.maybe('expiry_date_ms', ends),
        };
      case 'CreateSystemPermission':
        return {
          ...chosen('SystemPermissionID_'),
          resource_id: this.resource(chance, state),
          ...grantedTo(grantee()),
          permission_types: chance.some(SYSTEM_TYPES),
          metadata,
          ...window,
          ...external,
          fresh: { ...grant, permission_id: this.fresh('SystemPermissionID_') },
        };
      case 'UpdateSystemPermission':
        return {
          id: this.id(chance, state.system_permissions.ids(), 'SystemPermissionID_'),
          permission_types: chance.some(SYSTEM_TYPES),
          ...chance.maybe('resource_id', this.resource(chance, state)),
          ...grantedTo(grantee()),
          fresh: code,
        };
      case 'DeleteDirectoryPermission':
        return { permission_id: this.id(chance, state.directory_permissions.ids(), 'x') };
      case 'DeleteSystemPermission':
        return { permission_id: this.id(chance, state.system_permissions.ids(), 'x') };
      case 'RedeemDirectoryPermission': {
        const permission_id = this.id(chance, state.directory_permissions.ids(), 'x');
        const redeem_digest = state.directory_permissions.get(permission_id)?.redeem_digest;
        return { permission_id, user_id: user(), redeem_digest: redeem_digest || 'none' };
      }
      case 'CreateWebhook':
        return {
          ...chosen('WebhookID_'),
          url: 'https://hook.example/',
          event: chance.of(WEBHOOK_EVENTS),
          alt_index: chance.of([user(), group(), 'INBOX_NEW_MAIL']),
          name: `Webhook ${this.made}`,
          ...chance.maybe('signature', note()),
          ...chance.maybe('filters', '{"topic":"topic"}'),
          ...external,
          fresh: { webhook_id: this.fresh('WebhookID_'), secret: this.fresh('whsec_') },
        };
      case 'UpdateWebhook':
        return {
          id: this.id(chance, state.webhooks.ids(), 'WebhookID_'),
          ...chance.maybe('active', chance.once(2)),
          ...chance.maybe('rotate_secret', chance.once(2)),
          ...chance.maybe('signature', note()),
          fresh: { secret: this.fresh('whsec_') },
        };
      case 'DeleteWebhook':
        return { id: this.id(chance, state.webhooks.ids(), 'WebhookID_') };
      case 'ReplayWebhook':
        return {
          id: this.id(chance, state.webhooks.ids(), 'WebhookID_'),
          ...{ from_revision: 0, to_revision: state.revision, queued: chance.of([0, 1, 9]) },
        };
      case 'RedeemSystemPermission': {
        const permission_id = this.id(chance, state.system_permissions.ids(), 'x');
        const redeem_digest = state.system_permissions.get(permission_id)?.redeem_digest;
        return { permission_id, user_id: user(), redeem_digest: redeem_digest || 'none' };
      }
    }
  }

  /** A table, or a record of any kind that system permissions know. */
  private resource(chance: Chance, state: DriveState): string {
    if (chance.once(2)) return chance.of(TABLES);
    const { contacts, groups, invites, disks, api_keys, system_permissions } = state;
    const table = chance.of([contacts, groups, invites, disks, api_keys, system_permissions]);
    return this.id(chance, table.ids(), 'DiskID_');
  }
}

function grantedTo(granted_to: string | undefined): { granted_to?: string } {
  return granted_to === undefined ? {} : { granted_to };
}
