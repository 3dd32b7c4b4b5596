import { currentQuery, type LongQuery, runForQuery, unlessAbandoned } from '../tasks/long-query.js';
import { Semaphore } from '../tasks/semaphore.js';

/** A load in progress, and the number of its callers. */
interface Load {
  readonly drive_id: string;
  readonly revision: number;
  readonly done: Promise<void>;
  waiting: number;
  readonly gone: AbortController;
}

/** Loads of states in progress; callers that need about the same state share one. */
export class SharedLoads {
  private readonly under_way = new Set<Load>();
  private readonly slots: Semaphore;

  /** @param most maximum parallel loads, and those of one drive */
  constructor(most: number, most_of_drive: number) {
    this.slots = new Semaphore(most, most_of_drive);
  }

  /**
   * Loads a state, or waits until one that is at most so many events away is loaded. A load ends when all its callers
   * have disconnected. @throws Abandoned, and errors of the load
   */
  async join(
    { drive_id, revision }: Pick<Load, 'drive_id' | 'revision'>,
    reach: number,
    load: (isWanted: () => boolean) => Promise<void>,
  ): Promise<void> {
    const mine = this.near(drive_id, revision, reach) ?? this.start(drive_id, revision, load);
    mine.waiting++;
    try {
      const is_same = mine.revision === revision;
      // A failure may concern events that this caller does not need.
      await unlessAbandoned(is_same ? mine.done : mine.done.catch(() => {}));
    } finally {
      if (--mine.waiting === 0) {
        this.under_way.delete(mine);
        mine.gone.abort();
      }
    }
  }

  /** Loads of a drive that are in progress are no longer wanted by later callers. */
  forget(drive_id: string): void {
    for (const load of this.under_way) if (load.drive_id === drive_id) this.under_way.delete(load);
  }

  private near(drive_id: string, revision: number, reach: number): Load | undefined {
    return [...this.under_way].find(
      (load) => load.drive_id === drive_id && Math.abs(load.revision - revision) <= reach,
    );
  }

  private start(
    drive_id: string,
    revision: number,
    load: (isWanted: () => boolean) => Promise<void>,
  ): Load {
    const first = currentQuery();
    const gone = new AbortController();
    // The folded events count towards the limits of the first caller.
    const query: LongQuery = {
      signal: gone.signal,
      begin() {},
      folded: (events) => first?.folded(events),
      end() {},
    };
    const done = runForQuery(query, () =>
      this.slots.run(() => load(() => this.under_way.has(started)), drive_id),
    );
    const started: Load = { drive_id, revision, done, waiting: 0, gone };
    this.under_way.add(started);
    return started;
  }
}
