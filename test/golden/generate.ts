import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credential } from '../../libs/domain/access/caller.js';
import { apiKeyCommands } from '../../libs/domain/api-keys/definitions.js';
import { bookmarkCommands } from '../../libs/domain/bookmarks/definitions.js';
import { contactCommands } from '../../libs/domain/contacts/definitions.js';
import { directoryCommands } from '../../libs/domain/directory/definitions.js';
import { diskCommands } from '../../libs/domain/disks/definitions.js';
import type { CommandDefinition } from '../../libs/domain/drive/decision.js';
import { factoryCommands } from '../../libs/domain/factory/definitions.js';
import { bundledDisk } from '../../libs/domain/disks/bundled.js';
import { giftcardCommands } from '../../libs/domain/giftcards/definitions.js';
import { groupCommands, inviteCommands } from '../../libs/domain/groups/definitions.js';
import { knownDriveCommands } from '../../libs/domain/known-drives/definitions.js';
import { labelCommands } from '../../libs/domain/labels/definitions.js';
import { DRIVE_KEY_ID } from '../../libs/domain/kernel/sealed.js';
import { organizationCommands } from '../../libs/domain/organization/definitions.js';
import { permissionCommands } from '../../libs/domain/permissions/definitions.js';
import { purchaseCommands } from '../../libs/domain/purchases/definitions.js';
import { webhookCommands } from '../../libs/domain/webhooks/definitions.js';
import { isRefused } from '../../libs/engine/call.js';
import { FACTORY_ID, streamOf } from '../../libs/engine/fold.js';
import { sha256 } from '../../libs/engine/hashing.js';
import { EngineSpec, FACTORY, spawnCommand } from '../../libs/engine/testing/engine.js';
import { expectedOf, foldGolden, type Golden } from './golden.js';

const GOLDEN_DRIVE = 'DriveID_golden';
/** An organization that a gift card spawned. */
const GIFT_DRIVE = 'DriveID_gift';
const OWNER = 'UserID_owner';
const SUBJECTS = ['owner', 'member', 'ann', 'ben', 'next'].map((who) => `subject-${who}`);
const DAY_MS = 86_400_000;

/** A key that is the same for ever. */
const fixedKey = (key_id: string): Uint8Array => sha256(`golden key ${key_id}`);

const apiKey = (nth: number) => ({
  api_key_id: `ApiKeyID_${nth}`,
  value: `token ${nth}`,
  digest: `digest of token ${nth}`,
  last4: `tok${nth}`,
});
const code = (nth: number) => ({
  code: `RedeemTokenID_${nth}`,
  code_digest: `digest of code ${nth}`,
});
const disk = (nth: number) => ({
  disk_id: `DiskID_${nth}`,
  root_folder: `FolderID_root-${nth}`,
  trash_folder: `FolderID_trash-${nth}`,
  everyone_permission_id: `DirectoryPermissionID_everyone-${nth}`,
  root_permission_id: `DirectoryPermissionID_root-${nth}`,
  trash_permission_id: `DirectoryPermissionID_trash-${nth}`,
});
const grant = (kind: string, nth: number) => ({
  permission_id: `${kind}PermissionID_${nth}`,
  placeholder_id: `PlaceholderPermissionGranteeID_${kind}-${nth}`,
  ...code(100 + nth),
});

/**
 * Runs every command of this release once and writes what was stored, with its keys and what it folds
 * to, as a new folder. A folder that exists is never touched: stored events must fold for ever.
 */
export async function generateGolden(folder: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} exists; golden files are never edited`);
  const spec = new EngineSpec();
  const key_ids = [DRIVE_KEY_ID, ...SUBJECTS];
  const keys = new Map(key_ids.map((key_id) => [key_id, fixedKey(key_id)]));
  const factory_keys = new Map([[DRIVE_KEY_ID, fixedKey('factory')]]);
  const gift_keys = new Map(
    [DRIVE_KEY_ID, 'subject-owner'].map((key_id) => [key_id, fixedKey(`gift ${key_id}`)]),
  );
  const streams = new Map<string, ReadonlyMap<string, Uint8Array>>([
    [GOLDEN_DRIVE, keys],
    [GIFT_DRIVE, gift_keys],
    [FACTORY_ID, factory_keys],
  ]);
  for (const [drive_id, held] of streams) await spec.side.keys.put(drive_id, held);
  const run = async <Command, Answer>(
    definition: CommandDefinition<Command, Answer>,
    command: Command,
    credential: Credential = { kind: 'signature', user_id: OWNER },
    drive_id = GOLDEN_DRIVE,
  ): Promise<void> => {
    spec.now += 1000;
    const request = {
      credential,
      correlation_id: `request-${spec.now}`,
      reason: definition.name.startsWith('Delete') ? 'because it was not needed' : null,
      idempotency: definition.name === 'CreateGroup' ? { key: `a${spec.now}`, body: 'b2' } : null,
    };
    const outcome = await spec.drives.run(drive_id, definition, command, request);
    if (isRefused(outcome)) throw new Error(`${definition.name}: ${outcome.refusal.refusal}`);
  };

  await spec.drives.spawn(
    GOLDEN_DRIVE,
    {
      definition: factoryCommands.SpawnDrive,
      command: {
        ...spawnCommand(GOLDEN_DRIVE),
        email: 'org@example.com',
        quickstart: {
          members: [
            {
              user_id: 'UserID_member',
              name: 'Mia Member',
              fresh: {
                subject_key_id: 'subject-member',
                everyone_invite_id: 'GroupInviteID_member',
                api_key: apiKey(1),
              },
            },
          ],
          disk: { name: 'First', disk_type: 'LOCAL_SSD', auth_json: '{"secret":1}' },
          fresh: { api_key: apiKey(2), disk: disk(1) },
        },
      },
    },
    { definition: factoryCommands.NameDrive, command: { drive_id: GOLDEN_DRIVE } },
    FACTORY,
  );

  const { CreateContact, UpdateContact, DeleteContact, RedeemContact, EndContactCode } =
    contactCommands;
  await run(CreateContact, {
    id: 'UserID_ann',
    name: 'Ann Archer',
    email: 'ann@example.com',
    private_note: 'zwölf Äpfel ✓',
    is_placeholder: true,
    fresh: { subject_key_id: 'subject-ann', invite_id: 'GroupInviteID_ann', ...code(1) },
  });
  await run(CreateContact, {
    id: 'UserID_ben',
    name: 'Ben',
    fresh: { subject_key_id: 'subject-ben', invite_id: 'GroupInviteID_ben', ...code(2) },
  });
  await run(UpdateContact, { id: 'UserID_ann', public_note: 'likes tea', email: '' });
  await run(EndContactCode, { contact_id: 'UserID_ben' }, { kind: 'system' });
  await run(
    RedeemContact,
    {
      current_user_id: 'UserID_ann',
      new_user_id: 'UserID_anna',
      redeem_digest: code(1).code_digest,
      note: 'here I am',
      fresh: apiKey(3),
    },
    { kind: 'signature', user_id: 'UserID_anna' },
  );

  await run(groupCommands.CreateGroup, {
    name: 'Finance',
    external_id: 'erp-7',
    fresh: { group_id: 'GroupID_1', invite_id: 'GroupInviteID_1' },
  });
  await run(groupCommands.CreateGroup, {
    name: 'Short-lived',
    fresh: { group_id: 'GroupID_2', invite_id: 'GroupInviteID_2' },
  });
  await run(groupCommands.UpdateGroup, {
    id: 'GroupID_1',
    private_note: 'numbers',
    host_url: null,
  });
  const invite = (nth: number) => ({
    invite_id: `GroupInviteID_i${nth}`,
    placeholder_id: `PlaceholderGroupInviteeID_${nth}`,
    ...code(10 + nth),
  });
  const member = { group_id: 'GroupID_1', role: 'MEMBER' } as const;
  await run(inviteCommands.CreateInvite, { ...member, fresh: invite(1) });
  await run(inviteCommands.CreateInvite, { ...member, note: 'waits', fresh: invite(2) });
  await run(inviteCommands.CreateInvite, { ...member, invitee_id: 'UserID_ben', fresh: invite(3) });
  await run(inviteCommands.UpdateInvite, { id: 'GroupInviteID_i3', role: 'ADMIN', expires_at: -1 });
  await run(
    inviteCommands.RedeemInvite,
    {
      invite_id: 'GroupInviteID_i1',
      redeem_code: code(11).code,
      redeem_digest: code(11).code_digest,
      note: 'thanks',
      fresh: { invite_id: 'GroupInviteID_unused', subject_key_id: 'subject-unused' },
    },
    { kind: 'signature', user_id: 'UserID_member' },
  );
  await run(inviteCommands.DeleteInvite, { id: 'GroupInviteID_i3' });
  await run(groupCommands.DeleteGroup, { id: 'GroupID_2' });

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
  await run(directory.UpdateFile, { id: 'FileID_1', name: 'plan.md', upload_status: 'PENDING' });
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

  const organization = organizationCommands;
  await run(organization.UpdateAllowedDomains, { allowed_domains: 'example.com' });
  await run(organization.NotifyInbox, {
    topic: 'invoice',
    payload: { amount: 12.5, lines: [1, null, 'x'] },
    fresh: { inbox_notif_id: 'InboxNotifID_1' },
  });
  for (const slug of ['abc', 'def'])
    await run(organization.CreateShortlink, {
      original_url: 'https://example.com/',
      fresh: { slug },
    });
  await run(organization.RemoveShortlink, { slug: 'def' });
  const reindex = { events_folded: 40, documents_written: 30 };
  await run(organization.RecordReindex, reindex, { kind: 'system' });
  await run(organization.SuperswapUser, {
    current_user_id: 'UserID_ben',
    new_user_id: 'UserID_benjamin',
  });
  await run(DeleteContact, { id: 'UserID_anna' });
  const transfer = {
    next_owner_id: 'UserID_member',
    fresh: { subject_key_id: 'subject-next', everyone_invite_id: 'GroupInviteID_next' },
  };
  await run(organization.TransferOwnership, transfer);
  await run(organization.TransferOwnership, { cancel: true, fresh: transfer.fresh });
  await run(organization.TransferOwnership, transfer);
  spec.now += 2 * DAY_MS;
  await run(organization.TransferOwnership, transfer);
  // One deleted before, one by a former id.
  for (const id of ['UserID_anna', 'UserID_ben'])
    await run(contactCommands.EraseContact, { id }, { kind: 'signature', user_id: 'UserID_member' });

  const admin: Credential = {
    kind: 'factory',
    key: { id: 'FactoryApiKeyID_golden', is_admin: true },
  };
  const inFactory = <Command, Answer>(
    definition: CommandDefinition<Command, Answer>,
    command: Command,
  ) => run(definition, command, admin, FACTORY_ID);
  const card_disk = { name: 'Gift', disk_type: 'LOCAL_SSD', auth_json: '{"gift":1}' } as const;
  const cards = giftcardCommands;
  await inFactory(cards.CreateGiftcard, {
    usd_revenue_cents: 4900,
    note: 'spring sale',
    external_id: 'shop-1',
    bundled_default_disk: card_disk,
    fresh: { giftcard_id: 'GiftcardSpawnOrgID_1' },
  });
  await inFactory(cards.CreateGiftcard, { fresh: { giftcard_id: 'GiftcardSpawnOrgID_2' } });
  await inFactory(cards.UpdateGiftcard, {
    id: 'GiftcardSpawnOrgID_2',
    note: 'never sold',
    bundled_default_disk: { name: 'Other', disk_type: 'ICP_CANISTER', auth_json: '{"other":2}' },
  });
  await inFactory(cards.CreateGiftcard, { fresh: { giftcard_id: 'GiftcardSpawnOrgID_3' } });
  await inFactory(cards.DeleteGiftcard, { id: 'GiftcardSpawnOrgID_3' });
  await spec.drives.spawn(
    GIFT_DRIVE,
    {
      definition: factoryCommands.SpawnDrive,
      command: { ...spawnCommand(GIFT_DRIVE), bundled_default_disk: bundledDisk(card_disk) },
    },
    {
      definition: cards.RedeemGiftcard,
      command: { giftcard_id: 'GiftcardSpawnOrgID_1', drive_id: GIFT_DRIVE, card_revision: 1 },
    },
    FACTORY,
  );
  const imported = { drive_id: 'DriveID_imported' };
  await inFactory(factoryCommands.BeginImport, imported);
  const end = { revision: 7, chain_hash: sha256('the last event').toString('hex') };
  await inFactory(factoryCommands.EndImport, { ...imported, ...end });
  await run(
    organization.RedeemOrganization,
    { redeem_digest: 'digest-of-spawn', fresh: { api_key: apiKey(6), disk: disk(4) } },
    { kind: 'code' },
    GIFT_DRIVE,
  );

  mkdirSync(folder, { recursive: true });
  for (const [drive_id, held] of streams) {
    const stored = await spec.events.readStream(streamOf(drive_id), 0, 'forward', 1000);
    const golden: Golden = {
      drive_id,
      keys: held,
      events: stored.map(({ position: _, stream: __, ...event }) => event),
    };
    const lines = golden.events.map(({ hash, ...event }) =>
      JSON.stringify({ ...event, hash: Buffer.from(hash).toString('hex') }),
    );
    const expected = expectedOf(foldGolden(golden), golden);
    const write = (name: string, text: string): void =>
      writeFileSync(join(folder, `${drive_id}.${name}`), `${text}\n`);
    write('ndjson', lines.join('\n'));
    write('expected.json', JSON.stringify(expected, null, 2));
    write(
      'keys.json',
      JSON.stringify(
        Object.fromEntries(
          [...golden.keys].map(([id, key]) => [id, Buffer.from(key).toString('hex')]),
        ),
        null,
        2,
      ),
    );
  }
}
