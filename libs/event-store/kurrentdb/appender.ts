import {
  AccessDeniedError,
  ANY,
  type AppendResult,
  ErrorType,
  isCommandError,
  type EventData,
  type KurrentDBClient,
  MaxAppendSizeExceededError,
  NO_STREAM as NOT_YET,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';
import { AppendOutcomeUnknown, AppendTooLarge, NO_STREAM, StreamDeleted } from '../port.js';
import { NoAnswer, within } from './cluster/deadline.js';
import { connected } from './cluster/handled-promises.js';
import { Refusals } from './cluster/refusals.js';
import { DOUBT_MS, withDoubt } from './cluster/serving-node.js';
import { exact, isPosition } from './stored-form.js';

/**
 * Maximum appends in flight. The client uses one HTTP/2 stream with a buffer of 16 messages; further ones would wait
 * in a queue of the client whose entries end the process as unhandled rejections if the connection breaks.
 */
const IN_FLIGHT = 15;

/** By then the client has detected a dead connection (20 s), and an unanswered append is no longer buffered. */
const LONGEST_IN_FLIGHT_MS = 30_000;

/** How long appends look for a server after an earlier one found none, ms: callers are refused at once and retry. */
const LOOK_AGAIN_MS = 200;

/** Maximum wait for the answer to an empty append, ms: during an election no node answers it. */
const CHECK_MS = 2_000;

/** Refusals before the server writes. After any other error the append may be stored. */
const REFUSALS: readonly string[] = [ErrorType.INVALID_ARGUMENT];
const DELETED: readonly string[] = [ErrorType.STREAM_DELETED, ErrorType.STREAM_TOMBSTONED];

export type Answer =
  | {
      readonly is_taken: true;
      readonly last_revision: number;
      /** null if the server sent none. */
      readonly last_position: number | null;
    }
  | {
      /** The stream does not end at the expected revision. */
      readonly is_taken: false;
      readonly actual_revision: number;
    };

/** Sends appends, and distinguishes refusals from unknown outcomes. */
export class Appender {
  /** True since an append found no server. */
  private is_away = false;
  private readonly slots = new Slots(IN_FLIGHT, LONGEST_IN_FLIGHT_MS);

  constructor(
    private readonly client: KurrentDBClient,
    private readonly deadline_ms: number,
    private readonly doubt: () => void = () => {},
    private readonly refusals: Refusals = new Refusals(),
  ) {}

  /**
   * @throws AppendTooLarge; StreamDeleted; StoreRefused; StoreUnreachable if no server was found, so nothing was
   *   sent; AppendOutcomeUnknown if the server fails, does not answer in time, or is not the leader (the append may
   *   have reached the new leader, which the client uses for the repetition); after any other error nothing is stored
   */
  async append(stream: string, expected_revision: number, events: EventData[]): Promise<Answer> {
    await this.reach(stream);
    const given_up = new AbortController();
    try {
      const sent = this.send(stream, expected_revision, events, given_up.signal);
      return taken(await withDoubt(within(sent, this.deadline_ms), this.doubt));
    } catch (error) {
      given_up.abort();
      if (error instanceof WrongExpectedVersionError) return notTaken(error);
      throw await this.failure(stream, error);
    }
  }

  /** Resolves if an append would be accepted; appends nothing. @throws as `append` does */
  async check(stream: string): Promise<void> {
    const deadline = Math.min(CHECK_MS, this.deadline_ms);
    await this.reach(stream, deadline);
    const options = { streamState: ANY, requiresLeader: true, deadline } as const;
    const asked = this.client.appendToStream(stream, [], options);
    try {
      await withDoubt(within(asked, deadline), this.doubt, Math.min(DOUBT_MS, deadline));
    } catch (error) {
      throw await this.failure(stream, error);
    }
  }

  /** Resolves when a server is reachable. @throws StoreUnreachable */
  private async reach(stream: string, most_ms = this.deadline_ms): Promise<void> {
    try {
      await within(connected(this.client), this.is_away ? LOOK_AGAIN_MS : most_ms);
      this.is_away = false;
    } catch (error) {
      this.is_away = true;
      if (isDenied(error)) throw await this.refusals.denied('append', error);
      throw await this.refusals.unavailable(`stream ${stream}: no server to append to`, error);
    }
  }

  private async failure(stream: string, error: unknown): Promise<Error> {
    return isDenied(error) ? this.refusals.denied('append', error) : failure(stream, error);
  }

  private async send(
    stream: string,
    expected_revision: number,
    events: EventData[],
    given_up: AbortSignal,
  ): Promise<AppendResult> {
    const release = await this.slots.take();
    try {
      if (given_up.aborted) throw new NoAnswer('the append waited too long to be sent');
      return await this.client.appendToStream(stream, events, {
        streamState: expected_revision === NO_STREAM ? NOT_YET : BigInt(expected_revision),
        requiresLeader: true,
        deadline: this.deadline_ms,
      });
    } finally {
      release();
    }
  }
}

function taken({ nextExpectedRevision, position }: AppendResult): Answer {
  const commit = position?.commit;
  return {
    is_taken: true,
    last_revision: exact(nextExpectedRevision),
    last_position: isPosition(commit) ? exact(commit) : null,
  };
}

function notTaken({ actualState }: WrongExpectedVersionError): Answer {
  const actual_revision = typeof actualState === 'bigint' ? exact(actualState) : NO_STREAM;
  return { is_taken: false, actual_revision };
}

function isDenied(error: unknown): boolean {
  return error instanceof AccessDeniedError;
}

function failure(stream: string, error: unknown): Error {
  const cause = { cause: error };
  if (error instanceof MaxAppendSizeExceededError)
    return new AppendTooLarge(
      `stream ${stream}: the server takes appends of at most ${error.maxAppendSize} bytes`,
      cause,
    );
  const type = error instanceof Error && isCommandError(error) ? error.type : '';
  if (DELETED.includes(type)) return new StreamDeleted(stream, cause);
  if (REFUSALS.includes(type))
    return new Error(`stream ${stream}: the server refuses an append: ${type}`, cause);
  return new AppendOutcomeUnknown(`stream ${stream}: no answer to an append`, cause);
}

/**
 * A fixed number of slots; callers wait in order for a free one. A slot that is not released in time is reclaimed.
 */
export class Slots {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly longest_ms: number,
  ) {}

  /** @returns releases the slot; idempotent */
  async take(): Promise<() => void> {
    if (this.taken >= this.most) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken += 1;
    let is_held = true;
    const release = (): void => {
      clearTimeout(timer);
      if (!is_held) return;
      is_held = false;
      const next = this.waiting.shift();
      // The slot passes to the next caller and stays occupied.
      if (next) next();
      else this.taken -= 1;
    };
    const timer = setTimeout(release, this.longest_ms).unref();
    return release;
  }
}
