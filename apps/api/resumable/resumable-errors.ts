import {
  UploadFailed,
  type UploadFault,
} from '../../../libs/application/content/resumable/upload-failed.js';
import { UploadInterrupted } from '../../../libs/application/content/uploads.js';
import { contentError, invalidHeader } from '../refusals.js';
import { uploadError } from '../content/upload-errors.js';

/** Errors of resumable uploads, beside those of every upload. */
export const RESUMABLE_ERRORS = [
  'upload.wrong-version',
  'upload.not-found',
  'upload.expired',
  'upload.locked',
  'upload.wrong-offset',
  'upload.wrong-checksum',
  'upload.wrong-type',
  'upload.too-many',
  'upload.too-many-parts',
  'content.encoded',
] as const;

const RETRY = { 'Retry-After': '1' };

const FAULTS: Readonly<Record<UploadFault, () => Error>> = {
  'not-found': () => contentError('upload.not-found'),
  expired: () => contentError('upload.expired'),
  locked: () => contentError('upload.locked', RETRY),
  'wrong-offset': () => contentError('upload.wrong-offset'),
  'wrong-length': () =>
    invalidHeader('The header Upload-Length contradicts an earlier one, or the bytes received.'),
  'wrong-checksum': () => contentError('upload.wrong-checksum'),
  'too-many-parts': () => contentError('upload.too-many-parts'),
  'too-many': () => contentError('upload.too-many'),
};

/** The API error of a failed request for an upload. */
export function resumableError(error: unknown): unknown {
  if (error instanceof UploadFailed) return FAULTS[error.fault]();
  if (error instanceof UploadInterrupted) return contentError('upload.locked', RETRY);
  return uploadError(error);
}
