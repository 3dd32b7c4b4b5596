import { ConnectionError, type DriveError, isDriveError } from './errors.js';
import { type Message, messagesOf } from './event-stream.js';
import type { components } from './generated/api.js';
import { backoff, isTransient, type RetryLimits, sleep, waitBefore } from './retry.js';
import { revisionOf, type Transport } from './transport.js';

/** An event as the live feed shows it. */
export type FeedEvent = components['schemas']['EventRecord'] & {
  /** Fields of the event; secrets are `"***"`. */
  readonly data: Record<string, unknown>;
};

export interface FeedOptions {
  /** The last revision already received, -1: none. Default: new events only. */
  readonly from?: number;
  /** Ends the feed; the iterator then throws the reason. */
  readonly signal?: AbortSignal;
  /** Called when the feed is connected, and when the connection was lost and will be resumed. */
  readonly on_state?: (state: 'connected' | 'lost', error?: unknown) => void;
  /** The connection counts as lost after this time without any bytes. Default: 45,000; a heartbeat comes every 15 s. */
  readonly idle_ms?: number;
}

const IDLE_MS = 45_000;

/** A connection that lasts longer than between two heartbeats has worked. */
const LIVELY_MS = 16_000;

/**
 * The events of an organization as they are stored, each once and in order. A lost connection is resumed after the
 * last event received, without limit; only the first connection is given up as other requests are. Waits grow until a
 * connection brings an event or lasts for `max_wait_ms`.
 *
 * @throws DriveError if the caller may not listen, or may no longer; with type `feed.beyond-last-event` if the
 *   organization has lost events, as after a restore of a backup: read again, and start a feed without `from`;
 *   ConnectionError; the reason of the signal; what a function given as `api_key` throws
 */
export async function* feedOf(
  transport: Transport,
  path: string,
  options: FeedOptions,
): AsyncGenerator<FeedEvent, void> {
  const { signal, on_state } = options;
  let last = options.from;
  let was_connected = false;
  const { retry } = transport;
  for (let nth = 1; ; nth++) {
    let lost: DriveError | ConnectionError | undefined;
    const connection = new Connection(transport, path, options.idle_ms ?? IDLE_MS, signal);
    try {
      const response = await connection.open(last);
      // A feed of new events begins after this one, also if it is lost before the first.
      last ??= revisionOf(response) ?? undefined;
      was_connected = true;
      on_state?.('connected');
      for await (const { id, data } of connection.messages(response)) {
        nth = 1;
        last = Number(id);
        transport.reached(last);
        yield JSON.parse(data) as FeedEvent;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // Else all further reads would demand a revision that no longer exists.
      if (isDriveError(error, 'feed.beyond-last-event')) transport.forgetRevision();
      if (!isTransient(error, true)) throw error;
      const is_given_up = nth >= retry.attempts || waitBefore(error, nth, true, retry) === null;
      if (!was_connected && is_given_up) throw error;
      lost = error;
    } finally {
      connection.close();
    }
    on_state?.('lost', lost);
    if (connection.hasLasted(Math.min(retry.max_wait_ms, LIVELY_MS))) nth = 1;
    await sleep(waitAfter(lost, nth, retry), signal);
  }
}

/** Milliseconds before a feed is resumed. It waits as long as it is asked to. */
function waitAfter(
  lost: DriveError | ConnectionError | undefined,
  nth: number,
  limits: RetryLimits,
): number {
  if (!lost) return backoff(nth, limits);
  return waitBefore(lost, nth, true, limits) ?? lost.retry_after_s! * 1000;
}

/** One connection of a feed. */
class Connection {
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #opened_at = Infinity;

  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly idle_ms: number,
    signal: AbortSignal | undefined,
  ) {
    this.#signal = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }

  open(last: number | undefined): Promise<Response> {
    this.#heard();
    return this.transport.once({
      method: 'GET',
      path: this.path,
      headers: {
        accept: 'text/event-stream',
        ...(last !== undefined && { 'last-event-id': String(last) }),
      },
      signal: this.#signal,
      is_repeatable: true,
    });
  }

  /** True if it was open for so long, or is. */
  hasLasted(ms: number): boolean {
    return performance.now() - this.#opened_at >= ms;
  }

  async *messages(response: Response): AsyncGenerator<Message, void> {
    this.#opened_at = performance.now();
    try {
      yield* messagesOf(response, () => this.#heard());
    } catch (cause) {
      if (cause instanceof ConnectionError) throw cause;
      throw new ConnectionError('The connection of the feed was lost', null, { cause });
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
  }

  /** Starts the wait for the next bytes. */
  #heard(): void {
    clearTimeout(this.#timer);
    const error = new ConnectionError(`Nothing was received for ${this.idle_ms} ms`, null);
    this.#timer = setTimeout(() => this.#closing.abort(error), this.idle_ms);
  }
}
