import type { components } from './generated/api.js';

/** Slugs of all errors of the API. */
export type ErrorType = components['schemas']['ErrorType'];

export type ErrorDetail = components['schemas']['ErrorDetail'];

/** Fields of `err` in an answer. */
interface ErrorBody {
  readonly code: number;
  readonly type: ErrorType;
  readonly message: string;
  readonly request_id: string;
  readonly details?: readonly ErrorDetail[];
  readonly index?: number;
}

/** The service answered with an error; `type` tells which. */
export class DriveError<T extends ErrorType = ErrorType> extends Error {
  override readonly name = 'DriveError';
  readonly type: T;
  /** HTTP status. */
  readonly status: number;
  readonly request_id: string;
  /** Fields to blame, or permissions that would suffice. */
  readonly details: readonly ErrorDetail[];
  /** Of a transaction: the command that was refused. */
  readonly index: number | null;
  /** Seconds after which to repeat the request, if the service said so. */
  readonly retry_after_s: number | null;

  constructor(body: ErrorBody & { readonly type: T }, retry_after_s: number | null = null) {
    super(body.message);
    this.type = body.type;
    this.status = body.code;
    this.request_id = body.request_id;
    this.details = body.details ?? [];
    this.index = body.index ?? null;
    this.retry_after_s = retry_after_s;
  }
}

interface ConnectionErrorOptions {
  readonly cause?: unknown;
  readonly retry_after_s?: number | null;
}

/**
 * The service could not be reached, or something between answered in its place (`status` of that answer, or null).
 * The request may or may not have been carried out.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Seconds after which to repeat the request, if the answer said so. */
  readonly retry_after_s: number | null;

  constructor(
    message: string,
    readonly status: number | null,
    { retry_after_s = null, ...options }: ConnectionErrorOptions = {},
  ) {
    super(message, options);
    this.retry_after_s = retry_after_s;
  }
}

/** True for an error of the service, and of these types if any are named. */
export function isDriveError<T extends ErrorType>(
  error: unknown,
  ...types: readonly T[]
): error is DriveError<T> {
  return (
    error instanceof DriveError &&
    (types.length === 0 || (types as readonly string[]).includes(error.type))
  );
}

/** The error in an answer that is not a success. */
export async function errorOf(response: Response): Promise<DriveError | ConnectionError> {
  const text = await response.text();
  const err = parse(text)?.err;
  const retry_after_s = retryAfterOf(response);
  if (err) return new DriveError(err, retry_after_s);
  // An answer to HEAD, which has no body, or one of something between.
  const { status } = response;
  const message = `Status ${status} without an error of the service`;
  return new ConnectionError(message, status, { retry_after_s });
}

function parse(text: string): { readonly err?: ErrorBody } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
