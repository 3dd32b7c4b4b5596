import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventWithMetadata, FoldableEvent } from '../../event-store/port.js';
import type { EventIndex, IndexPosition } from '../../event-store/stores.js';
import type { StreamSource } from '../fold/fold.js';
import { IndexChunk } from './index-chunk.js';

/** Maximum chunks being written to the index; beyond it the fold waits. */
const MOST_UNDER_WAY = 2;

/** The part of an event index that adds events. */
export type AppendedIndex = Pick<EventIndex, 'append' | 'append_events' | 'losses'>;

/**
 * Feeds an index with the events of a fold. The index writes one chunk while the next ones are folded. If writing
 * fails, the fold continues, and `end` reports the failure.
 */
export class IndexFeed {
  /** `EventIndex.losses` when the feed began: what it has added is there as long as this is the same. */
  readonly losses: number | undefined;
  private readonly chunk: IndexChunk;
  private readonly under_way: Promise<void>[] = [];
  private last: Promise<void>;
  private failed: { readonly error: unknown } | null = null;

  /**
   * @param position position of the index; the fold's first event is the next one
   * @param begun resolves when the index may be written
   */
  constructor(
    private readonly index: AppendedIndex,
    private readonly index_id: string,
    private position: IndexPosition | null,
    begun: Promise<void> = Promise.resolve(),
  ) {
    this.losses = index.losses;
    this.chunk = new IndexChunk(index.append_events);
    this.last = begun.catch((error: unknown) => this.fail(error));
  }

  /** Number of events that it takes at a time. */
  get append_events(): number {
    return this.index.append_events;
  }

  /** The event source for the fold, which reads events with their metadata, throttled to the speed of the index. */
  source(events: StreamSource): StreamSource {
    return {
      readStream: (...asked) => events.readStream(...asked),
      readFoldable: (stream, from, limit) => events.readStream(stream, from, 'forward', limit),
      readPrepared: async (stream, from, limit, parts) => {
        // Every page is first asked for here.
        await this.paced();
        const wanted = { ...parts, metadata: true };
        return (await events.readPrepared?.(stream, from, limit, wanted)) ?? null;
      },
    };
  }

  /** Resolves when the index keeps up with the fold. */
  async paced(): Promise<void> {
    while (this.under_way.length >= MOST_UNDER_WAY) await this.under_way[0];
  }

  /** Adds an event of the fold, as read from the source, with the records it changed. */
  note(keys: readonly TouchedKey[], event: FoldableEvent): void {
    if (this.failed) return;
    this.chunk.add(event as EventWithMetadata, keys);
    if (this.chunk.is_complete) this.send();
  }

  /** Adds a chunk of noted events, also of another fold; resolves once it is written, or the index has failed. */
  take(text: Uint8Array, noted: IndexPosition): Promise<void> {
    return (this.last = this.last.then(async () => {
      try {
        if (!this.failed) {
          await this.index.append(this.index_id, text, noted);
          this.position = noted;
        }
      } catch (error) {
        this.fail(error);
      }
    }));
  }

  /** Throws the failure of the index, if any. */
  check(): void {
    if (this.failed) throw this.failed.error;
  }

  /** Resolves with the index's position once it holds all events; rejects if it has failed. */
  async end(): Promise<IndexPosition | null> {
    this.send();
    await this.last;
    this.check();
    return this.position;
  }

  private send(): void {
    const noted = this.chunk.take();
    if (!noted) return;
    const taken = this.take(noted.text, noted.position);
    this.under_way.push(taken.then(() => void this.under_way.shift()));
  }

  private fail(error: unknown): void {
    this.failed = { error };
    this.chunk.clear();
  }
}
