import type { RecordBase } from '../../domain/kernel/record.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { estimatedBytes } from '../fold/state-bytes.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { unlessAbandoned } from '../tasks/long-query.js';
import { inTurns } from '../tasks/turns.js';
import type { UndoHistory } from './undo-history.js';

/** Estimated memory of a change that can be undone: with a former record of a group about 290 bytes, without 100 to 150. */
const BYTES_PER_CHANGE = 250;
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
  /** For each caller that waits: the revision that it would read; null if it moves the state in any case. */
  private awaited: readonly (number | null)[] = [];
  private idle_bytes: number;

  constructor(
    readonly folded: FoldedState,
    readonly history: UndoHistory,
  ) {
    this.idle_bytes = this.measured();
  }

  get drive_id(): string {
    return this.folded.state.drive_id;
  }

  get revision(): number {
    return this.folded.state.revision;
  }

  /** Estimated memory when it was idle last, bytes. */
  get bytes(): number {
    return this.idle_bytes;
  }

  /** Records whose own fields the last event changed. */
  get last_touched(): readonly TouchedKey[] {
    return this.history.lastTouched(this.folded.state);
  }

  get is_idle(): boolean {
    return this.users === 0;
  }

  /** False also while somebody waits to move the state: readers that follow each other would never let it go. */
  isReadableAt(revision: number): boolean {
    if (!this.is_still || !this.is_prepared || this.revision !== revision) return false;
    return this.awaited.every((wanted) => wanted === revision);
  }

  /** Builds what reads need, in turns: their first use of an index would build it at once. Its caller has it alone. */
  async prepare(): Promise<void> {
    if (this.is_prepared) return;
    await inTurns(this.folded.state.indexing(false));
    this.is_prepared = true;
  }

  /** The cost of moving to a revision, in events to fold; Infinity if the state cannot go back there. */
  costTo(revision: number): number {
    const { revision: at, history } = this;
    if (revision < at)
      return history.reaches(revision) ? (at - revision) * COST_OF_UNDOING : Infinity;
    const redone = Math.min(revision - at, history.redoable);
    return redone * COST_OF_UNDOING + (revision - at - redone);
  }

  /** True if the state can be moved to a revision without folding, over at most so many events. */
  remembers(revision: number, within: number): boolean {
    if (this.folded.state.undo_log.is_midway) return false;
    const away = revision - this.revision;
    if (Math.abs(away) > within) return false;
    return away < 0 ? this.history.reaches(revision) : away <= this.history.redoable;
  }

  /** A record just after a revision that the state remembers, also while it is moved or read. */
  recordAt(family: string, id: string, revision: number): RecordBase | undefined {
    return this.history.recordAt(this.folded.state, family, id, revision);
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
    this.idle_bytes = this.measured();
    this.wake();
  }

  /**
   * Resolves when it may have become still or idle, in the order of the calls.
   * @param wanted the revision that the caller would read beside others; null if it needs the state alone
   * @throws Abandoned
   */
  async changed(wanted: number | null): Promise<void> {
    this.waiting ??= Promise.withResolvers();
    this.awaited = [...this.awaited, wanted];
    try {
      await unlessAbandoned(this.waiting.promise);
    } finally {
      this.awaited = this.awaited.toSpliced(this.awaited.indexOf(wanted), 1);
    }
  }

  private measured(): number {
    const { folded, history } = this;
    return estimatedBytes(folded.state) + BYTES_PER_CHANGE * history.changesOf(folded.state);
  }

  private wake(): void {
    this.waiting?.resolve();
    this.waiting = null;
  }
}
