import {
  AccessDeniedError,
  END,
  type KurrentDBClient,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';

import type { CommitSignal } from '../subscription.js';
import { Backoff } from './cluster/backoff.js';
import { METADATA_PREFIXES, PREFIXES } from './reader.js';

/** Interval at which the subscription's node is doubted, ms. */
const DOUBT_EVERY_MS = 1_000;

/** Listener for notifications of the subscription beside positions. */
export interface LiveListener {
  /** The subscription has begun, possibly again: earlier events were not announced. */
  confirmed(): void;
  /** Any event of the prefixes; with the stream that it deletes or whose metadata it changes, if any. */
  passed(position: number, changed_stream: string | null): void;
}

/**
 * The process's only `$all` subscription. It delivers no events (the client parses them, which loses the stored
 * bytes), but only announces them; followers read them from their own position. Checkpoints and restarts therefore do
 * not affect them.
 */
export class LiveSignal {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private listening = 0;
  private latest = -1;
  private readonly listeners = new Set<LiveListener>();

  constructor(
    private readonly client: KurrentDBClient,
    private readonly committed: CommitSignal,
    /** Called regularly: a subscription to a frozen node looks like one without new events. */
    private readonly doubt: () => void = () => {},
  ) {}

  /**
   * Increases whenever events may have been missed. A follower that has read to the end since, and up to
   * `last_position`, has missed none.
   */
  get epoch(): number {
    return this.listening;
  }

  /** Highest announced position; -1 for none. */
  get last_position(): number {
    return this.latest;
  }

  /** Starts listening; idempotent. */
  start(): void {
    this.running ??= this.keepListening(this.stopping.signal);
  }

  /** Notifies the listener from the next confirmation on, until the returned function is called. */
  tell(listener: LiveListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  announce(position: number): void {
    if (position <= this.latest) return;
    this.latest = position;
    this.committed.raise();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async keepListening(stopping: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!stopping.aborted) {
      await this.listen(stopping, backoff);
      await backoff.wait(stopping);
    }
  }

  /** Listens until the subscription ends, for any reason. */
  private listen(stopping: AbortSignal, backoff: Backoff): Promise<void> {
    return new Promise((resolve) => {
      const filter = streamNameFilter({ prefixes: [...PREFIXES, ...METADATA_PREFIXES] });
      const subscription = this.client.subscribeToAll({
        fromPosition: END,
        filter,
        requiresLeader: true,
      });
      const doubting = setInterval(this.doubt, DOUBT_EVERY_MS).unref();
      const end = (): void => {
        clearInterval(doubting);
        stopping.removeEventListener('abort', end);
        subscription.unsubscribe().catch(() => {});
        resolve();
      };
      stopping.addEventListener('abort', end);
      subscription
        .on('confirmation', () => {
          backoff.reset();
          this.listening += 1;
          this.committed.raise();
          for (const listener of this.listeners) listener.confirmed();
        })
        .on('data', ({ event }) => {
          if (!event) return;
          const { streamId: stream, type } = event;
          const position = Number(event.position.commit);
          const changed = changedBy(stream, type);
          for (const listener of this.listeners) listener.passed(position, changed);
          // Followers of streams never read metadata events and would search for them in vain.
          if (!stream.startsWith(METADATA)) this.announce(position);
        })
        .on('error', (error: unknown) => {
          // Other calls report an unreachable server. If permission is missing, followers learn it by reading.
          if (error instanceof AccessDeniedError) {
            this.listening += 1;
            this.committed.raise();
          }
          end();
        })
        .on('end', end)
        .on('close', end);
    });
  }
}

const METADATA = '$$';

/** The stream that an event deletes permanently, or whose metadata it changes; null for other events. */
function changedBy(stream: string, type: string): string | null {
  if (stream.startsWith(METADATA)) return stream.slice(METADATA.length);
  return type === '$streamDeleted' ? stream : null;
}
