import type { Refusal, RefusalCode } from '../../libs/domain/kernel/refusal.js';
import { ApiError, type ErrorCatalogue, PLATFORM_ERRORS } from './platform/errors.js';

/** Maps every refusal of the domain to its error slug, HTTP status and message. */
const REFUSALS: Readonly<
  Record<RefusalCode, { readonly type: string; readonly status: number; readonly title: string }>
> = {
  'token-missing': { type: 'token.missing', ...PLATFORM_ERRORS['token.missing'] },
  'token-malformed': { type: 'token.malformed', ...PLATFORM_ERRORS['token.malformed'] },
  unauthenticated: { type: 'token.invalid', ...PLATFORM_ERRORS['token.invalid'] },
  forbidden: { type: 'permission.denied', status: 403, title: 'You are not allowed to do this.' },
  ceiling: {
    type: 'permission.ceiling',
    status: 403,
    title: 'You can grant only permissions that you hold, within the same period and scope.',
  },
  'public-grant-too-wide': {
    type: 'permission.public-too-wide',
    status: 403,
    title: 'Only the owner may grant these permissions to PUBLIC.',
  },
  'organization-not-found': {
    type: 'organization.not-found',
    status: 404,
    title: 'There is no such organization.',
  },
  'contact-not-found': {
    type: 'contact.not-found',
    status: 404,
    title: 'There is no such contact.',
  },
  'group-not-found': { type: 'group.not-found', status: 404, title: 'There is no such group.' },
  'invite-not-found': { type: 'invite.not-found', status: 404, title: 'There is no such invite.' },
  'folder-not-found': {
    type: 'folder.not-found',
    status: 404,
    title: 'There is no such folder.',
  },
  'file-not-found': { type: 'file.not-found', status: 404, title: 'There is no such file.' },
  'disk-not-found': { type: 'disk.not-found', status: 404, title: 'There is no such disk.' },
  'permission-not-found': {
    type: 'permission.not-found',
    status: 404,
    title: 'There is no such permission.',
  },
  'api-key-not-found': {
    type: 'api-key.not-found',
    status: 404,
    title: 'There is no such API key.',
  },
  'webhook-not-found': {
    type: 'webhook.not-found',
    status: 404,
    title: 'There is no such webhook.',
  },
  'label-not-found': { type: 'label.not-found', status: 404, title: 'There is no such label.' },
  'purchase-not-found': {
    type: 'purchase.not-found',
    status: 404,
    title: 'There is no such purchase.',
  },
  'drive-not-found': { type: 'drive.not-found', status: 404, title: 'There is no such drive.' },
  'resource-not-found': {
    type: 'resource.not-found',
    status: 404,
    title: 'There is no such resource.',
  },
  'unknown-id': {
    type: 'id.unknown',
    status: 404,
    title: 'This id or name never existed in this organization.',
  },
  'shortlink-not-found': {
    type: 'shortlink.not-found',
    status: 404,
    title: 'There is no such short link.',
  },
  'bookmark-not-found': {
    type: 'bookmark.not-found',
    status: 404,
    title: 'There is no such bookmark.',
  },
  'giftcard-not-found': {
    type: 'giftcard.not-found',
    status: 404,
    title: 'There is no such gift card.',
  },
  'user-not-referenced': {
    type: 'superswap.not-found',
    status: 404,
    title: 'Nothing in this organization refers to this user id.',
  },
  'invalid-field': { type: 'request.invalid', status: 400, title: 'The request is invalid.' },
  'nothing-to-update': {
    type: 'request.nothing-to-update',
    status: 400,
    title: 'The request contains no field to update.',
  },
  'id-in-use': {
    type: 'request.id-in-use',
    status: 400,
    title: 'This id is or was in use; choose another.',
  },
  'name-in-use': {
    type: 'directory.name-in-use',
    status: 409,
    title: 'Another item in this folder has this name.',
  },
  'in-trash': {
    type: 'directory.in-trash',
    status: 400,
    title: 'The item is in the trash; restore it first.',
  },
  'not-in-trash': {
    type: 'directory.not-in-trash',
    status: 404,
    title: 'The item is not in the trash, or is there only as part of a trashed folder.',
  },
  'top-folder': {
    type: 'directory.top-folder',
    status: 400,
    title: 'The root folder and the trash folder of a disk cannot be changed.',
  },
  'into-itself': {
    type: 'directory.into-itself',
    status: 400,
    title: 'A folder cannot be moved or copied into itself or one of its subfolders.',
  },
  'other-disk': {
    type: 'directory.other-disk',
    status: 400,
    title: 'Items cannot be moved, copied or restored to another disk.',
  },
  'disk-without-credentials': {
    type: 'disk.without-credentials',
    status: 400,
    title: 'The disk has no credentials for signing uploads.',
  },
  'content-not-served': {
    type: 'file.content-not-served',
    status: 501,
    title: 'The service does not serve file content from this type of disk.',
  },
  'redeem-code-invalid': {
    type: 'redeem.code-invalid',
    status: 400,
    title: 'The redeem code is wrong, already used, or cannot be redeemed now.',
  },
  'not-redeemable': {
    type: 'redeem.not-redeemable',
    status: 400,
    title: 'The record cannot be redeemed.',
  },
  'giftcard-redeemed': {
    type: 'giftcard.redeemed',
    status: 400,
    title: 'The gift card has already been redeemed.',
  },
  'external-id-in-use': {
    type: 'request.external-id-in-use',
    status: 400,
    title: 'Another record already has this external id.',
  },
  'contact-exists': {
    type: 'contact.exists',
    status: 409,
    title: 'A contact with this id already exists.',
  },
  'bookmark-exists': {
    type: 'bookmark.exists',
    status: 409,
    title: 'A bookmark with this name already exists.',
  },
  'label-value-in-use': {
    type: 'label.value-in-use',
    status: 409,
    title: 'Another label already has this value.',
  },
  'former-user-id': {
    type: 'user.former-id',
    status: 409,
    title: 'The user id is a former id of another contact.',
  },
  'user-in-use': { type: 'user.in-use', status: 409, title: 'The user id is in use.' },
  'owner-contact-undeletable': {
    type: 'contact.owner-undeletable',
    status: 400,
    title: 'The contact of the owner cannot be deleted.',
  },
  'own-drive-undeletable': {
    type: 'drive.own-undeletable',
    status: 400,
    title: "The organization's own drive record cannot be deleted.",
  },
  'same-user': { type: 'request.same-user', status: 400, title: 'Both user ids are the same.' },
  'no-pending-transfer': {
    type: 'transfer.none-pending',
    status: 400,
    title: 'No ownership transfer is pending.',
  },
  'already-owner': {
    type: 'transfer.already-owner',
    status: 400,
    title: 'The user is already the owner.',
  },
  'precondition-failed': {
    type: 'request.precondition-failed',
    status: 412,
    title: 'The record does not match If-Match: it has changed or does not exist.',
  },
  'idempotency-key-reused': {
    type: 'request.idempotency-key-reused',
    status: 422,
    title: 'The Idempotency-Key was used with another path or body.',
  },
  'point-out-of-range': {
    type: 'point.out-of-range',
    status: 404,
    title: "The point is outside the organization's history.",
  },
  'chain-broken': {
    type: 'replay.chain-broken',
    status: 409,
    title: 'The stored events do not match their hashes.',
  },
  'too-many-webhooks': {
    type: 'webhook.too-many',
    status: 400,
    title: 'The organization has the maximum number of webhooks.',
  },
  'webhook-inactive': {
    type: 'webhook.inactive',
    status: 400,
    title: 'The webhook is inactive.',
  },
  'too-many-items': {
    type: 'directory.too-many-items',
    status: 413,
    title: 'The command affects too many files and folders.',
  },
  'too-many-records': {
    type: 'organization.too-many-records',
    status: 413,
    title: 'The organization would exceed its maximum number of records; delete some first.',
  },
  'webhook-paused': {
    type: 'webhook.paused',
    status: 400,
    title:
      'The webhook is paused: its creator was deleted or may not see the watched records. Restore the permission, or take over the webhook.',
  },
  'answer-too-large': {
    type: 'transaction.answer-too-large',
    status: 413,
    title: 'The results of the transaction are too large for one response; send fewer commands.',
  },
  'too-large': {
    type: 'request.events-too-large',
    status: 413,
    title: 'The events of the request are too large for one append; split the request.',
  },
};

/** Errors of `DriveGuard`, before any command is decided. */
const GUARD_ERRORS = {
  'organization.malformed-id': { status: 400, title: 'The organization id is malformed.' },
  'request.no-past': {
    status: 400,
    title:
      'This operation does not accept as_of: it is not a read, or it takes points in the body.',
  },
  'request.invalid-header': { status: 400, title: 'A header field is invalid.' },
  'signalling.full': { status: 503, title: 'The maximum number of peers is connected.' },
} as const satisfies ErrorCatalogue;

/** Slugs with which a command may be refused; refusals with status 5xx occur in reads only. */
export const REFUSAL_TYPES = Object.values(REFUSALS)
  .filter(({ status }) => status < 500)
  .map(({ type }) => type);

/** The service's own error slugs, for the OpenAPI document. */
export const SERVICE_ERRORS: ErrorCatalogue = {
  ...GUARD_ERRORS,
  ...Object.fromEntries(
    Object.values(REFUSALS).map(({ type, status, title }) => [type, { status, title }]),
  ),
};

/** An error of the guard; the message defaults to the title. */
export function guardError(type: keyof typeof GUARD_ERRORS, message?: string): ApiError {
  const { status, title } = GUARD_ERRORS[type];
  return new ApiError(status, type, message ?? title);
}

/** The error response to a refused command or query. */
export function refusalError(refusal: Refusal): ApiError {
  const { type, status, title } = REFUSALS[refusal.refusal];
  const [first] = refusal.details;
  const blamed = first && `${first.pointer.slice(1) || 'The body'} ${first.reason}`;
  let message = title;
  if (refusal.refusal === 'invalid-field' && blamed) message = `${blamed}.`;
  const is_number = refusal.refusal === 'too-many-items' || refusal.refusal === 'too-many-records';
  if (is_number && first) message = `${title.slice(0, -1)}: ${first.reason}.`;
  if (refusal.refusal === 'point-out-of-range' && blamed)
    message = `${title.slice(0, -1)}: ${blamed}.`;
  return new ApiError(status, type, message, { details: refusal.details });
}
