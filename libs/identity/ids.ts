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

export type IdPrefix = (typeof ID_PREFIXES)[keyof typeof ID_PREFIXES];

/** Prefixes whose opaque part is a UUID. Users and drives carry a principal: see `derive.ts`. */
export type UuidIdPrefix = Exclude<IdPrefix, typeof ID_PREFIXES.drive | typeof ID_PREFIXES.user>;

/** Longest opaque part accepted in a request, so that a cursor can hold an id. Characters. */
export const MAX_OPAQUE_LENGTH = 128;

const OPAQUE = /^[A-Za-z0-9_-]+$/;

/** A fresh id: the prefix and a random UUID v4. */
export function newId<P extends UuidIdPrefix>(prefix: P): `${P}${string}` {
  return `${prefix}${randomUUID()}`;
}

/**
 * Tells whether `text` is the prefix followed by 1–128 of `[A-Za-z0-9_-]`. The opaque part need
 * be neither a UUID nor a principal: clients choose ids of their own.
 */
export function isId<P extends IdPrefix>(text: string, prefix: P): text is `${P}${string}` {
  if (!text.startsWith(prefix)) return false;
  const opaque = text.slice(prefix.length);
  return opaque.length <= MAX_OPAQUE_LENGTH && OPAQUE.test(opaque);
}

/** A fresh redeem code: 122 random bits, impossible to guess. */
export function newRedeemCode(): `RedeemTokenID_${string}` {
  return newId(ID_PREFIXES.redeem_token);
}
