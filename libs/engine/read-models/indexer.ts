import type { ProcessRole } from '../drives/role.js';
import type { EventStore } from '../../event-store/port.js';
import type { EventIndex, IndexPosition } from '../../event-store/stores.js';
import { type DecidedEvent, Unavailable } from '../writer/call.js';
import { FACTORY_ID, hasEvent } from '../fold/fold.js';
import { IndexChunk } from './index-chunk.js';
import { IndexFeed } from './index-feed.js';
import { IndexedEvents, type Recent } from './indexed-events.js';
import { FoldingIndexer, type IndexFolder } from './index-folder.js';
import type { StateLoader } from '../fold/loader.js';
import { unlessAbandoned, runForQuery } from '../tasks/long-query.js';

/** Maximum size of the pending events of a drive. */
const MOST_PENDING_BYTES = 16 * 1024 * 1024;
/** Events folded in this thread: another one must first start, perhaps, and load the state. */
const MOST_FOLDED_HERE = 2_000;
/** Pending events that a query reads in memory at most. */
const FEW_EVENTS = 100;
/** Delay before pending events are written, to batch them, ms. */
const FLUSH_MS = 1000;

/** The index of one drive in this process. */
interface Indexing {
  /** Durable events that are not in the index yet, up to the last known one. */
  readonly pending: IndexChunk;
  /** Undefined until the index has been read. */
  position?: IndexPosition | null;
  /** `EventIndex.losses` when the index was read: the position is that of an index that was not lost since. */
  losses?: number | undefined;
  /** Operations on the index of one drive run in sequence. */
  last: Promise<unknown>;
  /** Operations that have not ended. */
  open: number;
  /** The drive has left memory. */
  is_evicted: boolean;
}

/**
 * Writes the event index asynchronously behind the drives: durable events are queued and indexed shortly afterwards.
 */
export class Indexer {
  private readonly drives = new Map<string, Indexing>();
  private readonly timer: NodeJS.Timeout;
  private readonly stopping = new AbortController();
  private readonly here: IndexFolder;

  /** @param far folds long spans; in this thread unless given */
  constructor(
    private readonly events: EventStore,
    private readonly index: EventIndex,
    loader: StateLoader,
    private readonly role: ProcessRole,
    private readonly failed: (drive_id: string, error: unknown) => void,
    private readonly far?: IndexFolder,
  ) {
    this.here = new FoldingIndexer(events, loader);
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.timer.unref();
  }

  note(drive_id: string, events: readonly DecidedEvent[]): void {
    if (drive_id === FACTORY_ID || events.length === 0) return;
    const indexing = this.indexing(drive_id);
    const { pending } = indexing;
    const is_next = pending.last === undefined || pending.last + 1 === events[0]!.event.revision;
    // Events that are missing here, of other processes or too many to keep, are read from the store.
    if (!is_next || pending.bytes > MOST_PENDING_BYTES) pending.clear();
    for (const { event, touched } of events) pending.add(event, touched);
    if (pending.is_complete) void this.flushOne(drive_id, indexing);
  }

  /** The events of the drive up to a revision. Few pending ones are read in memory: writing them would take time. */
  async upTo(drive_id: string, revision: number): Promise<IndexedEvents> {
    const { losses } = this.index;
    const indexing = this.indexing(drive_id);
    const recent = this.recentOf(indexing, revision);
    if (!recent) await this.storedUpTo(drive_id, revision);
    return new IndexedEvents(drive_id, this.index, losses, revision, recent);
  }

  /** Resolves when the index holds every event of the drive up to a revision. */
  async storedUpTo(drive_id: string, revision: number): Promise<void> {
    const indexing = this.indexing(drive_id);
    await unlessAbandoned(this.inTurn(indexing, () => this.advance(drive_id, indexing, revision)));
  }

  /**
   * Begins to rebuild a drive's index beside the active one. A fold from event 0 feeds it; `switchTo` activates it.
   */
  begin(drive_id: string): IndexFeed {
    const building = buildingOf(drive_id);
    return new IndexFeed(this.index, building, null, this.index.drop(building));
  }

  /**
   * Activates a rebuilt index: resolves once it answers queries.
   * @throws Unavailable when the service stops, and errors of the stores or of the feed
   */
  async switchTo(drive_id: string, feed: IndexFeed): Promise<void> {
    const building = buildingOf(drive_id);
    const built = await feed.end();
    this.stopping.signal.throwIfAborted();
    const indexing = this.indexing(drive_id);
    await this.inTurn(indexing, async () => {
      const old = await this.positionOf(drive_id, indexing);
      const position = await this.fold(drive_id, building, built, old?.revision ?? -1);
      await this.index.replace(drive_id, building);
      const is_lost = this.index.losses !== feed.losses;
      indexing.position = is_lost ? undefined : position;
      if (is_lost) throw new Unavailable('store-failed');
    });
  }

  /** Abandons a rebuilt index; the next rebuild drops its leftovers. */
  async abandon(drive_id: string, feed: IndexFeed): Promise<void> {
    await feed
      .end()
      .then(() => this.index.drop(buildingOf(drive_id)))
      .catch(() => {});
  }

  /** Writes all pending events. Those that cannot be written are read from the store with the next event or query. */
  async flush(): Promise<void> {
    await Promise.all(
      [...this.drives].map(async ([drive_id, indexing]) => {
        await this.flushOne(drive_id, indexing);
        if (indexing.is_evicted) this.forget(drive_id);
      }),
    );
  }

  /** Writes all pending events, and stops. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort(new Unavailable('stopping'));
    await this.flush();
    await Promise.all([...this.drives.values()].map(({ last }) => last));
  }

  /** Removes the cached data of an evicted drive. */
  forget(drive_id: string): void {
    const indexing = this.drives.get(drive_id);
    if (!indexing) return;
    // With the flush of its last events.
    indexing.is_evicted = true;
    if (indexing.open === 0 && indexing.pending.last === undefined) this.drives.delete(drive_id);
  }

  private indexing(drive_id: string): Indexing {
    let indexing = this.drives.get(drive_id);
    if (!indexing) {
      const pending = new IndexChunk(this.index.append_events);
      indexing = { pending, last: Promise.resolve(), open: 0, is_evicted: false };
      this.drives.set(drive_id, indexing);
    }
    indexing.is_evicted = false;
    return indexing;
  }

  /** The events after those in the index, if they are few and known here. */
  private recentOf(indexing: Indexing, revision: number): Recent | undefined {
    const { pending, open } = indexing;
    const position = this.knownPosition(indexing);
    // The position is known while nothing is being written, here or by other processes.
    if (position === undefined || open > 0) return undefined;
    const stored_to = position?.revision ?? -1;
    if (stored_to >= revision) return { events: [], stored_to };
    const { first, last, length } = pending;
    const is_known = first !== undefined && first <= stored_to + 1 && last! >= revision;
    return is_known && length <= FEW_EVENTS ? { events: pending.events(), stored_to } : undefined;
  }

  private async flushOne(drive_id: string, indexing: Indexing): Promise<void> {
    const { last } = indexing.pending;
    if (last === undefined) return;
    try {
      await this.inTurn(indexing, () => this.advance(drive_id, indexing, last));
    } catch (error) {
      // The next start indexes events that are missing at shutdown.
      if (!this.stopping.signal.aborted) this.failed(drive_id, error);
    }
  }

  private inTurn<T>(indexing: Indexing, task: () => Promise<T>): Promise<T> {
    // Other callers wait for the index too, so it does not depend on this one.
    const done = runForQuery(undefined, () => indexing.last.then(task));
    indexing.open += 1;
    indexing.last = done.catch(() => {}).finally(() => (indexing.open -= 1));
    return done;
  }

  /** Advances the index to at least a revision, from pending events or else by folding. */
  private async advance(drive_id: string, indexing: Indexing, revision: number): Promise<void> {
    const { pending } = indexing;
    let position = await this.positionOf(drive_id, indexing);
    for (let next = nextOf(position); next <= revision; next = nextOf(position)) {
      const { first, last } = pending;
      if (first === undefined || last! < next) {
        pending.clear();
        position = await this.fold(drive_id, drive_id, position, revision);
      } else if (first > next) position = await this.fold(drive_id, drive_id, position, first - 1);
      else position = await this.append(drive_id, pending);
      indexing.position = position;
    }
  }

  /** Appends pending events. If that fails, they are read from the store the next time. */
  private async append(drive_id: string, pending: IndexChunk): Promise<IndexPosition> {
    const { text, position } = pending.take()!;
    await this.index.append(drive_id, text, position);
    return position;
  }

  /** The position of the index if it matches the stream; a mismatching index is dropped. */
  private async positionOf(drive_id: string, indexing: Indexing): Promise<IndexPosition | null> {
    const known = this.knownPosition(indexing);
    if (known !== undefined) return known;
    indexing.losses = this.index.losses;
    const position = await this.index.position(drive_id);
    const is_there = position === null || (await hasEvent(this.events, drive_id, position));
    if (!is_there) await this.index.drop(drive_id);
    return (indexing.position = is_there ? position : null);
  }

  private knownPosition({ position, losses }: Indexing): IndexPosition | null | undefined {
    return this.role.sole && losses === this.index.losses ? position : undefined;
  }

  private async fold(
    drive_id: string,
    index_id: string,
    from: IndexPosition | null,
    to: number,
  ): Promise<IndexPosition | null> {
    const events = to + 1 - nextOf(from);
    if (events <= 0) return from;
    const folder = (events > MOST_FOLDED_HERE && this.far) || this.here;
    const span = { drive_id, index_id, from, to };
    return folder.index(span, this.index, this.stopping.signal);
  }
}

function nextOf(position: IndexPosition | null): number {
  return (position?.revision ?? -1) + 1;
}

/** Suffix of a drive's id for its index in progress. Ids contain no blank. */
const BUILDING = 'building';

function buildingOf(drive_id: string): string {
  return `${drive_id} ${BUILDING}`;
}
