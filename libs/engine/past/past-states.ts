import type { DriveState } from '../../domain/foundation/state.js';
import type { RecordBase } from '../../domain/kernel/record.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore, FoldableEvent } from '../../event-store/port.js';
import { type FoldOptions, foldOnto } from '../fold/fold.js';
import type { StateLoader } from '../fold/loader.js';
import { Abandoned, admitQuery } from '../tasks/long-query.js';
import { Semaphore } from '../tasks/semaphore.js';
import { MovingState } from './moving-state.js';
import { SharedLoads } from './shared-loads.js';
import { UndoHistory } from './undo-history.js';

/** Events beyond which a state is loaded anew: there may be a snapshot in between. */
const FAR = 25_000;
/** Events of a walk during which others wait for its state. */
const SHORT = 2_000;
/** Changes that a state can undo at least. */
const UNDONE = 10_000;
/** Maximum idle states, and maximum of one drive. */
const MOST_STATES = 256;
const MOST_OF_DRIVE = 8;
/** Cost of a move, in folded events, beyond which another state of the drive is loaded, if there are fewer. */
const SPREAD = 50;
/** Part of the memory of all states that such a drive's state takes at most. */
const SMALL = 1 / 32;
/** Part of it that is in use at most, since states grow while they move: else some would go and be loaded in turns. */
const ROOMY = 3 / 4;
/** Maximum states in use for short moves, and for long work: each is in memory. */
const MOST_IN_USE = 4;
/** Maximum of one drive: long work of a drive leaves the others a place. */
const MOST_IN_USE_OF_DRIVE = 3;

/** Called for each event of a span, with the state just after it. */
export type Visit = (
  event: FoldableEvent,
  state: DriveState,
  touched: readonly TouchedKey[],
  /** Mark in the undo log before the event. */
  mark: number,
) => void;

/** How a state got to its revision for one caller. */
interface Moved {
  readonly events_folded: number;
  /** Revision from which they were folded; null for event 0. */
  readonly from_revision: number | null;
}

export type ReadableState = Pick<MovingState, 'folded' | 'last_touched'>;

/** A past state for one caller, who prepares it before reading records by their fields. */
type OwnState = Pick<MovingState, 'folded' | 'last_touched' | 'prepare'>;

interface Source {
  readonly events: EventStore;
  readonly loader: StateLoader;
  /** Memory limit of all idle states, bytes (estimated). */
  readonly past_bytes: number;
  /** Memory limit of one state, bytes (estimated). */
  readonly state_bytes: number;
  /** Changes that a state can undo at least; default 10,000. */
  readonly undone?: number;
  /** Events beyond which a nearer snapshot is looked for; default 25,000. */
  readonly far?: number;
  /** Cost of a move, in folded events, beyond which a drive may get another state; default 50. */
  readonly spread?: number;
}

/**
 * States near the points that queries ask about, for reads as of a point and for consecutive queries: pages of
 * history, comparisons, listeners. A query costs as many events as the nearest state moves.
 */
export class PastStates {
  /** Least recently used first, without those that long work has for itself. */
  private states: MovingState[] = [];
  /** Those that long work has for itself. */
  private readonly lent = new Set<MovingState>();
  private readonly dropped = new WeakSet<MovingState>();
  private readonly loads = new SharedLoads(MOST_IN_USE, MOST_IN_USE_OF_DRIVE);
  /** Apart, so that long work of one drive does not hold up the reads, pages and listeners of others. */
  private readonly short = new Semaphore(MOST_IN_USE);
  private readonly long = new Semaphore(MOST_IN_USE, MOST_IN_USE_OF_DRIVE);

  constructor(private readonly source: Source) {}

  private get far(): number {
    return this.source.far ?? FAR;
  }

  /** Time of a revision's event, ms; undefined unless a state is there, which is then read without waiting. */
  timeAt(drive_id: string, revision: number): number | undefined {
    return this.at(drive_id, revision)?.folded.state.timestamp_ms;
  }

  /** True if moving a state to a revision costs at most so many folded events. */
  isNear(drive_id: string, revision: number, within: number): boolean {
    return this.nearest(drive_id, revision, within) !== undefined;
  }

  /**
   * A record just after a revision, as a state remembers it that stays where it is; null if none has been within so
   * many events.
   */
  recordAt(
    drive_id: string,
    key: TouchedKey,
    revision: number,
    within: number,
  ): { readonly record: RecordBase | undefined } | null {
    const { family, id } = key;
    const state = this.states.find(
      (one) => one.drive_id === drive_id && one.remembers(revision, within),
    );
    return state ? { record: state.recordAt(family, id, revision) } : null;
  }

  /**
   * Reads the state at a revision. It stays there until the result has settled, and others may wait for that: long
   * work has a state for itself by `use`.
   * @returns not a promise if a state is there and `work` returns none
   * @throws BrokenStream, TooLarge, Abandoned
   */
  read<T>(
    drive_id: string,
    revision: number,
    work: (state: ReadableState) => T | Promise<T>,
  ): T | Promise<T> {
    const there = this.at(drive_id, revision);
    if (!there) return this.bringAndRead(drive_id, revision, work);
    there.share();
    return this.reading(there, work);
  }

  /**
   * Visits the events after one revision, up to another.
   * @throws BrokenStream, TooLarge, Abandoned
   */
  async walk(drive_id: string, from: number, to: number, visit: Visit): Promise<void> {
    if (to - from > SHORT) return this.use(drive_id, from, to, visit, () => {});
    const state = await this.takeNear(drive_id, from, null);
    try {
      await this.short.run(() => this.move(state, from, to, visit));
    } finally {
      this.release(state);
    }
  }

  /**
   * The same, unless `visit` is null; then `work` has the state at the later revision to itself until it resolves.
   * @throws BrokenStream, TooLarge, Abandoned
   */
  use<T>(
    drive_id: string,
    from: number,
    to: number,
    visit: Visit | null,
    work: (state: OwnState, moved: Moved) => T | Promise<T>,
  ): Promise<T> {
    return this.long.run(async () => {
      const near =
        this.takeIdle(drive_id, from, this.far) ??
        this.takeIdle(drive_id, from, await this.reach(drive_id, from));
      const { state, before } = near
        ? { state: near, before: null }
        : await this.load(drive_id, from);
      if (!near) state.takeAlone();
      this.states = this.states.filter((one) => one !== state);
      this.lent.add(state);
      try {
        const moved = await this.move(state, from, to, visit);
        return await work(state, before ? both(before, moved) : moved);
      } finally {
        this.lent.delete(state);
        this.release(state);
      }
    }, drive_id);
  }

  /** Drops all states of a drive, so that no opened data remains. */
  forget(drive_id: string): void {
    for (const state of [...this.states, ...this.lent])
      if (state.drive_id === drive_id) this.drop(state);
    this.loads.forget(drive_id);
  }

  private at(drive_id: string, revision: number): MovingState | undefined {
    return this.states.find((state) => state.drive_id === drive_id && state.isReadableAt(revision));
  }

  private async bringAndRead<T>(
    drive_id: string,
    revision: number,
    work: (state: ReadableState) => T | Promise<T>,
  ): Promise<T> {
    const state = await this.takeNear(drive_id, revision, revision);
    if (!state.isReadableAt(revision)) {
      try {
        await this.short.run(async () => {
          await this.move(state, revision, revision, null);
          await state.prepare();
        });
      } catch (error) {
        this.release(state);
        throw error;
      }
      state.stop();
    }
    return this.reading(state, work);
  }

  private reading<T>(
    state: MovingState,
    work: (state: ReadableState) => T | Promise<T>,
  ): T | Promise<T> {
    let reading: T | Promise<T>;
    try {
      reading = work(state);
    } catch (error) {
      this.release(state);
      throw error;
    }
    if (reading instanceof Promise) return reading.finally(() => this.release(state));
    this.release(state);
    return reading;
  }

  /**
   * The nearest state, loaded if there is none: alone, or as a reader beside others if it is where the caller reads.
   * @param read_at null: alone in any case
   * @throws BrokenStream, TooLarge, Abandoned
   */
  private async takeNear(
    drive_id: string,
    revision: number,
    read_at: number | null,
  ): Promise<MovingState> {
    admitQuery();
    for (;;) {
      const near =
        this.nearest(drive_id, revision, this.far) ??
        this.nearest(drive_id, revision, await this.reach(drive_id, revision));
      if (near && this.isSpread(near, revision)) {
        await this.loadAnother(drive_id, revision);
        continue;
      }
      if (read_at !== null && near?.isReadableAt(read_at)) {
        near.share();
        return near;
      }
      if (near?.is_idle) {
        near.takeAlone();
        return near;
      }
      if (near) await near.changed(read_at);
      else await this.loadAnother(drive_id, revision);
    }
  }

  private loadAnother(drive_id: string, revision: number): Promise<void> {
    return this.loads.join({ drive_id, revision }, SHORT, async (isStillWanted) => {
      const { state } = await this.load(drive_id, revision);
      if (isStillWanted()) this.keep(state);
    });
  }

  /** True if one more state of the drive is worth its memory: the nearest one is far, and small, and no other has to go. */
  private isSpread(nearest: MovingState, revision: number): boolean {
    const { drive_id, bytes } = nearest;
    const { past_bytes, spread = SPREAD } = this.source;
    if (nearest.costTo(revision) <= spread || bytes > SMALL * past_bytes) return false;
    if (this.states.length >= MOST_STATES || this.bytes + bytes > ROOMY * past_bytes) return false;
    return this.countOf(drive_id) < MOST_OF_DRIVE;
  }

  /** Estimated memory of all states, bytes. */
  private get bytes(): number {
    return this.states.reduce((sum, one) => sum + one.bytes, 0);
  }

  private countOf(drive_id: string): number {
    return this.states.reduce((count, one) => count + Number(one.drive_id === drive_id), 0);
  }

  /** The state whose move costs the least, and at most so many folded events. */
  private nearest(
    drive_id: string,
    revision: number,
    within: number,
    only_idle = false,
  ): MovingState | undefined {
    let best: MovingState | undefined;
    let least = within;
    for (const state of this.states) {
      if (state.drive_id !== drive_id || (only_idle && !state.is_idle)) continue;
      const cost = state.costTo(revision);
      if (cost > least || cost === Infinity || (best && cost === least)) continue;
      best = state;
      least = cost;
    }
    return best;
  }

  private takeIdle(drive_id: string, revision: number, within: number): MovingState | undefined {
    const near = this.nearest(drive_id, revision, within, true);
    near?.takeAlone();
    return near;
  }

  /** Events from the newest snapshot to a revision, if there is a state that might be nearer; else 0. */
  private async reach(drive_id: string, revision: number): Promise<number> {
    if (!this.nearest(drive_id, revision, Infinity)) return 0;
    return revision - (await this.source.loader.snapshotBefore(drive_id, revision));
  }

  private async load(
    drive_id: string,
    to: number,
  ): Promise<{ readonly state: MovingState; readonly before: Moved }> {
    const history = new UndoHistory(this.source.undone ?? UNDONE);
    const loaded = await this.source.loader.load(drive_id, { to, undo_steps: history });
    const { folded, events_folded, snapshot_revision: from_revision } = loaded;
    return { state: new MovingState(folded, history), before: { events_folded, from_revision } };
  }

  private async move(
    state: MovingState,
    from: number,
    to: number,
    visit: Visit | null,
  ): Promise<Moved> {
    const { folded, history } = state;
    const { state_bytes: most_bytes, events } = this.source;
    let is_whole = false;
    try {
      await history.moveTo(folded.state, from);
      const { revision } = state;
      if (visit) await state.prepare();
      const touched = visitor(visit, from, folded.state);
      const options = { to, most_bytes, undo_steps: history, touched };
      const { events_folded } = await foldOnto(folded, events, options);
      is_whole = true;
      return { events_folded, from_revision: revision < 0 ? null : revision };
    } catch (error) {
      // An abandoned fold leaves the state complete.
      is_whole = error instanceof Abandoned;
      throw error;
    } finally {
      if (!is_whole) this.drop(state);
    }
  }

  private release(state: MovingState): void {
    state.release();
    if (state.is_idle && !this.dropped.has(state) && state !== this.states.at(-1)) this.keep(state);
  }

  /** Keeps a state. The least recently used idle ones go: those of its drive beyond their number, and any beyond the bounds. */
  private keep(state: MovingState): void {
    const { drive_id } = state;
    this.states = [...this.states.filter((one) => one !== state), state];
    let { bytes } = this;
    let of_drive = this.countOf(drive_id);
    for (const oldest of this.states.slice(0, -1)) {
      const is_of_drive = oldest.drive_id === drive_id;
      const is_beyond = this.states.length > MOST_STATES || bytes > this.source.past_bytes;
      if (!oldest.is_idle || !(is_beyond || (is_of_drive && of_drive > MOST_OF_DRIVE))) continue;
      this.drop(oldest);
      bytes -= oldest.bytes;
      of_drive -= Number(is_of_drive);
    }
  }

  private drop(state: MovingState): void {
    this.dropped.add(state);
    this.states = this.states.filter((one) => one !== state);
  }
}

function both(first: Moved, then: Moved): Moved {
  return { ...first, events_folded: first.events_folded + then.events_folded };
}

function visitor(visit: Visit | null, from: number, state: DriveState): FoldOptions['touched'] {
  if (!visit) return undefined;
  return (touched: readonly TouchedKey[], event: FoldableEvent, mark: number): void => {
    if (event.revision > from) visit(event, state, touched, mark);
  };
}
