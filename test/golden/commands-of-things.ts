import { apiKeyCommands } from '../../libs/domain/api-keys/commands.js';
import { bookmarkCommands } from '../../libs/domain/bookmarks/commands.js';
import { directoryCommands } from '../../libs/domain/directory/definitions.js';
import { diskCommands } from '../../libs/domain/disks/commands.js';
import { knownDriveCommands } from '../../libs/domain/known-drives/commands.js';
import { labelCommands } from '../../libs/domain/labels/commands.js';
import { permissionCommands } from '../../libs/domain/permissions/definitions.js';
import { purchaseCommands } from '../../libs/domain/purchases/commands.js';
import { webhookCommands } from '../../libs/domain/webhooks/commands.js';
import { apiKey, code, DAY_MS, disk, GOLDEN_DRIVE, type GoldenRun, grant } from './golden-run.js';

/** Commands of disks, grants, api keys, bookmarks, webhooks and labels. */
export async function runThings({ run, spec }: GoldenRun): Promise<void> {
  await run(diskCommands.CreateDisk, {
    name: 'Second',
    disk_type: 'ICP_CANISTER',
    auth_json: 'sealed as well',
    fresh: disk(2),
  });
  await run(diskCommands.CreateDisk, { name: 'Third', disk_type: 'BROWSER_CACHE', fresh: disk(3) });
  await run(diskCommands.UpdateDisk, { id: 'DiskID_2', name: 'Renamed', auth_json: 'another' });
  await run(diskCommands.DeleteDisk, { id: 'DiskID_3' });

  const metadata = { metadata_type: 'DIRECTORY_PASSWORD', content: 'open sesame' };
  const redeemed = (kind: string) => ({
    permission_id: `${kind}PermissionID_1`,
    user_id: 'UserID_ben',
    redeem_digest: code(101).code_digest,
    note: 'redeemed',
  });
  for (const nth of [1, 2])
    await run(permissionCommands.CreateDirectoryPermission, {
      resource_id: 'FolderID_root-2',
      permission_types: ['EDIT', 'VIEW'],
      inheritable: true,
      metadata,
      fresh: grant('Directory', nth),
    });
  await run(permissionCommands.UpdateDirectoryPermission, {
    id: 'DirectoryPermissionID_1',
    permission_types: ['VIEW'],
    expiry_date_ms: spec.now + 900 * DAY_MS,
  });
  await run(permissionCommands.RedeemDirectoryPermission, redeemed('Directory'));
  await run(permissionCommands.DeleteDirectoryPermission, {
    permission_id: 'DirectoryPermissionID_2',
  });
  for (const nth of [1, 2])
    await run(permissionCommands.CreateSystemPermission, {
      resource_id: nth === 1 ? 'TABLE_GROUPS' : 'UserID_ben',
      permission_types: ['VIEW', 'CREATE'],
      fresh: grant('System', nth),
    });
  await run(permissionCommands.UpdateSystemPermission, {
    id: 'SystemPermissionID_1',
    permission_types: ['VIEW'],
    note: 'less',
    fresh: code(7),
  });
  await run(permissionCommands.RedeemSystemPermission, redeemed('System'));
  await run(permissionCommands.DeleteSystemPermission, { permission_id: 'SystemPermissionID_2' });

  await run(apiKeyCommands.CreateApiKey, { name: 'CI', fresh: apiKey(4) });
  await run(apiKeyCommands.CreateApiKey, { name: 'Old', fresh: apiKey(5) });
  await run(apiKeyCommands.UpdateApiKey, { id: 'ApiKeyID_4', is_revoked: true });
  await run(apiKeyCommands.DeleteApiKey, { id: 'ApiKeyID_5' });

  await run(bookmarkCommands.CreateBookmark, { name: 'year-end', note: 'for the auditors' });
  const point = { revision: 3, at_ms: spec.now };
  await run(bookmarkCommands.CreateBookmark, { name: 'draft', point });
  await run(bookmarkCommands.DeleteBookmark, { name: 'draft' });

  const webhook = (nth: number) => ({ webhook_id: `WebhookID_${nth}`, secret: `whsec_${nth}` });
  for (const nth of [1, 2])
    await run(webhookCommands.CreateWebhook, {
      alt_index: nth === 1 ? 'INBOX_NEW_MAIL' : 'UserID_ben',
      event: 'org.inbox.new_mail',
      url: 'https://hook.example/',
      signature: 'signed by hand',
      filters: '{"topic":"invoice"}',
      fresh: webhook(nth),
    });
  await run(webhookCommands.CreateWebhook, {
    alt_index: 'STATE_DIFFS',
    event: 'drive.state_diffs',
    url: 'https://hook.example/',
    fresh: webhook(3),
  });
  await run(webhookCommands.UpdateWebhook, {
    id: 'WebhookID_1',
    active: false,
    rotate_secret: true,
    fresh: webhook(4),
  });
  await run(webhookCommands.DeleteWebhook, { id: 'WebhookID_3' });
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
    webhookCommands.UpdateWebhook,
    { id: 'WebhookID_2', take_over: true, fresh: webhook(5) },
    { kind: 'signature', user_id: 'UserID_member' },
  );
  const range = { from_revision: 1, to_revision: 3 };
  await run(webhookCommands.ReplayWebhook, { id: 'WebhookID_2', ...range, queued: 2 });
  for (const nth of [1, 2])
    await run(labelCommands.CreateLabel, {
      value: `Urgent-${nth}`,
      private_note: 'red',
      fresh: { label_id: `LabelID_${nth}` },
    });
  await run(labelCommands.UpdateLabel, { id: 'LabelID_1', value: 'soon', color: '#abc' });
  const pinned = ['UserID_ben', 'GroupID_1', 'LabelID_2', 'FolderID_root-2'];
  for (const resource_id of pinned)
    await run(labelCommands.PinLabel, { label_id: 'LabelID_1', resource_id, add: true });
  const unpinned = { label_id: 'LabelID_1', resource_id: 'GroupID_1', add: false };
  await run(labelCommands.PinLabel, unpinned);
  await run(labelCommands.PinLabel, { ...unpinned, label_id: 'LabelID_2', add: true });
  await run(labelCommands.DeleteLabel, { id: 'LabelID_2' });
}

/** Commands of files and folders, known drives and purchases. */
export async function runDirectory({ run, spec }: GoldenRun): Promise<void> {
  const directory = directoryCommands;
  const place = { parent_folder_uuid: 'FolderID_root-2', disk_id: 'DiskID_2' };
  const item = (kind: 'File' | 'Folder', nth: number) => ({
    id: `${kind}ID_${nth}`,
    version_id: `FileVersionID_${nth}`,
    permission_id: `DirectoryPermissionID_own-${nth}`,
  });
  await run(directory.CreateFolder, {
    ...place,
    name: 'Reports',
    notes: 'by year',
    labels: ['soon'],
    fresh: item('Folder', 1),
  });
  const in_reports = { ...place, parent_folder_uuid: 'FolderID_1' };
  await run(directory.CreateFile, {
    ...in_reports,
    name: 'plan: a.txt',
    file_size: 12,
    expires_at: spec.now + 900 * DAY_MS,
    fresh: item('File', 1),
  });
  await run(directory.CreateFile, {
    ...in_reports,
    name: 'plan; a.txt',
    file_size: 13,
    raw_url: 'https://files.example/plan',
    file_conflict_resolution: 'REPLACE',
    fresh: item('File', 2),
  });
  await run(directory.UpdateFile, {
    ...{ id: 'FileID_1', name: 'plan.md', upload_status: 'PENDING' },
    fresh: item('File', 3),
  });
  await run(directory.UpdateFolder, { id: 'FolderID_1', labels: [], external_id: 'erp-8' });
  await run(directory.CreateFolder, {
    ...place,
    name: 'Archive',
    has_sovereign_permissions: true,
    fresh: item('Folder', 2),
  });
  await run(directory.CopyFolder, {
    id: 'FolderID_1',
    destination_folder_id: 'FolderID_2',
    fresh: item('Folder', 3),
  });
  await run(directory.MoveFile, { id: 'FileID_1', destination_folder_id: 'FolderID_2' });
  await run(directory.DeleteFile, { id: 'FileID_1', permanent: false });
  await run(directory.RestoreTrash, {
    id: 'FileID_1',
    restore_to_folder_path: 'DiskID_2::/Back/',
    fresh: { folder_ids: ['FolderID_4'] },
  });
  await run(directory.DeleteFolder, { id: 'FolderID_1', permanent: true });
  await run(directory.CreateFolder, {
    ...place,
    name: 'Soon over',
    expires_at: spec.now + 1500,
    fresh: item('Folder', 5),
  });
  const service = { kind: 'system' } as const;
  await run(directory.SweepExpired, { most: 9 }, service);

  const { CreateKnownDrive, UpdateKnownDrive, DeleteKnownDrive } = knownDriveCommands;
  const icp_principal = 'aaaaa-aa';
  const partner = { name: 'Partner', icp_principal, email: 'partner@example.com' };
  await run(CreateKnownDrive, partner);
  await run(CreateKnownDrive, { ...partner, id: 'DriveID_other', private_note: 'owes us' });
  await run(UpdateKnownDrive, { id: 'DriveID_other', email: 'other@example.com', host_url: null });
  await run(UpdateKnownDrive, { id: GOLDEN_DRIVE, name: 'Renamed' });
  await run(DeleteKnownDrive, { id: `DriveID_${icp_principal}` });

  const { CreatePurchase, UpdatePurchase, DeletePurchase } = purchaseCommands;
  for (const nth of [1, 2])
    await run(CreatePurchase, {
      title: `Hosting ${nth}`,
      vendor_id: 'UserID_ben',
      related_resources: ['UserID_ben', 'DiskID_2'],
      fresh: { purchase_id: `PurchaseID_${nth}` },
    });
  await run(UpdatePurchase, { id: 'PurchaseID_1', status: 'RUNNING', notes: 'as agreed' });
  await run(DeletePurchase, { id: 'PurchaseID_2' });
}
