import { eventSchema } from '../../domain/drive/events.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventWithMetadata, FoldableEvent, NewEvent } from '../../event-store/port.js';
import { type IndexedEvent, indexText, IndexText } from '../../event-store/event-index.js';
import type { EventIndex, IndexPosition } from '../../event-store/stores.js';
import { decodeData } from '../keys/codec.js';
import type { StreamSource } from '../fold/fold.js';

/** Size from which on a chunk is complete, bytes: events may name many records. */
const MOST_CHUNK_BYTES = 8 * 1024 * 1024;
/** Maximum chunks being written to the index; beyond it the fold waits. */
const MOST_UNDER_WAY = 2;

/** The part of an event index that adds events. */
export type AppendedIndex = Pick<EventIndex, 'append' | 'append_events'>;

/** An event with the records it changed, waiting to be indexed. */
export interface Waiting {
  readonly event: Pick<NewEvent, 'type' | 'data' | 'metadata' | 'hash'> & {
    readonly revision: number;
  };
  readonly resource_ids: readonly string[];
}

/** Adds events to an index and advances its position to the last of them. */
export async function takeIn(
  index: EventIndex,
  index_id: string,
  chunk: readonly Waiting[],
): Promise<IndexPosition> {
  const { revision, hash } = chunk.at(-1)!.event;
  const position = { revision, event_hash: hash };
  const events = chunk.map(({ event, resource_ids }) => indexedEvent(event, resource_ids));
  await index.append(index_id, indexText(events), position);
  return position;
}

/**
 * Feeds an index with the events of a fold. The index writes one chunk while the next ones are folded. If writing
 * fails, the fold continues, and `end` reports the failure.
 */
export class IndexFeed {
  private readonly chunk = new IndexText();
  private chunk_events = 0;
  private last_noted: FoldableEvent | undefined;
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
    this.last = begun.catch((error: unknown) => this.fail(error));
  }

  /** Number of events that it takes at a time. */
  get append_events(): number {
    return this.index.append_events;
  }

  /** The event source for the fold, which reads events with their metadata. */
  source(events: StreamSource): StreamSource {
    return {
      readStream: (...asked) => events.readStream(...asked),
      readFoldable: (stream, from, limit) => events.readStream(stream, from, 'forward', limit),
      readPrepared: async (stream, from, limit, parts) =>
        (await events.readPrepared?.(stream, from, limit, { ...parts, metadata: true })) ?? null,
    };
  }

  /** Like `source`, but throttled to the speed of the index: for long folds. */
  pacedSource(events: StreamSource): StreamSource {
    const source = this.source(events);
    return {
      ...source,
      readPrepared: async (...asked) => {
        // Every page is first asked for here.
        while (this.under_way.length >= MOST_UNDER_WAY) await this.under_way[0];
        return source.readPrepared!(...asked);
      },
    };
  }

  /** Adds an event of the fold, as read from the source, with the records it changed. */
  note(keys: readonly TouchedKey[], event: FoldableEvent): void {
    if (this.failed) return;
    const ids = keys.map(({ id }) => id);
    this.chunk.add(indexedEvent(event as EventWithMetadata, ids));
    this.last_noted = event;
    this.chunk_events += 1;
    const is_full = this.chunk_events === this.index.append_events;
    if (is_full || this.chunk.length >= MOST_CHUNK_BYTES) this.send();
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
    if (this.chunk_events > 0) this.send();
    await this.last;
    this.check();
    return this.position;
  }

  private send(): void {
    const { revision, hash } = this.last_noted!;
    const taken = this.take(this.chunk.take(), { revision, event_hash: hash });
    this.chunk_events = 0;
    this.under_way.push(taken.then(() => void this.under_way.shift()));
  }

  private fail(error: unknown): void {
    this.failed = { error };
    this.chunk.take();
    this.chunk_events = 0;
  }
}

function indexedEvent(
  event: Pick<EventWithMetadata, 'revision' | 'type' | 'data' | 'metadata'>,
  resource_ids: readonly string[],
): IndexedEvent {
  const { revision, type, metadata } = event;
  const { about } = eventSchema(type) ?? {};
  const named = about && (decodeData(event.data) as Record<string, unknown>)[about];
  const ids = typeof named === 'string' ? [...resource_ids, named] : resource_ids;
  return { revision, type, metadata, resource_ids: ids };
}
