import type { EventType } from '../../libs/domain/foundation/events.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { summarize, summaryContextOf } from '../../libs/domain/drive/summaries.js';
import type { EventMetadata } from '../../libs/engine/writer/metadata.js';
import { decodeData } from '../../libs/engine/keys/codec.js';
import { applyEvent, emptyState } from '../../libs/engine/fold/fold.js';
import { Keyring } from '../../libs/engine/keys/keyring.js';
import { readGoldens } from './golden.js';

const FOLDER = join(import.meta.dirname, 'streams');

/** The lines that stored events of all releases give, by type. */
const lines = new Map<string, Set<string>>();
for (const version of readdirSync(FOLDER))
  for (const { golden } of readGoldens(join(FOLDER, version))) {
    const { state } = emptyState(golden.drive_id);
    const { open } = new Keyring(golden.drive_id, golden.keys);
    for (const event of golden.events) {
      state.undo_log.forget();
      applyEvent(state, event);
      const { actor } = JSON.parse(event.metadata) as EventMetadata;
      const told = summaryContextOf({ state, open }, actor, state.undo_log.changesSince(0));
      const line = summarize(told, event.type, decodeData(event.data));
      lines.set(event.type, (lines.get(event.type) ?? new Set()).add(line));
    }
  }

/** One line of every type of event; a type without one does not compile. */
const EXPECTED: Readonly<Record<EventType, string>> = {
  OrganizationSpawned: 'The organization Spec Org was founded for Olivia Owner',
  OrganizationActivated: 'The organization was activated with its code',
  ApiKeyCreated: 'The factory made the API key Default Admin Key for Spawned Drive of Olivia Owner',
  MemberJoined: 'Mia Member joined the organization',
  DiskCreated: 'The factory made the disk First',
  ContactCreated: 'Olivia Owner added the contact Ann Archer',
  ContactUpdated: 'Olivia Owner changed the contact Ann Archer',
  ContactCodeEnded: 'The code of the contact Ben ended',
  ContactRedeemed: 'Ann Archer took over the contact UserID_ann with its code',
  GroupCreated: 'Olivia Owner made the group Finance',
  GroupUpdated: 'Olivia Owner changed the group Finance',
  GroupInviteCreated: 'Olivia Owner made Ben a member of Finance',
  GroupInviteUpdated: 'Olivia Owner made Ben an admin of Finance',
  GroupInviteRedeemed: 'Mia Member joined Finance with a code',
  GroupInvitesDeleted: 'Olivia Owner removed Ben from Finance',
  GroupDeleted: 'Olivia Owner deleted the group Short-lived',
  DiskUpdated: 'Olivia Owner renamed the disk Second to Renamed',
  DiskDeleted: 'Olivia Owner deleted the disk Third',
  FileCreated: 'Olivia Owner made the file plan; a.txt',
  FolderCreated: 'Olivia Owner made the folder Reports',
  FileVersionCreated: 'Olivia Owner stored a new version of the file plan; a.txt',
  FileContentStored:
    'Olivia Owner uploaded 9 bytes to the file stored.txt (SHA-256 d1988cd3019824f075f61677e1a6f54b16035868488e4051757dde53adeef80f)',
  VersionsReleased: 'The service ended the retention of 2 former versions of files',
  ContentsDeleted: 'The service deleted 1 unused content',
  FileUpdated: 'Olivia Owner renamed the file plan; a.txt to plan.md',
  FolderUpdated: 'Olivia Owner changed the folder Reports',
  ItemMoved: 'Olivia Owner moved the file plan.md',
  ItemCopied: 'Olivia Owner copied the folder Reports',
  ItemTrashed: 'Olivia Owner put the file plan.md into the trash',
  ItemRestored: 'Olivia Owner restored the file plan.md from the trash',
  ItemsExpired: 'The service put the folder Soon over into the trash, as expired',
  ItemsDeleted: 'Olivia Owner deleted the folder Reports for good',
  DirectoryPermissionCreated: 'Olivia Owner granted the holder of the code VIEW, EDIT on Renamed',
  DirectoryPermissionUpdated: 'Olivia Owner changed the grant for the holder of the code on Renamed',
  DirectoryPermissionRedeemed: 'Ben got a grant on Renamed with a code',
  DirectoryPermissionDeleted: 'Olivia Owner revoked the grant for the holder of the code on Renamed',
  SystemPermissionCreated: 'Olivia Owner granted the holder of the code CREATE, VIEW on the table GROUPS',
  SystemPermissionUpdated: 'Olivia Owner changed the grant for the holder of the code on the table GROUPS',
  SystemPermissionRedeemed: 'Ben got a grant on the table GROUPS with a code',
  SystemPermissionDeleted: 'Olivia Owner revoked the grant for the holder of the code on Ben',
  ApiKeyUpdated: 'Olivia Owner revoked the API key CI of Olivia Owner',
  ApiKeyDeleted: 'Olivia Owner deleted the API key Old of Olivia Owner',
  AllowedDomainsUpdated: 'Olivia Owner set the allowed domains to example.com',
  InboxNotified: 'Olivia Owner put a notice into the inbox on invoice',
  ShortlinkCreated: 'Olivia Owner made the short link abc',
  ShortlinkRemoved: 'Olivia Owner removed the short link def',
  ReadModelsRebuilt: 'The service rebuilt the read models from 40 events',
  UserSuperswapped: 'Olivia Owner replaced the user id UserID_ben by UserID_benjamin (Ben)',
  ContactErased: 'Mia Member erased the person UserID_ben',
  ContactDeleted: 'Olivia Owner deleted the contact Ann Archer',
  OwnershipTransferRequested: 'Olivia Owner asked to hand the organization over to Mia Member',
  OwnershipTransferCancelled: 'Olivia Owner cancelled the transfer of ownership',
  OwnershipTransferred: 'Olivia Owner handed the organization over to Mia Member',
  DriveSpawned: 'The organization DriveID_golden came to be',
  DriveImportBegun: 'The import of the organization DriveID_imported began',
  DriveImported: 'The organization DriveID_imported was imported up to revision 7',
  BookmarkCreated: 'Olivia Owner named revision 38 year-end',
  BookmarkDeleted: 'Olivia Owner deleted the bookmark draft',
  DefaultDiskBundled: 'The organization was given a disk to begin with',
  WebhookCreated: 'Olivia Owner made the webhook org.inbox.new_mail@INBOX_NEW_MAIL for org.inbox.new_mail',
  WebhookUpdated: 'Olivia Owner changed the webhook org.inbox.new_mail@INBOX_NEW_MAIL',
  WebhookTakenOver: 'Mia Member took over the webhook org.inbox.new_mail@UserID_ben',
  WebhookSecretRotated: 'Olivia Owner gave the webhook org.inbox.new_mail@INBOX_NEW_MAIL a new secret',
  WebhookDeleted: 'Olivia Owner deleted the webhook drive.state_diffs@STATE_DIFFS',
  WebhookReplayed:
    'Olivia Owner had the webhook org.inbox.new_mail@UserID_ben sent revisions 1 to 3 again',
  GiftcardCreated: 'The factory made the gift card GiftcardSpawnOrgID_1',
  GiftcardUpdated: 'The factory changed the gift card GiftcardSpawnOrgID_2',
  GiftcardDeleted: 'The factory deleted the gift card GiftcardSpawnOrgID_3',
  GiftcardRedeemed: 'The gift card GiftcardSpawnOrgID_1 founded the organization DriveID_gift',
  LabelCreated: 'Olivia Owner made the label urgent-1',
  LabelUpdated: 'Olivia Owner renamed the label urgent-1 to soon',
  LabelPinned: 'Olivia Owner put the label soon on Ben',
  LabelUnpinned: 'Olivia Owner took the label soon off Finance',
  LabelDeleted: 'Olivia Owner deleted the label urgent-2',
  PurchaseCreated: 'Olivia Owner made the purchase Hosting 1',
  PurchaseUpdated: 'Olivia Owner set the purchase Hosting 1 to RUNNING',
  PurchaseDeleted: 'Olivia Owner deleted the purchase Hosting 2',
  KnownDriveCreated: 'Olivia Owner put the organization Partner into the address book',
  KnownDriveUpdated: 'Olivia Owner renamed the organization Spec Org to Renamed',
  KnownDriveDeleted: 'Olivia Owner took the organization Partner out of the address book',
};

describe('summaries of stored events', () => {
  it.each(Object.entries(EXPECTED))('%s: %s', (type, line) => {
    expect([...(lines.get(type) ?? [])]).toContain(line);
  });

  it('are one line without a full stop, and leave nothing unsaid', () => {
    for (const line of [...lines.values()].flatMap((of_type) => [...of_type])) {
      expect(line).toMatch(/^\S[^\n]*[^.\s]$/);
      expect(line).not.toMatch(/undefined|null|\[object/);
    }
  });
});
