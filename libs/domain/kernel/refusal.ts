/**
 * Reasons of refusals of commands and queries. A closed union: one table at the HTTP edge gives each its status, slug
 * and message. Domain code returns refusals, it never throws them.
 */
export type RefusalCode =
  // caller
  | 'token-missing'
  | 'token-malformed'
  /** An invalid key or signature; unknown, revoked and expired are not distinguished. */
  | 'unauthenticated'
  | 'forbidden'
  | 'ceiling'
  | 'public-grant-too-wide'
  // resource
  | 'organization-not-found'
  | 'contact-not-found'
  | 'group-not-found'
  | 'invite-not-found'
  | 'disk-not-found'
  | 'folder-not-found'
  | 'file-not-found'
  | 'permission-not-found'
  | 'api-key-not-found'
  | 'webhook-not-found'
  | 'label-not-found'
  | 'drive-not-found'
  | 'purchase-not-found'
  | 'resource-not-found'
  | 'unknown-id'
  | 'shortlink-not-found'
  | 'bookmark-not-found'
  | 'giftcard-not-found'
  | 'user-not-referenced'
  // conflicts
  | 'invalid-field'
  | 'nothing-to-update'
  | 'id-in-use'
  | 'name-in-use'
  | 'in-trash'
  | 'not-in-trash'
  | 'top-folder'
  | 'into-itself'
  | 'other-disk'
  | 'disk-without-credentials'
  | 'content-not-served'
  | 'redeem-code-invalid'
  | 'not-redeemable'
  | 'giftcard-redeemed'
  | 'external-id-in-use'
  | 'contact-exists'
  | 'label-value-in-use'
  | 'bookmark-exists'
  | 'former-user-id'
  | 'user-in-use'
  | 'owner-contact-undeletable'
  | 'own-drive-undeletable'
  | 'same-user'
  | 'no-pending-transfer'
  | 'already-owner'
  | 'precondition-failed'
  | 'idempotency-key-reused'
  | 'point-out-of-range'
  | 'chain-broken'
  | 'webhook-inactive'
  | 'webhook-paused'
  | 'too-many-webhooks'
  | 'too-many-items'
  | 'too-many-records'
  | 'answer-too-large'
  | 'too-large';

/** An invalid field: a JSON pointer into the body and a readable reason. */
export interface RefusalDetail {
  readonly pointer: string;
  readonly reason: string;
  readonly limit?: number;
}

export interface Refusal {
  readonly refusal: RefusalCode;
  readonly details: readonly RefusalDetail[];
}

export function refuse(refusal: RefusalCode, ...details: RefusalDetail[]): Refusal {
  return { refusal, details };
}

/** The refusal of one field of the body. */
export function refuseField(pointer: string, reason: string, limit?: number): Refusal {
  return refuse(
    'invalid-field',
    limit === undefined ? { pointer, reason } : { pointer, reason, limit },
  );
}

export function isRefusal(value: object): value is Refusal {
  return 'refusal' in value;
}

/** The refusal of a value beyond a limit of the installation. */
export function refuseNumber(
  refusal: 'too-many-items' | 'too-many-records',
  detail: Required<RefusalDetail>,
): Refusal {
  return refuse(refusal, detail);
}

/** The refusal of a client-chosen id that a record has, or a deleted one had. */
export function refuseIdInUse(): Refusal {
  return refuse('id-in-use', { pointer: '/id', reason: 'is already used in this drive' });
}

/** The refusal of a command on too many records or items. @param has such as `has 60000 files` */
export function refuseItems(has: string, limit: number): Refusal {
  const reason = `${has}; one command takes at most ${limit}`;
  return refuseNumber('too-many-items', { pointer: '/id', reason, limit });
}
