import { RECORD_KINDS } from '../../libs/domain/drive/record-kinds.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../libs/domain/kernel/permission-types.js';
import { apiKeyCommands } from '../../libs/domain/api-keys/commands.js';
import { permissionCommands } from '../../libs/domain/permissions/definitions.js';
import { webhookCommands } from '../../libs/domain/webhooks/commands.js';
import { WEBHOOK_EVENTS } from '../../libs/domain/webhooks/record.js';
import type { Means } from './random-means.js';

/** Commands of what is given to people and machines: permissions, api keys, webhooks. */
export const rightCommands = { ...permissionCommands, ...apiKeyCommands, ...webhookCommands };

/** By what an event's name begins with: something that it can fire on. Others are of groups. */
const FITTING: readonly (readonly [begins: string, alt_index: string])[] = [
  ['file.', 'ALL_FILES'],
  ['subfile.', 'ALL_FILES'],
  ['folder.', 'ALL_FOLDERS'],
  ['subfolder.', 'ALL_FOLDERS'],
  ['drive.restore_trash', 'RESTORE_TRASH'],
  ['drive.state_diffs', 'STATE_DIFFS'],
  ['label.', 'LabelID_1'],
  ['org.superswap_user', 'SUPERSWAP_USER'],
  ['org.inbox.new_mail', 'INBOX_NEW_MAIL'],
];

export type RightName = keyof typeof rightCommands;

export function rightCommand(name: RightName, means: Means): unknown {
  const { chance, state, made, code, key, external, ends } = means;
  const { note, user, group, item, id, fresh, chosen } = means;
  const grant = {
    permission_id: fresh('PermissionID_'),
    placeholder_id: fresh('PlaceholderPermissionGranteeID_'),
    ...code,
  };
  const grantee = () => chance.of([user(), group(), 'PUBLIC', undefined, undefined]);
  const window = { begin_date_ms: means.begins, expiry_date_ms: ends };
  const metadata = chance.of([null, { type: 'LABELS', $box: 0, content: note() }, {}]);
  switch (name) {
    case 'CreateApiKey':
      return {
        ...chosen('ApiKeyID_'),
        name: `Key ${made}`,
        ...chance.maybe('user_id', user()),
        ...chance.maybe('expires_at', ends),
        fresh: key,
      };
    case 'UpdateApiKey':
      return {
        id: id(state.api_keys.ids(), 'ApiKeyID_'),
        ...chance.maybe('is_revoked', chance.once(3)),
        ...chance.maybe('name', `Rekeyed ${made}`),
      };
    case 'DeleteApiKey':
      return { id: id(state.api_keys.ids(), 'ApiKeyID_') };
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
        fresh: { ...grant, permission_id: fresh('DirectoryPermissionID_') },
      };
    case 'UpdateDirectoryPermission':
      return {
        id: id(state.directory_permissions.ids(), 'DirectoryPermissionID_'),
        permission_types: chance.some(DIRECTORY_TYPES),
        ...chance.maybe('metadata', metadata),
        ...chance.maybe('expiry_date_ms', ends),
      };
    case 'CreateSystemPermission':
      return {
        ...chosen('SystemPermissionID_'),
        resource_id: resource(means),
        ...grantedTo(grantee()),
        permission_types: chance.some(SYSTEM_TYPES),
        metadata,
        ...window,
        ...external,
        fresh: { ...grant, permission_id: fresh('SystemPermissionID_') },
      };
    case 'UpdateSystemPermission':
      return {
        id: id(state.system_permissions.ids(), 'SystemPermissionID_'),
        permission_types: chance.some(SYSTEM_TYPES),
        ...chance.maybe('resource_id', resource(means)),
        ...grantedTo(grantee()),
        fresh: code,
      };
    case 'DeleteDirectoryPermission':
      return { permission_id: id(state.directory_permissions.ids(), 'x') };
    case 'DeleteSystemPermission':
      return { permission_id: id(state.system_permissions.ids(), 'x') };
    case 'RedeemDirectoryPermission': {
      const permission_id = id(state.directory_permissions.ids(), 'x');
      const redeem_digest = state.directory_permissions.get(permission_id)?.redeem_digest;
      return { permission_id, user_id: user(), redeem_digest: redeem_digest || 'none' };
    }
    case 'CreateWebhook': {
      const kind = chance.of(WEBHOOK_EVENTS);
      // Mostly what the event can fire on.
      const fitting = FITTING.find(([begins]) => kind.startsWith(begins))?.[1] ?? group();
      return {
        ...chosen('WebhookID_'),
        url: 'https://hook.example/',
        event: kind,
        alt_index: chance.once(8) ? user() : fitting,
        name: `Webhook ${made}`,
        ...chance.maybe('signature', note()),
        ...chance.maybe('filters', '{"topic":"topic"}'),
        ...external,
        fresh: { webhook_id: fresh('WebhookID_'), secret: fresh('whsec_') },
      };
    }
    case 'UpdateWebhook':
      return {
        id: id(state.webhooks.ids(), 'WebhookID_'),
        ...chance.maybe('active', chance.once(2)),
        ...chance.maybe('rotate_secret', chance.once(2)),
        ...chance.maybe('take_over', chance.once(2)),
        ...chance.maybe('signature', note()),
        fresh: { secret: fresh('whsec_') },
      };
    case 'DeleteWebhook':
      return { id: id(state.webhooks.ids(), 'WebhookID_') };
    case 'ReplayWebhook':
      return {
        id: id(state.webhooks.ids(), 'WebhookID_'),
        ...{ from_revision: 0, to_revision: state.revision, queued: chance.of([0, 1, 9]) },
      };
    case 'RedeemSystemPermission': {
      const permission_id = id(state.system_permissions.ids(), 'x');
      const redeem_digest = state.system_permissions.get(permission_id)?.redeem_digest;
      return { permission_id, user_id: user(), redeem_digest: redeem_digest || 'none' };
    }
  }
}

/** A table, or a record of any kind that system permissions know. */
function resource({ chance, state, id }: Means): string {
  if (chance.once(2)) return chance.of(RECORD_KINDS.tables);
  const { contacts, groups, invites, disks, api_keys, system_permissions } = state;
  const table = chance.of([contacts, groups, invites, disks, api_keys, system_permissions]);
  return id(table.ids(), 'DiskID_');
}

function grantedTo(granted_to: string | undefined): { granted_to?: string } {
  return granted_to === undefined ? {} : { granted_to };
}
