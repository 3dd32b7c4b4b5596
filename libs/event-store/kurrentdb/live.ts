import {
  AccessDeniedError,
  END,
  type KurrentDBClient,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';

import type { CommitSignal } from '../subscription.js';
import { Backoff } from './backoff.js';
import { PREFIXES } from './reader.js';

/**
 * The one `$all` subscription of a process. It carries no events to anyone (the client parses them, and stored bytes
 * would be lost); it only says that there are some, and those who follow read them from where they stand. So
 * neither checkpoints nor restarts matter to what they are shown.
 */
export class LiveSignal {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private listening = 0;
  private latest = -1;

  constructor(
    private readonly client: KurrentDBClient,
    private readonly committed: CommitSignal,
  ) {}

  /**
   * Grows whenever events may have come without being announced. Whoever has read to the end since, and up to
   * `last_position`, has missed nothing.
   */
  get epoch(): number {
    return this.listening;
  }

  /** Highest position announced; -1 for none. */
  get last_position(): number {
    return this.latest;
  }

  /** Starts to listen; more than once makes no difference. */
  start(): void {
    this.running ??= this.keepListening(this.stopping.signal);
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

  /** Listens until the subscription ends, for whatever reason. */
  private listen(stopping: AbortSignal, backoff: Backoff): Promise<void> {
    return new Promise((resolve) => {
      const filter = streamNameFilter({ prefixes: PREFIXES });
      const subscription = this.client.subscribeToAll({
        fromPosition: END,
        filter,
        requiresLeader: true,
      });
      const end = (): void => {
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
        })
        .on('data', ({ event }) => {
          if (event) this.announce(Number(event.position.commit));
        })
        .on('error', (error: unknown) => {
          // Not there is told by whatever else is asked; not allowed only here.
          if (error instanceof AccessDeniedError)
            process.emitWarning('the event store denies its user a subscription to $all');
          end();
        })
        .on('end', end)
        .on('close', end);
    });
  }
}
