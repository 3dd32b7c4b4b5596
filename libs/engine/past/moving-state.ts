import type { DriveState } from '../../domain/foundation/state.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore, FoldableEvent } from '../../event-store/port.js';
import { foldOnto, type UndoSteps } from '../fold/fold.js';
import type { StateLoader } from '../fold/loader.js';
import { estimatedBytes } from '../fold/state-bytes.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { Abandoned } from '../tasks/long-query.js';
import { Semaphore } from '../tasks/semaphore.js';

/** Events beyond which a state is loaded anew: there may be a snapshot in between. */
const FAR = 25_000;
/** Events of a span that is walked in the turn of its drive; longer ones take a state of their own. */
const SHORT = 2_000;
/** Changes that a state can undo at least. */
const UNDONE = 10_000;
/** Maximum idle states. */
const MOST_STATES = 8;
/** Maximum states in use for short walks, and for others: each is in memory. */
const MOST_IN_USE = 4;

/** Called for each event of a span, with the state just after it. */
export type Visit = (
  event: FoldableEvent,
  state: DriveState,
  touched: readonly TouchedKey[],
  /** Mark in the undo log before the event. */
  mark: number,
) => void;

interface Step {
  /** Revision and time before an event. */
  readonly revision: number;
  readonly timestamp_ms: number;
  readonly mark: number;
}

/** A state that moves along its stream: forward by folding, back by undoing. Its frontier is not kept. */
class MovingState implements UndoSteps {
  private steps: Step[] = [];

  constructor(readonly folded: FoldedState) {}

  get drive_id(): string {
    return this.folded.state.drive_id;
  }

  /** Number of events to undo or to fold until the state is at a revision; Infinity if it cannot go back there. */
  distanceTo(revision: number): number {
    const at = this.folded.state.revision;
    if (revision >= at) return revision - at;
    const first = this.steps[0];
    return first && first.revision <= revision ? at - revision : Infinity;
  }

  begin({ revision, timestamp_ms, undo_log }: DriveState): void {
    this.steps.push({ revision, timestamp_ms, mark: undo_log.mark() });
  }

  /** Undoes all events after a revision. */
  backTo(revision: number): void {
    const { state } = this.folded;
    while (state.revision > revision) {
      const step = this.steps.pop()!;
      state.undo_log.undoTo(step.mark);
      state.undo_log.revision = step.revision;
      state.timestamp_ms = step.timestamp_ms;
    }
  }

  /** Keeps so many changes undoable at least, and at most twice as many. */
  trim(changes: number): void {
    const { undo_log } = this.folded.state;
    if (undo_log.mark() <= 2 * changes) return;
    const least = undo_log.mark() - changes;
    const kept = this.steps.filter(({ mark }) => mark >= least);
    const gone = kept[0]?.mark ?? undo_log.mark();
    undo_log.forgetTo(gone);
    this.steps = kept.map((step) => ({ ...step, mark: step.mark - gone }));
  }
}

interface Source {
  readonly events: EventStore;
  readonly loader: StateLoader;
  /** Memory limit of all idle states, bytes (estimated). */
  readonly past_bytes: number;
  /** Memory limit of one state, bytes (estimated). */
  readonly state_bytes: number;
  /** Changes that a state can undo at least; default 10,000. */
  readonly undone?: number;
}

/**
 * States near the points that queries ask about, for consecutive queries: pages of history, comparisons, listeners.
 * A query costs as many events as the state moves.
 */
export class MovingStates {
  /** Least recently used first. */
  private idle: MovingState[] = [];
  private readonly in_use = new Set<MovingState>();
  private readonly forgotten = new WeakSet<MovingState>();
  /** Apart, so that long work of one drive does not hold up the pages and listeners of others. */
  private readonly short = new Semaphore(MOST_IN_USE);
  private readonly long = new Semaphore(MOST_IN_USE);
  /** Short walks on one drive run in sequence, on the same state. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly source: Source) {}

  /**
   * Visits the events after one revision, up to another.
   * @throws BrokenStream, TooLarge, Abandoned
   */
  walk(drive_id: string, from: number, to: number, visit: Visit): Promise<void> {
    if (to - from > SHORT) return this.use(drive_id, from, to, visit, () => {});
    return this.afterOthers(drive_id, () =>
      this.short.run(() => this.lend(drive_id, from, to, visit, () => {})),
    );
  }

  /**
   * The same; then `work` has the state at the later revision to itself until it resolves.
   * @throws BrokenStream, TooLarge, Abandoned
   */
  use<T>(
    drive_id: string,
    from: number,
    to: number,
    visit: Visit,
    work: (state: DriveState) => T | Promise<T>,
  ): Promise<T> {
    return this.long.run(() => this.lend(drive_id, from, to, visit, work));
  }

  /** Drops all states of a drive, so that no opened data remains. */
  forget(drive_id: string): void {
    this.idle = this.idle.filter((one) => one.drive_id !== drive_id);
    for (const one of this.in_use) if (one.drive_id === drive_id) this.forgotten.add(one);
  }

  private afterOthers(drive_id: string, work: () => Promise<void>): Promise<void> {
    const before = this.last.get(drive_id) ?? Promise.resolve();
    const done = before.then(work);
    const over = done
      .catch(() => {})
      .then(() => {
        if (this.last.get(drive_id) === over) this.last.delete(drive_id);
      });
    this.last.set(drive_id, over);
    return done;
  }

  private async lend<T>(
    drive_id: string,
    from: number,
    to: number,
    visit: Visit,
    work: (state: DriveState) => T | Promise<T>,
  ): Promise<T> {
    const moving = this.take(drive_id, from) ?? (await this.load(drive_id, from));
    const { folded } = moving;
    this.in_use.add(moving);
    let is_whole = true;
    try {
      moving.backTo(from);
      const visited = { touched: visitor(visit, from, folded.state) };
      const { state_bytes: most_bytes, events } = this.source;
      await foldOnto(folded, events, { to, most_bytes, undo_steps: moving, ...visited });
      return await work(folded.state);
    } catch (error) {
      // An abandoned fold leaves the state complete.
      is_whole = error instanceof Abandoned;
      throw error;
    } finally {
      this.in_use.delete(moving);
      if (is_whole && !this.forgotten.has(moving)) this.keep(moving);
    }
  }

  private async load(drive_id: string, from: number): Promise<MovingState> {
    const { folded } = await this.source.loader.load(drive_id, { to: from });
    return new MovingState(folded);
  }

  /** The nearest idle state. */
  private take(drive_id: string, revision: number): MovingState | undefined {
    let best: MovingState | undefined;
    for (const one of this.idle) {
      if (one.drive_id !== drive_id || one.distanceTo(revision) > FAR) continue;
      if (!best || one.distanceTo(revision) < best.distanceTo(revision)) best = one;
    }
    this.idle = this.idle.filter((one) => one !== best);
    return best;
  }

  /** Keeps a state; another one that is near, and the least recently used beyond the bounds, go. */
  private keep(moving: MovingState): void {
    moving.trim(this.source.undone ?? UNDONE);
    const { revision } = moving.folded.state;
    this.idle = this.idle.filter(
      (one) => one.drive_id !== moving.drive_id || one.distanceTo(revision) > FAR,
    );
    this.idle.push(moving);
    let bytes = this.idle.reduce((sum, one) => sum + bytesOf(one), 0);
    while (
      this.idle.length > 1 &&
      (this.idle.length > MOST_STATES || bytes > this.source.past_bytes)
    )
      bytes -= bytesOf(this.idle.shift()!);
  }
}

function visitor(visit: Visit, from: number, state: DriveState) {
  return (touched: readonly TouchedKey[], event: FoldableEvent, mark: number): void => {
    if (event.revision > from) visit(event, state, touched, mark);
  };
}

function bytesOf({ folded }: MovingState): number {
  return estimatedBytes(folded.state);
}
