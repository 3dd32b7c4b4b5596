/** Identifiers: a prefix that names the kind, then an opaque part. */
import { randomUUID } from 'node:crypto';

/** Every kind of identifier the API knows and its prefix. */
export const ID_PREFIXES = {
  drive: 'DriveID_',
  user: 'UserID_',
  group: 'GroupID_',
  group_invite: 'GroupInviteID_',
  disk: 'DiskID_',
  folder: 'FolderID_',
  file: 'FileID_',
  file_version: 'FileVersionID_',
  directory_permission: 'DirectoryPermissionID_',
  system_permission: 'SystemPermissionID_',
  redeem_token: 'RedeemTokenID_',
  placeholder_permission_grantee: 'PlaceholderPermissionGranteeID_',
  placeholder_group_invitee: 'PlaceholderGroupInviteeID_',
  api_key: 'ApiKeyID_',
  label: 'LabelID_',
  webhook: 'WebhookID_',
  purchase: 'PurchaseID_',
  giftcard_spawn_org: 'GiftcardSpawnOrgID_',
  giftcard_refuel: 'GiftcardRefuelID_',
  factory_api_key: 'FactoryApiKeyID_',
  inbox_notif: 'InboxNotifID_',
  directory_action_outcome: 'DirectoryActionOutcomeID_',
  share_track: 'ShareTrackID_',
  drive_state_diff: 'DriveStateDiffID_',
} as const;

type IdPrefix = (typeof ID_PREFIXES)[keyof typeof ID_PREFIXES];

/** Prefixes whose opaque part is a UUID. Users and drives carry a principal: see `derive.ts`. */
export type UuidIdPrefix = Exclude<IdPrefix, typeof ID_PREFIXES.drive | typeof ID_PREFIXES.user>;

/** A fresh id: the prefix and a random UUID v4. */
export function newId<P extends UuidIdPrefix>(prefix: P): `${P}${string}` {
  return `${prefix}${randomUUID()}`;
}

/** A fresh redeem code: 122 random bits, impossible to guess. */
export function newRedeemCode(): `RedeemTokenID_${string}` {
  return newId(ID_PREFIXES.redeem_token);
}
