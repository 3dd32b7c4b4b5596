import { eventSchema } from '../../domain/drive/events.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { FoldableEvent, NewEvent, StoredEvent } from '../../event-store/port.js';
import type { EventIndex, IndexedEvent, IndexPosition } from '../../event-store/stores.js';
import { decodeData } from '../keys/codec.js';
import type { StreamSource } from '../fold/fold.js';

/** Events taken in at one time: as few as fill a block of the index in files. */
const CHUNK = 1024;
/** Chunks that may be on their way into the index; a fold waits before there are more. */
const MOST_UNDER_WAY = 2;

/** An event with the records it changed, on its way into the index. */
export interface Waiting {
  readonly event: Pick<NewEvent, 'type' | 'data' | 'metadata' | 'hash'> & {
    readonly revision: number;
  };
  readonly resource_ids: readonly string[];
}

/** Takes events into an index, and its position to the last of them. */
export async function takeIn(
  index: EventIndex,
  index_id: string,
  chunk: readonly Waiting[],
): Promise<IndexPosition> {
  const { revision, hash } = chunk.at(-1)!.event;
  const position = { revision, event_hash: hash };
  const events = chunk.map(({ event, resource_ids }) => indexed(event, resource_ids));
  await index.append(index_id, events, position);
  return position;
}

/**
 * Feeds an index with the events of a fold. The index takes one chunk in while the next ones are folded.
 * Should it fail, the fold goes on, for whatever else it is wanted: `end` tells.
 */
export class IndexFeed {
  /** Without the events themselves: what many hold on to for long costs the garbage collector dear. */
  private chunk: IndexedEvent[] = [];
  private noted: IndexPosition | null = null;
  private readonly under_way: Promise<void>[] = [];
  private last: Promise<void>;
  private failed: { readonly error: unknown } | null = null;

  /**
   * @param position where the index stands; the fold's first event is the one after it
   * @param begun resolves when the index may be written to
   */
  constructor(
    private readonly index: EventIndex,
    private readonly index_id: string,
    private position: IndexPosition | null,
    begun: Promise<void> = Promise.resolve(),
  ) {
    this.last = begun.catch((error: unknown) => this.fail(error));
  }

  /** The store for the fold: its events are read whole. */
  source(events: StreamSource): StreamSource {
    return {
      readStream: (...asked) => events.readStream(...asked),
      readFoldable: (stream, from, limit) => events.readStream(stream, from, 'forward', limit),
    };
  }

  /** As `source`, and events come no faster than the index takes them in: for long folds. */
  pacedSource(events: StreamSource): StreamSource {
    const { readStream, readFoldable } = this.source(events);
    return {
      readStream,
      readFoldable: async (...asked) => {
        while (this.under_way.length >= MOST_UNDER_WAY) await this.under_way[0];
        return readFoldable(...asked);
      },
    };
  }

  /** Takes an event of the fold, as it was read from the source, with the records it changed. */
  note(keys: readonly TouchedKey[], event: FoldableEvent): void {
    if (this.failed) return;
    // The sources read whole events.
    const ids = keys.map(({ id }) => id);
    this.chunk.push(indexed(event as StoredEvent, ids));
    this.noted = { revision: event.revision, event_hash: event.hash };
    if (this.chunk.length === CHUNK) this.send();
  }

  /** Throws what the index has failed with. */
  check(): void {
    if (this.failed) throw this.failed.error;
  }

  /** Resolves with the index's position once it holds all events noted, rejects with its failure. */
  async end(): Promise<IndexPosition | null> {
    if (this.chunk.length > 0) this.send();
    await this.last;
    this.check();
    return this.position;
  }

  private send(): void {
    const { chunk } = this;
    const noted = this.noted!;
    this.chunk = [];
    const sent = (this.last = this.last.then(async () => {
      try {
        if (!this.failed) {
          await this.index.append(this.index_id, chunk, noted);
          this.position = noted;
        }
      } catch (error) {
        this.fail(error);
      }
      void this.under_way.shift();
    }));
    this.under_way.push(sent);
  }

  private fail(error: unknown): void {
    this.failed = { error };
    this.chunk = [];
  }
}

function indexed(event: Waiting['event'], resource_ids: readonly string[]): IndexedEvent {
  const { revision, type, metadata } = event;
  const { about } = eventSchema(type) ?? {};
  const named = about && (decodeData(event.data) as Record<string, unknown>)[about];
  const ids = typeof named === 'string' ? [...resource_ids, named] : resource_ids;
  return { revision, type, metadata, resource_ids: ids };
}
