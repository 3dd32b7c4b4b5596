import { texts } from '../texts.js';
import { RequestFailed } from './request.js';

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
  if (!(error instanceof RequestFailed))
    return {
      title: texts.states.failed,
      message: error instanceof TypeError ? texts.states.unreachable : String(error),
      status: 0,
      request_id: null,
      is_temporary: true,
    };
  const { status, message, request_id } = error;
  const is_temporary = isTemporary(error);
  return { title: titleOf(status), message, status, request_id, is_temporary };
}

/** True if the server was busy or unreachable, not if it refused. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof RequestFailed)) return error instanceof TypeError;
  return error.status === 429 || error.status >= 500;
}

function titleOf(status: number): string {
  if (status === 403) return texts.states.denied;
  return status === 404 || status === 410 ? texts.states.not_found : texts.states.failed;
}
