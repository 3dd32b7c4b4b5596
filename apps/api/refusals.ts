import type { Refusal, RefusalCode } from '../../libs/domain/kernel/refusal.js';
import { ApiError, type ErrorCatalogue, PLATFORM_ERRORS } from './platform/errors.js';

/** Slug, status and sentence of every refusal of the domain: the one place where they meet HTTP. */
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
    title:
      'You can only give permissions that you hold, and no longer or wider than you hold them.',
  },
  'public-grant-too-wide': {
    type: 'permission.public-too-wide',
    status: 403,
    title: 'Only the owner may give PUBLIC these permissions.',
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
    title: 'The request names nothing to update.',
  },
  'id-in-use': { type: 'request.id-in-use', status: 400, title: 'This id was used before.' },
  'name-in-use': {
    type: 'directory.name-in-use',
    status: 409,
    title: 'This name is in use in this folder.',
  },
  'in-trash': {
    type: 'directory.in-trash',
    status: 400,
    title: 'This lies in the trash; restore it first.',
  },
  'not-in-trash': {
    type: 'directory.not-in-trash',
    status: 404,
    title: 'There is no such item in the trash that was put there itself.',
  },
  'top-folder': {
    type: 'directory.top-folder',
    status: 400,
    title: 'The root and the trash folder of a disk stay as they are.',
  },
  'into-itself': {
    type: 'directory.into-itself',
    status: 400,
    title: 'A folder cannot go into itself or into a folder inside it.',
  },
  'other-disk': {
    type: 'directory.other-disk',
    status: 400,
    title: 'Items stay on their disk; the destination is on another one.',
  },
  'disk-without-credentials': {
    type: 'disk.without-credentials',
    status: 400,
    title: 'The disk has no credentials to sign uploads with.',
  },
  'content-not-served': {
    type: 'file.content-not-served',
    status: 501,
    title: 'The content of files on this type of disk is not served.',
  },
  'redeem-code-invalid': {
    type: 'redeem.code-invalid',
    status: 400,
    title: 'The redeem code is wrong, used, or cannot be redeemed now.',
  },
  'not-redeemable': {
    type: 'redeem.not-redeemable',
    status: 400,
    title: 'This cannot be redeemed.',
  },
  'giftcard-redeemed': {
    type: 'giftcard.redeemed',
    status: 400,
    title: 'This gift card has been redeemed already.',
  },
  'external-id-in-use': {
    type: 'request.external-id-in-use',
    status: 400,
    title: 'Another record has this external id.',
  },
  'contact-exists': {
    type: 'contact.exists',
    status: 409,
    title: 'This id already is a contact.',
  },
  'bookmark-exists': {
    type: 'bookmark.exists',
    status: 409,
    title: 'A bookmark has this name already.',
  },
  'label-value-in-use': {
    type: 'label.value-in-use',
    status: 409,
    title: 'Another label has this value.',
  },
  'former-user-id': {
    type: 'user.former-id',
    status: 409,
    title: 'This is a former id of another contact.',
  },
  'user-in-use': { type: 'user.in-use', status: 409, title: 'This user id is in use.' },
  'owner-contact-undeletable': {
    type: 'contact.owner-undeletable',
    status: 400,
    title: 'The contact of the owner cannot be deleted.',
  },
  'own-drive-undeletable': {
    type: 'drive.own-undeletable',
    status: 400,
    title: 'The record of this organization itself cannot be deleted.',
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
    title: 'This user already is the owner.',
  },
  'precondition-failed': {
    type: 'request.precondition-failed',
    status: 412,
    title: 'The record has changed since.',
  },
  'idempotency-key-reused': {
    type: 'request.idempotency-key-reused',
    status: 422,
    title: 'The Idempotency-Key was used for another path or body.',
  },
  'point-out-of-range': {
    type: 'point.out-of-range',
    status: 404,
    title: 'The organization has no such point in its past.',
  },
  'chain-broken': {
    type: 'replay.chain-broken',
    status: 409,
    title: 'The stored events do not fit their hashes.',
  },
  'too-many-webhooks': {
    type: 'webhook.too-many',
    status: 400,
    title: 'The organization has as many webhooks as it may have.',
  },
  'webhook-inactive': {
    type: 'webhook.inactive',
    status: 400,
    title: 'The webhook is switched off.',
  },
  'too-many-items': {
    type: 'directory.too-many-items',
    status: 413,
    title: 'These are more files and folders than one command may take.',
  },
  'too-many-records': {
    type: 'organization.too-many-records',
    status: 413,
    title: 'The organization would hold more records than it may; delete some first.',
  },
  'webhook-paused': {
    type: 'webhook.paused',
    status: 400,
    title:
      'The webhook is paused: its maker may not see what it watches, or is gone. Give the right back, or take it over.',
  },
  'answer-too-large': {
    type: 'transaction.answer-too-large',
    status: 413,
    title: 'The results of the transaction are more than one answer may hold; send fewer commands.',
  },
  'too-large': {
    type: 'request.events-too-large',
    status: 413,
    title: 'The request would make more events than one append may hold.',
  },
};

/** What the guard of drive operations refuses before anything is decided. */
const GUARD_ERRORS = {
  'organization.malformed-id': { status: 400, title: 'The organization id is malformed.' },
  'request.no-past': {
    status: 400,
    title: 'This operation takes no as_of: it is no read, or names its points in the body.',
  },
  'request.invalid-header': { status: 400, title: 'A header field is invalid.' },
  'signalling.full': { status: 503, title: 'There are as many peers as there may be.' },
} as const satisfies ErrorCatalogue;

/** Whatever a command may be refused for; what is no fault of the caller belongs to reads alone. */
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

/** An error of the guard; the message defaults to the table's sentence. */
export function guardError(type: keyof typeof GUARD_ERRORS, message?: string): ApiError {
  const { status, title } = GUARD_ERRORS[type];
  return new ApiError(status, type, message ?? title);
}

/** The answer to a refused command or question. */
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
