import type { Permission } from '../domain/access/permission.js';
import type { ApiKey } from '../domain/api-keys/record.js';
import type { Bookmark } from '../domain/bookmarks/record.js';
import type { Contact } from '../domain/contacts/record.js';
import type { FileRecord, FileVersion } from '../domain/directory/record.js';
import type { Disk, Folder } from '../domain/disks/record.js';
import type { Giftcard } from '../domain/giftcards/record.js';
import type { Group, Invite } from '../domain/groups/record.js';
import { principalOf } from '../domain/kernel/ids.js';
import type { KnownDrive } from '../domain/known-drives/record.js';
import type { Label } from '../domain/labels/record.js';
import type { Purchase } from '../domain/purchases/record.js';
import type { Webhook } from '../domain/webhooks/record.js';
import type { FamilySchema, ReadModelSchema } from '../read-model/port.js';

/** Declares a family's schema with its record typed; documents hold their sealed fields opened. */
function schema<R extends { created_at: number }>(
  of: Omit<FamilySchemaOf<R>, 'created_at' | 'fields'> & Partial<Pick<FamilySchemaOf<R>, 'fields'>>,
): FamilySchema {
  const created_at = (record: object): number => (record as R).created_at;
  return { fields: {}, ...of, created_at } as FamilySchema;
}

/** `FamilySchema` with the record's type in place of `object`. */
interface FamilySchemaOf<R> {
  created_at(record: R): number;
  filter_text(record: R): string;
  readonly fields: Readonly<Record<string, (record: R) => string | readonly string[]>>;
  readonly search?: {
    text(record: R): string;
    title(record: R): string;
    updated_at(record: R): number;
  };
}

/** Joins what is searched so that no match spans two fields. */
const text = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join('\n');

/** Opened fields are plain text. */
const plain = (value: unknown): string => value as string;

const grants = schema<Permission>({
  filter_text: () => '',
  fields: {
    resource_id: (grant) => grant.resource_id,
    granted_to: (grant) => grant.granted_to,
    granted_by: (grant) => grant.granted_by,
  },
});

/** A contact is called by its name, or by its id if it has none. */
const contactName = (contact: Contact): string => plain(contact.name) || contact.id;

/** Paths depend on the folders above and are found by way of those; see search. */
const itemSearch = {
  text: (item: FileRecord | Folder) => text(item.name, item.id),
  title: (item: FileRecord | Folder) => item.name,
  updated_at: (item: FileRecord | Folder) => item.last_updated_date_ms,
};

const itemFields = {
  parent_folder_uuid: (item: FileRecord | Folder) => item.parent_folder_uuid ?? '',
  disk_id: (item: FileRecord | Folder) => item.disk_id,
};

/** All families the read model holds: their order, what filters look into, what search covers. */
export const READ_SCHEMA: ReadModelSchema = {
  contacts: schema<Contact>({
    filter_text: (contact) =>
      text(contactName(contact), plain(contact.email), principalOf(contact.id), contact.id),
    search: {
      text: (contact) =>
        text(
          contactName(contact),
          plain(contact.email),
          contact.id,
          plain(contact.evm_public_address),
        ),
      title: contactName,
      updated_at: (contact) => contact.updated_at,
    },
  }),
  groups: schema<Group>({
    filter_text: (group) => text(group.name, group.id),
    search: {
      text: (group) => text(group.name, group.id, group.host_url),
      title: (group) => group.name,
      updated_at: (group) => group.last_modified_at,
    },
  }),
  group_invites: schema<Invite>({
    filter_text: (invite) => text(invite.note, invite.invitee_id),
    fields: {
      group_id: (invite) => invite.group_id,
      invitee_id: (invite) => invite.invitee_id,
      inviter_id: (invite) => invite.inviter_id,
    },
  }),
  disks: schema<Disk>({
    filter_text: (disk) => text(disk.name, disk.id),
    search: {
      text: (disk) => text(disk.name, disk.disk_type, disk.id),
      title: (disk) => disk.name,
      updated_at: (disk) => disk.created_at,
    },
  }),
  folders: schema<Folder>({
    filter_text: (folder) => text(folder.name, folder.id),
    fields: itemFields,
    search: itemSearch,
  }),
  files: schema<FileRecord>({
    filter_text: (file) => text(file.name, file.id),
    fields: itemFields,
    search: itemSearch,
  }),
  file_versions: schema<FileVersion>({ filter_text: () => '' }),
  directory_permissions: grants,
  system_permissions: grants,
  api_keys: schema<ApiKey>({
    filter_text: (key) => text(plain(key.name), key.id),
    fields: { user_id: (key) => key.user_id },
  }),
  webhooks: schema<Webhook>({
    filter_text: (webhook) => text(webhook.name, webhook.event, webhook.alt_index),
  }),
  labels: schema<Label>({ filter_text: (label) => text(label.value, label.id) }),
  purchases: schema<Purchase>({
    filter_text: (purchase) => text(purchase.title, purchase.vendor_name),
    fields: { vendor_id: (purchase) => purchase.vendor_id ?? '' },
    search: {
      text: (purchase) =>
        text(purchase.title, purchase.subtitle, purchase.vendor_name, purchase.id),
      title: (purchase) => purchase.title,
      updated_at: (purchase) => purchase.updated_at,
    },
  }),
  drives: schema<KnownDrive>({
    filter_text: (drive) => text(drive.name, drive.id),
    search: {
      text: (drive) => text(drive.name, drive.id, drive.host_url),
      title: (drive) => drive.name,
      updated_at: (drive) => drive.created_at,
    },
  }),
  organization: schema({ filter_text: () => '' }),
  shortlinks: schema({ filter_text: () => '' }),
  superswaps: schema({ filter_text: () => '' }),
  bookmarks: schema<Bookmark>({ filter_text: (bookmark) => text(bookmark.id, bookmark.note) }),
  spawned_drives: schema({ filter_text: () => '' }),
  giftcards: schema<Giftcard>({ filter_text: (card) => card.note }),
};
