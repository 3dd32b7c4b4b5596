import { ConnectionError, errorOf } from './errors.js';
import { RETRY_LIMITS, type RetryLimits, type RetryOptions, withRetries } from './retry.js';

/** An api key, or a function that gives a token for every request, such as a fresh signature; what it throws ends the request. */
export type Credential = string | (() => string | Promise<string>);

/** Options of a connection. */
export interface TransportOptions {
  /** Base URL of the service, such as `https://drive.example.com`; in a page of the service: `''`. */
  readonly url: string;
  readonly api_key?: Credential;
  readonly retry?: RetryOptions;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A request without what all requests have in common. */
export interface WireRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly signal?: AbortSignal;
  /** Whether a repetition is harmless if the first attempt was carried out. */
  readonly is_repeatable: boolean;
}

/** Sends requests: token, retries, errors, and the last revision seen. */
export class Transport {
  readonly retry: RetryLimits;
  readonly #base: string;
  readonly #credential: Credential | undefined;
  readonly #fetch: typeof fetch;
  #revision: number | null = null;

  constructor(options: TransportOptions) {
    this.#base = options.url.replace(/\/+$/, '');
    this.#credential = options.api_key;
    // Browsers call fetch on the window only.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    const given = Object.entries(options.retry ?? {}).filter(([, value]) => value !== undefined);
    this.retry = { ...RETRY_LIMITS, ...Object.fromEntries(given) };
  }

  /** Highest revision that an answer reflected; null before the first. */
  get revision(): number | null {
    return this.#revision;
  }

  /** Reads from now on reflect at least this revision. */
  reached(revision: number): void {
    if (this.#revision === null || revision > this.#revision) this.#revision = revision;
  }

  /** The organization has fewer events than seen, as after a restore of a backup. */
  forgetRevision(): void {
    this.#revision = null;
  }

  /**
   * The answer with what `read` takes from it, after retries.
   *
   * @throws DriveError; ConnectionError; the reason of the signal
   */
  send<T>(request: WireRequest, read: (response: Response) => T | Promise<T>): Promise<T> {
    return withRetries(
      async () => {
        const response = await this.once(request);
        try {
          return await read(response);
        } catch (cause) {
          request.signal?.throwIfAborted();
          throw new ConnectionError('The connection was lost within the answer', null, { cause });
        }
      },
      request.is_repeatable,
      this.retry,
      request.signal,
    );
  }

  /** The answer to one attempt. @throws DriveError; ConnectionError; the reason of the signal */
  async once(request: WireRequest): Promise<Response> {
    const { method, path, headers, body, signal } = request;
    const token = await this.#token();
    let response: Response;
    try {
      response = await this.#fetch(this.#base + path, {
        method,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ConnectionError(`The service cannot be reached: ${messageOf(cause)}`, null, {
        cause,
      });
    }
    if (!response.ok) throw await this.#errorOf(response, signal);
    const revision = revisionOf(response);
    if (revision !== null && !path.includes('as_of=')) this.reached(revision);
    return response;
  }

  async #errorOf(response: Response, signal: AbortSignal | undefined): Promise<Error> {
    try {
      return await errorOf(response);
    } catch (cause) {
      signal?.throwIfAborted();
      return new ConnectionError('The connection was lost within the answer', null, { cause });
    }
  }

  async #token(): Promise<string | undefined> {
    return typeof this.#credential === 'function' ? await this.#credential() : this.#credential;
  }
}

export function revisionOf({ headers }: Response): number | null {
  const text = headers.get('drive-revision');
  return text === null ? null : Number(text);
}

function messageOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error && cause.message) return cause.message;
  return error instanceof Error ? error.message : String(error);
}
