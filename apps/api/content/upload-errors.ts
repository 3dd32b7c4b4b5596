import { ContentBusy } from '../../../libs/application/content/places.js';
import { UploadTooSlow } from '../../../libs/application/content/uploads.js';
import { ContentStoreFull } from '../../../libs/content-store/port.js';
import { ApiError } from '../platform/errors.js';
import { contentError } from '../refusals.js';

/** Errors of every upload of a content. */
export const UPLOAD_ERRORS = [
  'permission.denied',
  'file.not-found',
  'directory.in-trash',
  'content.elsewhere',
  'content.mismatch',
  'content.too-large',
  'content.too-slow',
  'content.busy',
  'content.store-full',
] as const;

/** The API error of a `ContentBusy`. */
export function busyError(): ApiError {
  return contentError('content.busy', { 'Retry-After': '1' });
}

/** The API error of a failure to receive an upload. */
export function uploadError(error: unknown): unknown {
  if (error instanceof ContentBusy) return busyError();
  if (error instanceof UploadTooSlow) return contentError('content.too-slow');
  if (error instanceof ContentStoreFull) return contentError('content.store-full');
  const { code } = error as { code?: string };
  // The client has disconnected; this error only appears in the log.
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new ApiError(499, 'request.abandoned', 'The client disconnected.');
  return error;
}
