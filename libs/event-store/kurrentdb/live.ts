import {
  AccessDeniedError,
  END,
  type KurrentDBClient,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';

import type { Subscription } from '../port.js';
import type { CommitSignal } from '../subscription.js';
import { Backoff } from './cluster/deadline.js';
import { METADATA_PREFIXES, PREFIXES, type Reader } from './reader.js';
import { positionOf } from './stored-form.js';

/** Interval at which the subscription's node is doubted, ms. */
const DOUBT_EVERY_MS = 700;

/** Listener for notifications of the subscription beside positions. */
interface LiveListener {
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

/** Metadata changes per read, after the subscription was interrupted. */
const PAGE = 500;

/**
 * Reports streams whose metadata other programs changed or that they deleted. The live subscription shows each
 * change; after an interruption the missed changes are read once, from the last position shown.
 */
export class StreamWatch implements LiveListener, Subscription {
  private readonly stopping = new AbortController();
  private reading: Promise<void> = Promise.resolve();
  /** True once everything up to the last event shown has been processed. */
  private is_current = false;
  /** Counts confirmations: a read for an earlier one says nothing about the interruption before the next. */
  private confirmations = 0;
  private readonly stopTelling: () => void;

  /** @param seen position up to which changes are known */
  constructor(
    private readonly reader: Reader,
    live: LiveSignal,
    private readonly changed: (stream: string) => void,
    private seen: number,
  ) {
    this.stopTelling = live.tell(this);
    live.start();
  }

  confirmed(): void {
    this.is_current = false;
    const confirmation = (this.confirmations += 1);
    this.reading = this.reading.then(() => this.readOn(confirmation));
  }

  passed(position: number, changed_stream: string | null): void {
    if (this.is_current) this.seen = Math.max(this.seen, position);
    if (changed_stream !== null) this.changed(changed_stream);
  }

  /** A changed stream was found outside the subscription. */
  note(stream: string): void {
    this.changed(stream);
  }

  async stop(): Promise<void> {
    this.stopTelling();
    this.stopping.abort();
    await this.reading;
  }

  /** Reads the changes during an interruption. A tombstone is detected by the next read or append. */
  private async readOn(confirmation: number): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff();
    while (!signal.aborted && confirmation === this.confirmations) {
      try {
        const page = await this.reader.all(this.seen, PAGE, METADATA_PREFIXES);
        // A read begins at the position itself.
        const fresh = page.filter((raw) => positionOf(raw) > this.seen);
        for (const raw of fresh) {
          this.seen = positionOf(raw);
          this.changed(raw.streamId.slice('$$'.length));
        }
        if (page.length === PAGE && fresh.length > 0) continue;
        this.is_current = confirmation === this.confirmations;
        return;
      } catch {
        // Other calls report why the store cannot be read.
        await backoff.wait(signal);
      }
    }
  }
}
