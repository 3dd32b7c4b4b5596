import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { estimatedBytes } from '../fold/state-bytes.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import type { UndoHistory } from './undo-history.js';

/**
 * A past state that moves along its stream: forward by folding, back by undoing. Its frontier is not kept. Readers
 * share it while it is still; one caller at a time moves it.
 */
export class MovingState {
  private users = 0;
  private is_still = true;
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
    return estimatedBytes(this.folded.state);
  }

  /** Records whose own fields the last event changed. */
  get last_touched(): readonly TouchedKey[] {
    return this.history.lastTouched(this.folded.state);
  }

  get is_idle(): boolean {
    return this.users === 0;
  }

  isReadableAt(revision: number): boolean {
    return this.is_still && this.revision === revision;
  }

  /** Number of events to undo or to fold until the state is at a revision; Infinity if it cannot go back there. */
  distanceTo(revision: number): number {
    const { revision: at, history } = this;
    if (revision >= at) return revision - at;
    return history.reaches(revision) ? at - revision : Infinity;
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
