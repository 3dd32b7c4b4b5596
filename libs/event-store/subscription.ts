import type { StoredEvent, Subscription } from './port.js';

/** Events that a subscription reads and passes on at a time. */
const PAGE_EVENTS = 500;

/** Notifies waiting subscriptions of a store after a commit. */
export class CommitSignal {
  private waiting: (() => void)[] = [];
  private raised = 0;

  /** Changes with every {@link raise}; {@link after} compares with it. */
  get count(): number {
    return this.raised;
  }

  raise(): void {
    this.raised += 1;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves once the signal has been raised since `count`, at once if it already has. */
  after(count: number): Promise<void> {
    if (this.raised !== count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** The live subscriptions of one store in this process. */
export class Subscriptions {
  readonly committed = new CommitSignal();
  private readonly running = new Set<Subscription>();

  /**
   * Reads on from `after`, page by page, and waits for the commit signal at the end. Live events are read from the
   * store too, not from the append, so the store alone determines order, gaps and duplicates.
   * @param read is aborted by `stopping`
   */
  start(
    read: (after: number, limit: number, stopping: AbortSignal) => Promise<readonly StoredEvent[]>,
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed: ((error: unknown) => void) | undefined,
  ): Subscription {
    const { committed } = this;
    const stopping = new AbortController();
    const { signal } = stopping;
    const pump = async (): Promise<void> => {
      let seen = after;
      while (!signal.aborted) {
        // Taken before the read, so that a commit during the read is not missed.
        const count = committed.count;
        const events = await read(seen, PAGE_EVENTS, signal);
        if (signal.aborted) return;
        if (events.length === 0) {
          await committed.after(count);
          continue;
        }
        await handle(events);
        seen = events.at(-1)!.position;
        // Embedded reads never wait for I/O; without this a long catch-up would starve the process.
        await new Promise(setImmediate);
      }
    };
    const done = pump()
      .catch(failed ?? warn)
      .catch(warn)
      .finally(() => this.running.delete(subscription));
    const subscription: Subscription = {
      stop: () => {
        stopping.abort();
        committed.raise();
        return done;
      },
    };
    this.running.add(subscription);
    return subscription;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((subscription) => subscription.stop()));
  }
}

function warn(error: unknown): void {
  process.emitWarning(`an event subscription stopped: ${String(error)}`);
}
