import { HttpException } from '@nestjs/common';

/** One invalid field: a JSON pointer into the body, the reason, and the limit if one was exceeded. */
export interface ErrorDetail {
  readonly pointer: string;
  readonly reason: string;
  readonly limit?: number;
}

/** HTTP status and short constant title of a slug. */
interface ErrorKind {
  readonly status: number;
  readonly title: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorKind>>;

/** Errors of the platform itself; `refusals.ts` has those of the domain. */
export const PLATFORM_ERRORS = {
  'request.malformed-json': {
    status: 400,
    title: 'The body is not valid JSON, or names a member __proto__ or constructor.prototype.',
  },
  'request.malformed-url': { status: 400, title: 'The URL is malformed.' },
  'request.malformed-http': { status: 400, title: 'The request is not valid HTTP.' },
  'request.media-type': { status: 400, title: 'The body must be sent as application/json.' },
  'request.invalid': { status: 400, title: 'The request is invalid.' },
  'request.bad': { status: 400, title: 'The request cannot be processed.' },
  'token.missing': { status: 401, title: 'A token is required.' },
  'token.malformed': { status: 401, title: 'The token cannot be decoded.' },
  'token.invalid': {
    status: 401,
    title: 'The token is not valid here, or no longer valid.',
  },
  'access.denied': { status: 403, title: 'Access is denied.' },
  'route.unknown': { status: 404, title: 'No operation has this path.' },
  'route.wrong-method': {
    status: 405,
    title: 'This operation does not support the method; the header Allow lists those it supports.',
  },
  'request.timeout': { status: 408, title: 'The request was not received in time.' },
  'request.too-large': { status: 413, title: 'The body is too large.' },
  'request.upgrade-required': {
    status: 426,
    title: 'This operation requires a WebSocket connection.',
  },
  'rate.limited': { status: 429, title: 'Too many requests; retry after the time in Retry-After.' },
  'request.headers-too-large': { status: 431, title: 'The header fields are too large.' },
  'server.failure': { status: 500, title: 'An unexpected error occurred.' },
  'server.not-implemented': { status: 501, title: 'This operation is not implemented.' },
  'server.unavailable': { status: 503, title: 'The service is temporarily unavailable; retry.' },
} as const satisfies ErrorCatalogue;

export type PlatformErrorType = keyof typeof PLATFORM_ERRORS;

/** Errors of operations that require a token. */
export const TOKEN_ERRORS = [
  'token.missing',
  'token.malformed',
  'token.invalid',
] as const satisfies readonly PlatformErrorType[];

interface ApiErrorExtras {
  /** The constant title of the slug, for slugs that are not the platform's. */
  readonly title?: string;
  /** Logged, but never sent to the caller. */
  readonly cause?: unknown;
  readonly details?: readonly ErrorDetail[];
  /** Response header fields, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members beside `message`, such as the `index` of a refused command. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An error response. The caller sees the message, so it must contain nothing internal. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly title: string;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  /**
   * @param status the HTTP status, which is also the `code` of the envelope
   * @param type the stable slug, such as `permission.ceiling`
   * @param message one sentence for the caller
   */
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    extras: ApiErrorExtras = {},
  ) {
    super(message, extras.cause === undefined ? {} : { cause: extras.cause });
    const kinds: ErrorCatalogue = PLATFORM_ERRORS;
    // A title must not vary between occurrences (RFC 9457, 3.1.3): the slug replaces a missing one.
    this.title = extras.title ?? kinds[type]?.title ?? type;
    this.details = extras.details ?? [];
    this.headers = { ...(status === 401 && challenge(type)), ...extras.headers };
    this.members = extras.members ?? {};
  }

  /** A copy of the error with further members. */
  with(members: Readonly<Record<string, unknown>>): ApiError {
    const { status, type, message, title, details, headers, cause } = this;
    return new ApiError(status, type, message, {
      title,
      cause,
      details,
      headers,
      members: { ...this.members, ...members },
    });
  }

  /** An error of `PLATFORM_ERRORS`; the message defaults to the title. */
  static of(
    type: PlatformErrorType,
    { message, ...extras }: ApiErrorExtras & { readonly message?: string } = {},
  ): ApiError {
    const kind = PLATFORM_ERRORS[type];
    return new ApiError(kind.status, type, message ?? kind.title, extras);
  }

  /** 400 for fields of the body; the message repeats the first reason. */
  static invalid(details: readonly ErrorDetail[]): ApiError {
    const [first] = details;
    const message = first && `${first.pointer.slice(1) || 'The body'} ${first.reason}.`;
    return ApiError.of('request.invalid', message ? { message, details } : { details });
  }
}

/** The challenge of a 401 (RFC 6750, 3); `invalid_token` if the request had a token. */
function challenge(type: string): Readonly<Record<string, string>> {
  const is_sent = type !== 'token.missing';
  return { 'WWW-Authenticate': is_sent ? 'Bearer error="invalid_token"' : 'Bearer' };
}

/** Error codes of Fastify and Node's HTTP parser whose slug does not follow from the status. */
const CODES: Readonly<Record<string, PlatformErrorType>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.malformed-http',
  FST_ERR_BAD_URL: 'request.malformed-url',
  FST_ERR_MAX_PARAM_LENGTH: 'request.malformed-url',
  HPE_HEADER_OVERFLOW: 'request.headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
};

const STATUSES: Readonly<Record<number, PlatformErrorType>> = {
  401: 'token.invalid',
  403: 'access.denied',
  404: 'route.unknown',
  408: 'request.timeout',
  413: 'request.too-large',
  415: 'request.media-type',
  429: 'rate.limited',
  431: 'request.headers-too-large',
  501: 'server.not-implemented',
  503: 'server.unavailable',
};

/**
 * The error response for any thrown value. Errors of libraries get a constant message, because their
 * own messages may contain paths, values and internals.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (typeof thrown !== 'object' || thrown === null) return ApiError.of('server.failure');
  const { code, statusCode } = thrown as { code?: unknown; statusCode?: unknown };
  const by_code = typeof code === 'string' ? CODES[code] : undefined;
  if (by_code) return ApiError.of(by_code);
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusCode;
  if (typeof status !== 'number') return ApiError.of('server.failure');
  const by_status = STATUSES[status];
  if (by_status) return ApiError.of(by_status);
  return ApiError.of(status >= 400 && status < 500 ? 'request.bad' : 'server.failure');
}

interface ErrorResponse {
  readonly status: number;
  readonly content_type: string;
  readonly body: string;
}

/**
 * Serializes an error as the envelope, or as RFC 9457 if the caller accepts it.
 *
 * @param accept the request's Accept header
 */
export function renderError(
  error: ApiError,
  request_id: string,
  accept: string | undefined,
): ErrorResponse {
  const shared = { ...error.members, request_id, details: error.details };
  if (!wantsProblem(accept)) {
    const { message, type } = error;
    return {
      status: error.status,
      content_type: 'application/json; charset=utf-8',
      body: JSON.stringify({ err: { code: error.status, message, type, ...shared } }),
    };
  }
  return {
    status: error.status,
    content_type: 'application/problem+json; charset=utf-8',
    body: JSON.stringify({
      type: `/errors/${error.type}`,
      title: error.title,
      status: error.status,
      detail: error.message,
      code: error.status,
      ...shared,
    }),
  };
}

function wantsProblem(accept: string | undefined): boolean {
  if (!accept?.includes('problem')) return false;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    return type === 'application/problem+json' && !refused;
  });
}

/** Thrown to respond 304 without a body; the headers are already set. */
export class NotModified extends Error {
  override readonly name = 'NotModified';
}
