import type { ProcessRole } from '../drives/role.js';
import type { EventStore } from '../../event-store/port.js';
import type { EventIndex, IndexPosition } from '../../event-store/stores.js';
import { type DecidedEvent, Unavailable } from '../writer/call.js';
import { FACTORY_ID, hasEvent } from '../fold/fold.js';
import { IndexFeed, takeIn, type Waiting } from './index-feed.js';
import { FoldingIndexer, type IndexFolder } from './index-folder.js';
import type { StateLoader } from '../fold/loader.js';
import { unlessAbandoned, runForQuery } from '../tasks/long-query.js';

/** Events indexed in one write. */
const CHUNK = 1000;
/** Maximum pending events of a drive; beyond it they are read from the store again. */
const MOST_WAITING = 20_000;
/** Events folded in this thread: another one must first start, perhaps, and load the state. */
const MOST_FOLDED_HERE = 2_000;
/** Delay before pending events are written, to batch them, ms. */
const FLUSH_MS = 1000;

/** The index of one drive in this process. */
interface Indexing {
  /** Pending events without a gap, up to the last known one. */
  waiting: Waiting[];
  /** Undefined until the index has been read. */
  position?: IndexPosition | null;
  /** Operations on the index of one drive run in sequence. */
  last: Promise<unknown>;
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

  /** Queues durable events. */
  note(drive_id: string, events: readonly DecidedEvent[]): void {
    if (drive_id === FACTORY_ID || events.length === 0) return;
    const indexing = this.indexing(drive_id);
    const { waiting } = indexing;
    const next = waiting.at(-1);
    // After a gap of events by other processes, the missing ones are read from the store.
    if (next && next.event.revision + 1 !== events[0]!.event.revision) waiting.length = 0;
    if (waiting.length > MOST_WAITING) waiting.length = 0;
    for (const { event, touched } of events)
      waiting.push({ event, resource_ids: touched.map(({ id }) => id) });
    if (waiting.length >= CHUNK) void this.flushOne(drive_id, indexing);
  }

  /** Resolves when the index holds every event of the drive up to a revision. */
  async upTo(drive_id: string, revision: number): Promise<void> {
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
      indexing.position = position;
    });
  }

  /** Abandons a rebuilt index; the next rebuild drops its leftovers. */
  async abandon(drive_id: string, feed: IndexFeed): Promise<void> {
    await feed
      .end()
      .then(() => this.index.drop(buildingOf(drive_id)))
      .catch(() => {});
  }

  /** Writes all pending events; failures are retried. */
  async flush(): Promise<void> {
    await Promise.all(
      [...this.drives].map(([drive_id, indexing]) => this.flushOne(drive_id, indexing)),
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
    if (indexing && indexing.waiting.length === 0) this.drives.delete(drive_id);
  }

  private indexing(drive_id: string): Indexing {
    let indexing = this.drives.get(drive_id);
    if (!indexing) this.drives.set(drive_id, (indexing = { waiting: [], last: Promise.resolve() }));
    return indexing;
  }

  private async flushOne(drive_id: string, indexing: Indexing): Promise<void> {
    const last = indexing.waiting.at(-1)?.event.revision;
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
    const done = runForQuery(undefined, () => indexing.last.then(task, task));
    indexing.last = done.catch(() => {});
    return done;
  }

  /** Advances the index to at least a revision, from pending events or else by folding. */
  private async advance(drive_id: string, indexing: Indexing, revision: number): Promise<void> {
    let position = await this.positionOf(drive_id, indexing);
    while ((position?.revision ?? -1) < revision) {
      const next = (position?.revision ?? -1) + 1;
      const { waiting } = indexing;
      const first = waiting[0]?.event.revision;
      if (first === undefined || first > next) {
        const to = first === undefined ? revision : Math.min(revision, first - 1);
        position = await this.fold(drive_id, drive_id, position, to);
      } else {
        const chunk = waiting.slice(next - first, next - first + CHUNK);
        position = chunk.length > 0 ? await takeIn(this.index, drive_id, chunk) : position;
        // While it was written, events may have been added, or a gap may have emptied the list.
        const at = indexing.waiting.findIndex(({ event }) => event.revision > position!.revision);
        indexing.waiting.splice(0, at < 0 ? indexing.waiting.length : at);
      }
      indexing.position = position;
    }
  }

  /** The position of the index if it matches the stream; a mismatching index is dropped. */
  private async positionOf(drive_id: string, indexing: Indexing): Promise<IndexPosition | null> {
    if (indexing.position !== undefined && this.role.sole) return indexing.position;
    const position = await this.index.position(drive_id);
    const is_there = position === null || (await hasEvent(this.events, drive_id, position));
    if (!is_there) await this.index.drop(drive_id);
    return (indexing.position = is_there ? position : null);
  }

  /** Indexes events from the store. */
  private async fold(
    drive_id: string,
    index_id: string,
    from: IndexPosition | null,
    to: number,
  ): Promise<IndexPosition | null> {
    const events = to - (from?.revision ?? -1);
    if (events <= 0) return from;
    const folder = (events > MOST_FOLDED_HERE && this.far) || this.here;
    const span = { drive_id, index_id, from, to };
    return folder.index(span, this.index, this.stopping.signal);
  }
}

/** Suffix of a drive's id for its index in progress. Ids contain no blank. */
const BUILDING = 'building';

function buildingOf(drive_id: string): string {
  return `${drive_id} ${BUILDING}`;
}
