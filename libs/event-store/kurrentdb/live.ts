import {
  AccessDeniedError,
  END,
  type KurrentDBClient,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';

import type { CommitSignal } from '../subscription.js';
import { Backoff } from './cluster/backoff.js';
import { METADATA_PREFIXES, PREFIXES } from './reader.js';

/** How often the node of the subscription is doubted, ms. */
const DOUBT_EVERY_MS = 1_000;

/** Is told what the subscription shows beside positions. */
export interface LiveListener {
  /** The subscription begins, anew perhaps: what came before was not shown. */
  confirmed(): void;
  /** Any event of the prefixes; with the stream that it deletes or whose metadata it changes, if it does. */
  passed(position: number, changed_stream: string | null): void;
}

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
  private readonly listeners = new Set<LiveListener>();

  constructor(
    private readonly client: KurrentDBClient,
    private readonly committed: CommitSignal,
    /** Called now and then: a subscription to a frozen node looks like one without news. */
    private readonly doubt: () => void = () => {},
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

  /** Tells the listener from the next confirmation on, until the returned function is called. */
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

  /** Listens until the subscription ends, for whatever reason. */
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
          // Who follows the streams is never shown metadata, and would look for it in vain.
          if (!stream.startsWith(METADATA)) this.announce(position);
        })
        .on('error', (error: unknown) => {
          // Not there is told by whatever else is asked. If it is not allowed, those who follow read, and learn it.
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

/** The stream that an event deletes for good, or whose metadata it changes; null for any other event. */
function changedBy(stream: string, type: string): string | null {
  if (stream.startsWith(METADATA)) return stream.slice(METADATA.length);
  return type === '$streamDeleted' ? stream : null;
}
