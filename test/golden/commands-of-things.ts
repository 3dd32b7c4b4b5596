import { apiKeyCommands } from '../../libs/domain/api-keys/commands.js';
import { bookmarkCommands } from '../../libs/domain/bookmarks/commands.js';
import { diskCommands } from '../../libs/domain/disks/commands.js';
import { labelCommands } from '../../libs/domain/labels/commands.js';
import { permissionCommands } from '../../libs/domain/permissions/definitions.js';
import { webhookCommands } from '../../libs/domain/webhooks/commands.js';
import { apiKey, code, DAY_MS, disk, grant, type Steps } from './golden-run.js';

const { CreateDisk, UpdateDisk, DeleteDisk } = diskCommands;

/** Commands of disks. */
export const disks = {
  async CreateDisk({ run }) {
    await run(CreateDisk, {
      name: 'Second',
      disk_type: 'ICP_CANISTER',
      auth_json: 'sealed as well',
      fresh: disk(2),
    });
    await run(CreateDisk, { name: 'Third', disk_type: 'BROWSER_CACHE', fresh: disk(3) });
  },
  UpdateDisk: ({ run }) =>
    run(UpdateDisk, { id: 'DiskID_2', name: 'Renamed', auth_json: 'another' }),
  DeleteDisk: ({ run }) => run(DeleteDisk, { id: 'DiskID_3' }),
} satisfies Steps;

const redeemed = (kind: string) => ({
  permission_id: `${kind}PermissionID_1`,
  user_id: 'UserID_ben',
  redeem_digest: code(101).code_digest,
  note: 'redeemed',
});

/** Commands of grants. */
export const permissions = {
  async CreateDirectoryPermission({ run }) {
    const metadata = { metadata_type: 'DIRECTORY_PASSWORD', content: 'open sesame' };
    for (const nth of [1, 2])
      await run(permissionCommands.CreateDirectoryPermission, {
        resource_id: 'FolderID_root-2',
        permission_types: ['EDIT', 'VIEW'],
        inheritable: true,
        metadata,
        fresh: grant('Directory', nth),
      });
  },
  UpdateDirectoryPermission: ({ run, spec }) =>
    run(permissionCommands.UpdateDirectoryPermission, {
      id: 'DirectoryPermissionID_1',
      permission_types: ['VIEW'],
      expiry_date_ms: spec.now + 900 * DAY_MS,
    }),
  RedeemDirectoryPermission: ({ run }) =>
    run(permissionCommands.RedeemDirectoryPermission, redeemed('Directory')),
  DeleteDirectoryPermission: ({ run }) =>
    run(permissionCommands.DeleteDirectoryPermission, {
      permission_id: 'DirectoryPermissionID_2',
    }),
  async CreateSystemPermission({ run }) {
    for (const nth of [1, 2])
      await run(permissionCommands.CreateSystemPermission, {
        resource_id: nth === 1 ? 'TABLE_GROUPS' : 'UserID_ben',
        permission_types: ['VIEW', 'CREATE'],
        fresh: grant('System', nth),
      });
  },
  UpdateSystemPermission: ({ run }) =>
    run(permissionCommands.UpdateSystemPermission, {
      id: 'SystemPermissionID_1',
      permission_types: ['VIEW'],
      note: 'less',
      fresh: code(7),
    }),
  RedeemSystemPermission: ({ run }) =>
    run(permissionCommands.RedeemSystemPermission, redeemed('System')),
  DeleteSystemPermission: ({ run }) =>
    run(permissionCommands.DeleteSystemPermission, { permission_id: 'SystemPermissionID_2' }),
} satisfies Steps;

const { CreateApiKey, UpdateApiKey, DeleteApiKey } = apiKeyCommands;
const { CreateBookmark, DeleteBookmark } = bookmarkCommands;
const { CreateWebhook, UpdateWebhook, DeleteWebhook, ReplayWebhook } = webhookCommands;
const { CreateLabel, UpdateLabel, PinLabel, DeleteLabel } = labelCommands;

const webhook = (nth: number) => ({ webhook_id: `WebhookID_${nth}`, secret: `whsec_${nth}` });

/** Commands of API keys, bookmarks, webhooks and labels. */
export const things = {
  async CreateApiKey({ run }) {
    await run(CreateApiKey, { name: 'CI', fresh: apiKey(4) });
    await run(CreateApiKey, { name: 'Old', fresh: apiKey(5) });
  },
  UpdateApiKey: ({ run }) => run(UpdateApiKey, { id: 'ApiKeyID_4', is_revoked: true }),
  DeleteApiKey: ({ run }) => run(DeleteApiKey, { id: 'ApiKeyID_5' }),
  async CreateBookmark({ run, spec }) {
    await run(CreateBookmark, { name: 'year-end', note: 'for the auditors' });
    await run(CreateBookmark, { name: 'draft', point: { revision: 3, at_ms: spec.now } });
  },
  DeleteBookmark: ({ run }) => run(DeleteBookmark, { name: 'draft' }),
  async CreateWebhook({ run }) {
    for (const nth of [1, 2])
      await run(CreateWebhook, {
        alt_index: nth === 1 ? 'INBOX_NEW_MAIL' : 'UserID_ben',
        event: 'org.inbox.new_mail',
        url: 'https://hook.example/',
        signature: 'signed by hand',
        filters: '{"topic":"invoice"}',
        fresh: webhook(nth),
      });
    await run(CreateWebhook, {
      alt_index: 'STATE_DIFFS',
      event: 'drive.state_diffs',
      url: 'https://hook.example/',
      fresh: webhook(3),
    });
  },
  async UpdateWebhook({ run }) {
    await run(UpdateWebhook, {
      id: 'WebhookID_1',
      active: false,
      rotate_secret: true,
      fresh: webhook(4),
    });
    for (const [nth, resource_id, type] of [
      [11, 'WebhookID_2', 'EDIT'],
      [12, 'TABLE_AUDIT', 'VIEW'],
    ] as const)
      await run(permissionCommands.CreateSystemPermission, {
        resource_id,
        granted_to: 'UserID_member',
        permission_types: [type],
        fresh: grant('System', nth),
      });
    await run(
      UpdateWebhook,
      { id: 'WebhookID_2', take_over: true, fresh: webhook(5) },
      { kind: 'signature', user_id: 'UserID_member' },
    );
  },
  DeleteWebhook: ({ run }) => run(DeleteWebhook, { id: 'WebhookID_3' }),
  ReplayWebhook: ({ run }) =>
    run(ReplayWebhook, { id: 'WebhookID_2', from_revision: 1, to_revision: 3, queued: 2 }),
  async CreateLabel({ run }) {
    for (const nth of [1, 2])
      await run(CreateLabel, {
        value: `Urgent-${nth}`,
        private_note: 'red',
        fresh: { label_id: `LabelID_${nth}` },
      });
  },
  UpdateLabel: ({ run }) => run(UpdateLabel, { id: 'LabelID_1', value: 'soon', color: '#abc' }),
  async PinLabel({ run }) {
    for (const resource_id of ['UserID_ben', 'GroupID_1', 'LabelID_2', 'FolderID_root-2'])
      await run(PinLabel, { label_id: 'LabelID_1', resource_id, add: true });
    const unpinned = { label_id: 'LabelID_1', resource_id: 'GroupID_1', add: false };
    await run(PinLabel, unpinned);
    await run(PinLabel, { ...unpinned, label_id: 'LabelID_2', add: true });
  },
  DeleteLabel: ({ run }) => run(DeleteLabel, { id: 'LabelID_2' }),
} satisfies Steps;
