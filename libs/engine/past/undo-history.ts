import type { DriveState } from '../../domain/foundation/state.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { UndoSteps } from '../fold/fold.js';

interface Step {
  /** Revision and time before an event. */
  readonly revision: number;
  readonly timestamp_ms: number;
  readonly mark: number;
}

/** Where in the undo log of one state each of its last events begins. */
export class UndoHistory implements UndoSteps {
  private steps: Step[] = [];

  /** @param changes number that stays undoable at least, with the last event in any case; at most twice as many */
  constructor(private readonly changes: number) {}

  begin({ revision, timestamp_ms, undo_log }: DriveState): void {
    if (undo_log.mark() > 2 * this.changes) this.trim(undo_log);
    this.steps.push({ revision, timestamp_ms, mark: undo_log.mark() });
  }

  /** True if the state can go back to this revision, and then still knows what its last event changed. */
  reaches(revision: number): boolean {
    const first = this.steps[0];
    return first !== undefined && first.revision <= Math.max(-1, revision - 1);
  }

  /** Undoes all events after a revision that it reaches. */
  undo(state: DriveState, revision: number): void {
    while (state.revision > revision) {
      const step = this.steps.pop()!;
      state.undo_log.undoTo(step.mark);
      state.undo_log.revision = step.revision;
      state.timestamp_ms = step.timestamp_ms;
    }
  }

  /** Records whose own fields the last event changed. */
  lastTouched({ undo_log }: DriveState): readonly TouchedKey[] {
    const last = this.steps.at(-1);
    return last ? undo_log.touchedSince(last.mark) : [];
  }

  private trim(undo_log: DriveState['undo_log']): void {
    const least = undo_log.mark() - this.changes;
    const first = this.steps.findIndex(({ mark }) => mark >= least);
    const kept = this.steps.slice(first < 0 ? -1 : first);
    const gone = kept[0]!.mark;
    undo_log.forgetTo(gone);
    this.steps = kept.map((step) => ({ ...step, mark: step.mark - gone }));
  }
}
