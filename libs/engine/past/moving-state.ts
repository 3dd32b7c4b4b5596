import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { estimatedBytes } from '../fold/state-bytes.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { inTurns } from '../tasks/turns.js';
import type { UndoHistory } from './undo-history.js';

/** Estimated memory of a change that can be undone: mostly the former record. */
const BYTES_PER_CHANGE = 400;
/** Cost of undoing or redoing an event, against reading and folding it. */
const COST_OF_UNDOING = 0.1;

/**
 * A past state that moves along its stream: back by undoing, forward by redoing, and beyond by folding. Its frontier is
 * not kept. Readers share it while it is still; one caller at a time moves it.
 */
export class MovingState {
  private users = 0;
  private is_still = true;
  private is_prepared = false;
  private waiting: PromiseWithResolvers<void> | null = null;

  constructor(
    readonly folded: FoldedState,
    readonly history: UndoHistory,
  ) {}

  get drive_id(): string {
    return this.folded.state.drive_id;
  }

  get revision(): number {
    return this.folded.state.revision;
  }

  get bytes(): number {
    const { folded, history } = this;
    return estimatedBytes(folded.state) + BYTES_PER_CHANGE * history.changesOf(folded.state);
  }

  /** Records whose own fields the last event changed. */
  get last_touched(): readonly TouchedKey[] {
    return this.history.lastTouched(this.folded.state);
  }

  get is_idle(): boolean {
    return this.users === 0;
  }

  isReadableAt(revision: number): boolean {
    return this.is_still && this.is_prepared && this.revision === revision;
  }

  /** Builds what reads need, in turns: their first use of an index would build it at once. Its caller has it alone. */
  async prepare(): Promise<void> {
    if (this.is_prepared) return;
    await inTurns(this.folded.state.indexing(false));
    this.is_prepared = true;
  }

  /** Number of events to undo or to fold until the state is at a revision; Infinity if it cannot go back there. */
  distanceTo(revision: number): number {
    const { revision: at, history } = this;
    if (revision >= at) return revision - at;
    return history.reaches(revision) ? at - revision : Infinity;
  }

  /** The cost of moving to a revision, in events to fold; Infinity if the state cannot go back there. */
  costTo(revision: number): number {
    const { revision: at, history } = this;
    const redone = Math.min(revision - at, history.redoable);
    if (redone < 0) return this.distanceTo(revision) * COST_OF_UNDOING;
    return redone * COST_OF_UNDOING + (revision - at - redone);
  }

  /** For a caller that moves the idle state. */
  takeAlone(): void {
    this.users++;
    this.is_still = false;
  }

  /** For a reader of the still state. */
  share(): void {
    this.users++;
  }

  /** Its caller moves it no more, but reads it. */
  stop(): void {
    this.is_still = true;
    this.wake();
  }

  /** Its caller is done. */
  release(): void {
    if (--this.users > 0) return;
    this.is_still = true;
    this.wake();
  }

  /** Resolves when it may have become still or idle. */
  get changed(): Promise<void> {
    return (this.waiting ??= Promise.withResolvers()).promise;
  }

  private wake(): void {
    this.waiting?.resolve();
    this.waiting = null;
  }
}
