/**
 * Prefixes of ids that several families use. An id is its prefix and 1–128 characters of `[A-Za-z0-9_-]`.
 */
export const PREFIX = {
  drive: 'DriveID_',
  user: 'UserID_',
  group: 'GroupID_',
  invite: 'GroupInviteID_',
  disk: 'DiskID_',
  folder: 'FolderID_',
  file: 'FileID_',
  file_version: 'FileVersionID_',
  content: 'ContentID_',
  directory_permission: 'DirectoryPermissionID_',
  system_permission: 'SystemPermissionID_',
  redeem_code: 'RedeemTokenID_',
  placeholder_grantee: 'PlaceholderPermissionGranteeID_',
  placeholder_invitee: 'PlaceholderGroupInviteeID_',
  api_key: 'ApiKeyID_',
  label: 'LabelID_',
  inbox_notif: 'InboxNotifID_',
  factory_api_key: 'FactoryApiKeyID_',
} as const;

/** Grantee or invitee "everyone"; also the one fixed code of public group invites. */
export const PUBLIC = 'PUBLIC';

/** Prefix of the opaque part of an id that a dry run generated. */
export const PREVIEW_MARK = 'preview-';

/** The mark if a dry run generated the id, else `''`. Ids derived from the id get the mark too. */
export function previewMarkOf(id: string): string {
  return id.startsWith(PREVIEW_MARK, id.indexOf('_') + 1) ? PREVIEW_MARK : '';
}

/** The opaque part of a user or drive id: its principal in text form. */
export function principalOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
