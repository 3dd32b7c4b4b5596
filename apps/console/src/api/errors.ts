import { ConnectionError, DriveError } from '../../../../libs/client/src/index.js';
import { texts } from '../texts.js';

/** An error in words for people. */
export interface ErrorDescription {
  readonly title: string;
  readonly message: string;
  /** 0 if the server did not answer. */
  readonly status: number;
  readonly request_id: string | null;
  /** True if the same request may succeed later. */
  readonly is_temporary: boolean;
}

export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof DriveError))
    return {
      title: texts.states.failed,
      message: error instanceof ConnectionError ? texts.states.unreachable : String(error),
      status: 0,
      request_id: null,
      is_temporary: true,
    };
  const { status, message, request_id } = error;
  const is_temporary = status === 429 || status >= 500;
  return { title: titleOf(status), message, status, request_id, is_temporary };
}

function titleOf(status: number): string {
  if (status === 403) return texts.states.denied;
  return status === 404 || status === 410 ? texts.states.not_found : texts.states.failed;
}

/** True if the answer says that the caller lacks a permission. */
export function isDenied(error: unknown): boolean {
  return error instanceof DriveError && error.status === 403;
}

/** True if the answer says that the record is not there, or may not be seen. */
export function isRefused(error: unknown): boolean {
  return error instanceof DriveError && (error.status === 403 || error.status === 404);
}
