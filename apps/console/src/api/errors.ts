import { ConnectionError, DriveError, isDriveError } from '../../../../libs/client/src/index.js';
import { texts } from '../texts.js';

/** What the fields of requests name, by the first part of the pointer to one. */
const NAMED: Readonly<Record<string, Missing>> = {
  ...{ actor: 'person', as_user: 'person', grantee_id: 'person' },
  ...{ resource_id: 'record', record_id: 'record', folder_id: 'record', disk_id: 'record' },
  ...{ types: 'kind', include: 'family', correlation_id: 'request' },
  ...{ cursor_down: 'page', cursor_up: 'page' },
};

/** An error in words for people. */
interface ErrorDescription {
  readonly title: string;
  readonly message: string;
  /** 0 if the server did not answer. */
  readonly status: number;
  readonly request_id: string | null;
  /** True if the same request may succeed later. */
  readonly is_temporary: boolean;
  /** What the address or a filter names although it never existed. */
  readonly missing?: Missing | undefined;
}

type Missing = keyof typeof texts.states.no_such;

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
  const missing = missingOf(error);
  if (missing) {
    const [title, hint] = [texts.states.no_such[missing], texts.states.no_such_hint];
    return { title, message: hint, status, request_id, is_temporary, missing };
  }
  return { title: titleOf(status), message, status, request_id, is_temporary };
}

function missingOf(error: DriveError): Missing | undefined {
  if (!isDriveError(error, 'id.unknown', 'request.invalid')) return undefined;
  const field = error.details[0]?.pointer.split('/')[1] ?? '';
  return Object.hasOwn(NAMED, field) ? NAMED[field] : undefined;
}

function titleOf(status: number): string {
  if (status === 403) return texts.states.denied;
  return status === 404 || status === 410 ? texts.states.not_found : texts.states.failed;
}

/** True if no record ever had this id. */
export function isUnknownId(error: unknown): boolean {
  return isDriveError(error, 'id.unknown');
}

/** True if the answer says that the caller lacks a permission. */
export function isDenied(error: unknown): boolean {
  return error instanceof DriveError && error.status === 403;
}

/** True if the answer says that the record is not there, or may not be seen. */
export function isRefused(error: unknown): boolean {
  return error instanceof DriveError && (error.status === 403 || error.status === 404);
}
