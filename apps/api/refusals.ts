import { FAMILIES } from '../../libs/domain/drive/families.js';
import type {
  Refusal,
  RefusalCode,
  RefusalText,
  SharedRefusal,
} from '../../libs/domain/kernel/refusal.js';
import { ApiError, type ErrorCatalogue, PLATFORM_ERRORS } from './platform/errors.js';

/** Texts of the refusals that several families share. */
const SHARED: Readonly<Record<SharedRefusal, RefusalText>> = {
  'token-missing': { type: 'token.missing', ...PLATFORM_ERRORS['token.missing'] },
  'token-malformed': { type: 'token.malformed', ...PLATFORM_ERRORS['token.malformed'] },
  unauthenticated: { type: 'token.invalid', ...PLATFORM_ERRORS['token.invalid'] },
  forbidden: { type: 'permission.denied', status: 403, title: 'You are not allowed to do this.' },
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
  'external-id-in-use': {
    type: 'request.external-id-in-use',
    status: 400,
    title: 'Another record already has this external id.',
  },
  'precondition-failed': {
    type: 'request.precondition-failed',
    status: 412,
    title: 'The record has changed since the expected revision, or it does not exist.',
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
  'too-many-records': {
    type: 'organization.too-many-records',
    status: 413,
    title: 'The organization would exceed its maximum number of records; delete some first.',
  },
  'answer-too-large': {
    type: 'transaction.answer-too-large',
    status: 413,
    title: 'The results of the request are too large for one response; send fewer commands.',
  },
  'refused-before': {
    type: 'request.refused-before',
    status: 409,
    title:
      'The command was refused when this Idempotency-Key was used first, such as for the number of records.',
  },
  'snapshot-too-large': {
    type: 'organization.snapshot-too-large',
    status: 413,
    title:
      'The organization has too many records for one response; use lists, replay or an export.',
  },
  'too-large': {
    type: 'request.events-too-large',
    status: 413,
    title: 'The events of the request are too large for one append; split the request.',
  },
};

const REFUSALS = Object.assign({}, SHARED, ...FAMILIES.map(({ refusals }) => refusals)) as Readonly<
  Record<RefusalCode, RefusalText>
>;

/** Errors of `DriveGuard`, before any command is decided. */
const GUARD_ERRORS = {
  'organization.malformed-id': { status: 400, title: 'The organization id is malformed.' },
  'request.no-past': {
    status: 400,
    title:
      'This operation does not accept as_of: it is not a read, or it takes points in the body.',
  },
  'request.invalid-header': { status: 400, title: 'A header field is invalid.' },
  'feed.beyond-last-event': {
    status: 400,
    title:
      'The feed cannot resume after a revision beyond the last event, as after a restore of a backup; start over.',
  },
  'signalling.full': {
    status: 503,
    title: 'The maximum number of peers is connected; retry later.',
  },
} as const satisfies ErrorCatalogue;

/** Errors of receiving and sending content. */
const CONTENT_ERRORS = {
  'content.malformed-form': {
    status: 400,
    title: 'The form must have the fields of the upload first, and then one part named file.',
  },
  'content.encoded': { status: 400, title: 'The content must be sent without a Content-Encoding.' },
  'content.too-slow': { status: 408, title: 'The content was received too slowly.' },
  'content.range': { status: 416, title: 'The content ends before the requested range.' },
  'content.busy': {
    status: 503,
    title: 'The maximum number of uploads or downloads is in progress; retry.',
  },
  'upload.not-found': { status: 404, title: 'There is no such upload.' },
  'upload.wrong-offset': {
    status: 409,
    title: 'The Upload-Offset is not that of the upload; ask for it by HEAD.',
  },
  'upload.expired': { status: 410, title: 'The upload has expired; create another.' },
  'upload.wrong-version': {
    status: 412,
    title: 'The header Tus-Resumable must be 1.0.0.',
  },
  'upload.too-many-parts': {
    status: 413,
    title: 'The upload has the maximum number of parts; create another and send larger ones.',
  },
  'upload.wrong-type': {
    status: 415,
    title: 'The bytes must be sent as application/offset+octet-stream.',
  },
  'upload.locked': { status: 423, title: 'Another request uses the upload; retry.' },
  'upload.too-many': {
    status: 429,
    title: 'You have the maximum number of unfinished uploads; finish or delete one.',
  },
  'upload.wrong-checksum': {
    status: 460,
    title: 'The bytes do not have the checksum in Upload-Checksum; send them again.',
  },
  'content.store-full': { status: 507, title: 'The store of contents is full.' },
} as const satisfies ErrorCatalogue;

/** An error of receiving or sending content. */
export function contentError(
  type: keyof typeof CONTENT_ERRORS,
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  const { status, title } = CONTENT_ERRORS[type];
  return new ApiError(status, type, title, { title, headers });
}

/** Slugs with which a command may be refused; refusals with status 5xx occur in reads only. */
export const REFUSAL_TYPES = Object.values(REFUSALS)
  .filter(({ status }) => status < 500)
  .map(({ type }) => type);

/** The service's own error slugs, for the OpenAPI document. */
export const SERVICE_ERRORS: ErrorCatalogue = {
  ...GUARD_ERRORS,
  ...CONTENT_ERRORS,
  ...Object.fromEntries(
    Object.values(REFUSALS).map(({ type, status, title }) => [type, { status, title }]),
  ),
};

/** An error of the guard; the message defaults to the title. */
export function guardError(type: keyof typeof GUARD_ERRORS, message?: string): ApiError {
  const { status, title } = GUARD_ERRORS[type];
  return new ApiError(status, type, message ?? title, { title });
}

/** The error of a header with an invalid value. @param message names the header */
export function invalidHeader(message: string): ApiError {
  return guardError('request.invalid-header', message);
}

/** Refusals for limits of the installation; their message gives the numbers. */
const WITH_NUMBERS: ReadonlySet<RefusalCode> = new Set([
  'too-many-items',
  'too-many-records',
  'answer-too-large',
]);

/** The error response to a refused command or query. */
export function refusalError(refusal: Refusal): ApiError {
  const { type, status, title } = REFUSALS[refusal.refusal];
  const [first] = refusal.details;
  const problem = first && `${first.pointer.slice(1) || 'The body'} ${first.reason}`;
  let message = title;
  if (refusal.refusal === 'invalid-field' && problem) message = `${problem}.`;
  if (WITH_NUMBERS.has(refusal.refusal) && first)
    message = `${title.slice(0, -1)}: ${first.reason}.`;
  if (refusal.refusal === 'point-out-of-range' && problem)
    message = `${title.slice(0, -1)}: ${problem}.`;
  return new ApiError(status, type, message, { title, details: refusal.details });
}
