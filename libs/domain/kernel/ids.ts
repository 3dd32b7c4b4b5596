/** Prefixes of all identifiers. An id is its prefix and 1–128 characters of `[A-Za-z0-9_-]`. */
export const PREFIX = {
  drive: 'DriveID_',
  user: 'UserID_',
  group: 'GroupID_',
  invite: 'GroupInviteID_',
  disk: 'DiskID_',
  folder: 'FolderID_',
  file: 'FileID_',
  file_version: 'FileVersionID_',
  directory_permission: 'DirectoryPermissionID_',
  system_permission: 'SystemPermissionID_',
  redeem_code: 'RedeemTokenID_',
  placeholder_grantee: 'PlaceholderPermissionGranteeID_',
  placeholder_invitee: 'PlaceholderGroupInviteeID_',
  api_key: 'ApiKeyID_',
  label: 'LabelID_',
  webhook: 'WebhookID_',
  purchase: 'PurchaseID_',
  inbox_notif: 'InboxNotifID_',
  giftcard: 'GiftcardSpawnOrgID_',
  factory_api_key: 'FactoryApiKeyID_',
} as const;

/** Grantee or invitee "everyone"; also the one fixed code of public group invites. */
export const PUBLIC = 'PUBLIC';

/** What the opaque part of an id begins with that a dry run made up. */
export const PREVIEW_MARK = 'preview-';

/** The mark, if a dry run made the id up, else nothing: what is made of that id gets it too. */
export function previewMarkOf(id: string): string {
  return id.startsWith(PREVIEW_MARK, id.indexOf('_') + 1) ? PREVIEW_MARK : '';
}

/** The opaque part of a user or drive id: its principal in text form. */
export function principalOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** Families of records by how their ids begin. */
export const FAMILY_OF_PREFIX: ReadonlyMap<string, string> = new Map([
  [PREFIX.user, 'contacts'],
  [PREFIX.group, 'groups'],
  [PREFIX.invite, 'group_invites'],
  [PREFIX.disk, 'disks'],
  [PREFIX.folder, 'folders'],
  [PREFIX.file, 'files'],
  [PREFIX.directory_permission, 'directory_permissions'],
  [PREFIX.system_permission, 'system_permissions'],
  [PREFIX.api_key, 'api_keys'],
  [PREFIX.label, 'labels'],
  [PREFIX.webhook, 'webhooks'],
  [PREFIX.purchase, 'purchases'],
  [PREFIX.drive, 'drives'],
]);

/** The family of the records whose ids begin like this one; undefined if it cannot be told. */
export function familyOf(id: string): string | undefined {
  return FAMILY_OF_PREFIX.get(id.slice(0, id.indexOf('_') + 1));
}
