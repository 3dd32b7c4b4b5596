import { HttpException } from '@nestjs/common';

/** One field to blame: where it is (a JSON pointer into the body), why, and the limit it broke. */
export interface ErrorDetail {
  readonly pointer: string;
  readonly reason: string;
  readonly limit?: number;
}

/** Meaning of a slug: the status it comes with and a short constant title. */
export interface ErrorKind {
  readonly status: number;
  readonly title: string;
}

/** Slugs and what they mean. The application has one more such table for its own refusals. */
export type ErrorCatalogue = Readonly<Record<string, ErrorKind>>;

/** Every error the platform itself answers. */
export const PLATFORM_ERRORS = {
  'request.malformed-json': { status: 400, title: 'The body is not valid JSON.' },
  'request.malformed-url': { status: 400, title: 'The URL is malformed.' },
  'request.malformed-http': { status: 400, title: 'The request is not valid HTTP.' },
  'request.media-type': { status: 400, title: 'The body must be sent as application/json.' },
  'request.invalid': { status: 400, title: 'The request is invalid.' },
  'request.bad': { status: 400, title: 'The request cannot be processed.' },
  'token.missing': { status: 401, title: 'A token is required.' },
  'token.malformed': { status: 401, title: 'The token cannot be read.' },
  'token.invalid': { status: 401, title: 'The token does not count here, or not any more.' },
  'access.denied': { status: 403, title: 'This is not allowed.' },
  'route.unknown': { status: 404, title: 'There is no such operation.' },
  'route.wrong-method': {
    status: 405,
    title: 'This operation takes another method; the header Allow names it.',
  },
  'request.timeout': { status: 408, title: 'The request was not sent in time.' },
  'request.too-large': { status: 413, title: 'The body is too large.' },
  'request.upgrade-required': { status: 426, title: 'This operation is a WebSocket.' },
  'rate.limited': { status: 429, title: 'Too many requests.' },
  'request.headers-too-large': { status: 431, title: 'The header fields are too large.' },
  'server.failure': { status: 500, title: 'An unexpected error occurred.' },
  'server.not-implemented': { status: 501, title: 'This operation is not implemented.' },
  'server.unavailable': { status: 503, title: 'The service is not available right now.' },
} as const satisfies ErrorCatalogue;

export type PlatformErrorType = keyof typeof PLATFORM_ERRORS;

/** What an operation that takes a token may answer for want of one that counts. */
export const TOKEN_ERRORS = [
  'token.missing',
  'token.malformed',
  'token.invalid',
] as const satisfies readonly PlatformErrorType[];

/** What an error answer may carry beside status, slug and message. */
export interface ApiErrorExtras {
  /** What is logged of it; callers are not told. */
  readonly cause?: unknown;
  readonly details?: readonly ErrorDetail[];
  /** Response header fields, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members beside `message`, such as the `index` of a refused command. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An answer other than success. Its message reaches the caller: nothing internal belongs in it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
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
    this.details = extras.details ?? [];
    this.headers = { ...(status === 401 && challenge(type)), ...extras.headers };
    this.members = extras.members ?? {};
  }

  /** The same error with further members. */
  with(members: Readonly<Record<string, unknown>>): ApiError {
    const { status, type, message, details, headers, cause } = this;
    return new ApiError(status, type, message, {
      cause,
      details,
      headers,
      members: { ...this.members, ...members },
    });
  }

  /** An error of the platform's own table; the message defaults to the table's sentence. */
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

/** What every 401 asks for (RFC 6750, 3): a token, or another one than the one that was sent. */
function challenge(type: string): Readonly<Record<string, string>> {
  const is_sent = type !== 'token.missing';
  return { 'WWW-Authenticate': is_sent ? 'Bearer error="invalid_token"' : 'Bearer' };
}

/** Codes of Fastify and of Node's HTTP parser that need another answer than their status says. */
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
 * The answer for anything thrown. What the platform did not word itself gets a constant text of the
 * table, since foreign messages quote paths, values and internals.
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

/** An answer ready to be written. */
export interface ErrorAnswer {
  readonly status: number;
  readonly content_type: string;
  readonly body: string;
}

/**
 * The body of an error answer: the envelope, or RFC 9457 when the caller asked for it.
 *
 * @param accept the request's Accept header
 */
export function renderError(
  error: ApiError,
  request_id: string,
  accept: string | undefined,
): ErrorAnswer {
  const shared = { ...error.members, request_id, details: error.details };
  if (!wantsProblem(accept)) {
    const { message, type } = error;
    return {
      status: error.status,
      content_type: 'application/json; charset=utf-8',
      body: JSON.stringify({ err: { code: error.status, message, type, ...shared } }),
    };
  }
  const kinds: ErrorCatalogue = PLATFORM_ERRORS;
  return {
    status: error.status,
    content_type: 'application/problem+json; charset=utf-8',
    body: JSON.stringify({
      type: `/errors/${error.type}`,
      // A title must not vary from case to case (RFC 9457, 3.1.3), so the slug stands in for one.
      title: kinds[error.type]?.title ?? error.type,
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
