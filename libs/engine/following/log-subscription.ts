import type { EventStore, StoredEvent, Subscription } from '../../event-store/port.js';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/**
 * The one subscription of a process to the events of all streams. Should it end, it is opened again, ever
 * more slowly, behind the last page that was handled: nothing is skipped.
 */
export class LogSubscription {
  private subscription: Subscription | null = null;
  private timer: NodeJS.Timeout | undefined;
  private retry_ms = FIRST_RETRY_MS;
  private stopping = false;
  private seen = -1;

  constructor(
    private readonly events: EventStore,
    /** Told of every page, and of the position that it follows. */
    private readonly handle: (
      events: readonly StoredEvent[],
      after: number,
    ) => void | Promise<void>,
    /** Told of every failure; all of them are tried again. */
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Follows what is appended from now on, or behind a position. */
  async start(after?: number): Promise<void> {
    this.seen = after ?? (await this.events.lastPosition());
    this.open();
  }

  /** Position behind which everything has been handled. */
  get handled(): number {
    return this.seen;
  }

  /** Resolves when the handler runs no more and will not be called again. */
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
