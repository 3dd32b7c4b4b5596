import type { EventStore, StoredEvent, Subscription } from '../../event-store/port.js';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/**
 * The process's only subscription to the events of all streams. If it ends, it is reopened with increasing pauses
 * after the last handled page: nothing is skipped.
 */
export class LogSubscription {
  private subscription: Subscription | null = null;
  private timer: NodeJS.Timeout | undefined;
  private retry_ms = FIRST_RETRY_MS;
  private stopping = false;
  private seen = -1;

  constructor(
    private readonly events: EventStore,
    /** Called for every page, with the position before it. */
    private readonly handle: (
      events: readonly StoredEvent[],
      after: number,
    ) => void | Promise<void>,
    /** Called for every failure; all are retried. */
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Subscribes from now on. */
  async start(): Promise<void> {
    this.seen = await this.events.lastPosition();
    this.open();
  }

  /** Position up to which all events have been handled. */
  get handled(): number {
    return this.seen;
  }

  /** Resolves when the handler has ended and will not be called again. */
  async close(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.subscription?.stop();
  }

  private open(): void {
    if (this.stopping) return;
    const onPage = async (events: readonly StoredEvent[]): Promise<void> => {
      await this.handle(events, this.seen);
      this.seen = events.at(-1)!.position;
      this.retry_ms = FIRST_RETRY_MS;
    };
    try {
      this.subscription = this.events.subscribeAll(this.seen, onPage, (error) =>
        this.reopen(error),
      );
    } catch (error) {
      this.reopen(error);
    }
  }

  private reopen(error: unknown): void {
    this.subscription = null;
    if (this.stopping) return;
    this.failed(error);
    this.timer = setTimeout(() => this.open(), this.retry_ms);
    this.timer.unref();
    this.retry_ms = Math.min(2 * this.retry_ms, LONGEST_RETRY_MS);
  }
}
