import { EventMissing, type EventStore } from '../../event-store/port.js';
import type { IndexPosition, Snapshot } from '../../event-store/stores.js';
import { emptyState, foldOnto, streamOf } from '../fold/fold.js';
import type { StateLoader } from '../fold/loader.js';
import { snapshotOf } from '../snapshots/snapshot-maker.js';
import { type AppendedIndex, IndexFeed } from './index-feed.js';

/** Stored events to add to an index. */
export interface IndexSpan {
  readonly drive_id: string;
  readonly index_id: string;
  /** Position of the index; null for an empty one. */
  readonly from: IndexPosition | null;
  /** Last revision to add. */
  readonly to: number;
}

/** Adds stored events to an index, in this thread or in another one. */
export interface IndexFolder {
  /**
   * @returns the new position of the index
   * @throws the reason of the signal, and errors of the stores; the index then ends with an earlier event
   */
  index(span: IndexSpan, index: AppendedIndex, signal: AbortSignal): Promise<IndexPosition | null>;
}

/** Folds in the thread that calls it: folding determines the records that each event changed. */
export class FoldingIndexer implements IndexFolder {
  constructor(
    private readonly events: EventStore,
    private readonly loader: StateLoader,
  ) {}

  async index(
    { drive_id, index_id, from, to }: IndexSpan,
    index: AppendedIndex,
    signal: AbortSignal,
  ): Promise<IndexPosition | null> {
    const { folded } = await this.loader.load(drive_id, { to: from?.revision ?? -1 });
    const feed = new IndexFeed(index, index_id, from);
    try {
      await foldOnto(folded, feed.source(this.events), {
        to,
        coming: () => {
          signal.throwIfAborted();
          feed.check();
        },
        touched: (keys, event) => feed.note(keys, event),
      });
    } finally {
      // No write may be in progress on an index that others continue.
      await feed.end().catch(() => null);
    }
    const next = folded.state.revision + 1;
    if (next <= to) throw new EventMissing(streamOf(drive_id), next);
    return feed.end();
  }
}

/** `FarFolder.refold` in the thread that calls it. @throws BrokenStream, TooLarge, Abandoned */
export async function refolded(
  events: EventStore,
  drive_id: string,
  to: number,
  index: AppendedIndex | null,
): Promise<Snapshot | null> {
  const folded = emptyState(drive_id);
  const feed = index && new IndexFeed(index, drive_id, null);
  const { last_event } = await foldOnto(folded, feed?.source(events) ?? events, {
    to,
    touched: (keys, event) => feed?.note(keys, event),
  });
  await feed?.end();
  return snapshotOf(folded, last_event);
}
