import type { DriveState } from '../../domain/foundation/state.js';
import type { RecordBase } from '../../domain/kernel/record.js';
import type { Steps } from '../../domain/kernel/steps.js';
import { changeIn, type TouchedKey, type UndoneChanges } from '../../domain/kernel/undo-log.js';
import type { UndoSteps } from '../fold/fold.js';
import { Pace } from '../tasks/turns.js';

/** Changes that are undone or made again at once, in less than a millisecond. */
const FEW_CHANGES = 500;
const NO_STEPS: readonly never[] = [];

interface Step {
  /** Revision and time before it. */
  readonly revision: number;
  readonly timestamp_ms: number;
  /** Where it begins in the undo log. */
  mark: number;
  /** Its time, and the number of its changes; known once it is undone. */
  event_ms: number;
  changes: number;
}

/** Where in the undo log of one state each of its last events begins, and what was undone of the events after it. */
export class UndoHistory implements UndoSteps {
  private steps: Step[] = [];
  /** The next event last. */
  private readonly undone: Step[] = [];
  private readonly undone_changes: UndoneChanges = [];

  /** @param most changes that stay undoable at least, with the last event in any case; at most twice as many */
  constructor(private readonly most: number) {}

  begin({ revision, timestamp_ms, undo_log }: DriveState): void {
    if (undo_log.mark() > 2 * this.most) this.trim(undo_log);
    // Its step is there.
    if (this.undone.length > 0) return;
    this.steps.push({ revision, timestamp_ms, mark: undo_log.mark(), event_ms: 0, changes: 0 });
  }

  redo(state: DriveState): Iterable<unknown> | null {
    const step = this.undone.at(-1);
    if (!step) return null;
    step.mark = state.undo_log.mark();
    const { changes } = step;
    if (changes > FEW_CHANGES) return this.redoing(state, changes);
    this.redoRest(state, changes);
    return NO_STEPS;
  }

  end({ revision }: DriveState): void {
    // Else the state would go back over an event that it does not hold, and forward again without its changes.
    if (this.steps.at(-1)?.revision === revision) this.steps.pop();
  }

  /** Number of events after the state's that it can redo. */
  get redoable(): number {
    return this.undone.length;
  }

  /** Number of changes in memory, undone or not. */
  changesOf({ undo_log }: DriveState): number {
    return undo_log.mark() + this.undone_changes.length;
  }

  /** True if the state can go back to this revision, and then still knows what its last event changed. */
  reaches(revision: number): boolean {
    const first = this.steps[0];
    return first !== undefined && first.revision <= Math.max(-1, revision - 1);
  }

  /**
   * Undoes all events after a revision that it reaches, or redoes undone ones up to it, as far as there are any.
   * @throws Abandoned
   */
  async moveTo(state: DriveState, revision: number): Promise<void> {
    const pace = new Pace();
    while (state.revision > revision) {
      if (pace.is_due) await pace.turn();
      for (const _ of this.undo(state)) if (pace.is_due) await pace.turn();
    }
    while (state.revision < revision && this.undone.length > 0) {
      if (pace.is_due) await pace.turn();
      this.begin(state);
      for (const _ of this.redo(state) ?? NO_STEPS) if (pace.is_due) await pace.turn();
    }
  }

  /**
   * A record just after a revision between those that the state can be moved to without folding; the state stays where
   * it is. Costs little for each event in between.
   */
  recordAt(
    state: DriveState,
    family: string,
    id: string,
    revision: number,
  ): RecordBase | undefined {
    const { steps, undone } = this;
    const table = state.table(family)!;
    const { revision: present, undo_log } = state;
    // Not from the last step: that may be of an event that is still to be applied.
    if (revision < present)
      return undo_log.recordAt(table, id, steps[revision - steps[0]!.revision]!.mark);
    let changes = 0;
    for (let nth = 1; nth <= revision - present; nth++) changes += undone.at(-nth)!.changes;
    const change = changeIn(this.undone_changes, changes, table, id);
    return change ? change.after : table.get(id);
  }

  /** Records whose own fields the last event changed. */
  lastTouched({ undo_log }: DriveState): readonly TouchedKey[] {
    const last = this.steps.at(-1);
    return last ? undo_log.touchedSince(last.mark) : [];
  }

  /** Undoes the last event. @returns the steps that are left */
  private undo(state: DriveState): Iterable<unknown> {
    const { timestamp_ms, undo_log } = state;
    const step = this.steps.at(-1)!;
    step.event_ms = timestamp_ms;
    step.changes = undo_log.mark() - step.mark;
    if (step.changes > FEW_CHANGES) return this.undoing(state, step.changes);
    this.undoRest(state);
    return NO_STEPS;
  }

  private *undoing(state: DriveState, changes: number): Steps {
    const { undo_log } = state;
    const step_mark = undo_log.mark() - changes;
    undo_log.is_midway = true;
    try {
      while (undo_log.mark() > step_mark + FEW_CHANGES) {
        undo_log.undoKeeping(undo_log.mark() - FEW_CHANGES, this.undone_changes);
        yield;
      }
    } finally {
      // At once if nobody waits any more: the state stays in use.
      this.undoRest(state);
      undo_log.is_midway = false;
    }
  }

  private *redoing(state: DriveState, changes: number): Steps {
    const { undo_log } = state;
    let left = changes;
    undo_log.is_midway = true;
    try {
      while (left > FEW_CHANGES) {
        undo_log.redo(this.undone_changes, FEW_CHANGES);
        left -= FEW_CHANGES;
        yield;
      }
    } finally {
      this.redoRest(state, left);
      undo_log.is_midway = false;
    }
  }

  /** Undoes what is left of the last event. */
  private undoRest(state: DriveState): void {
    const { undo_log } = state;
    const step = this.steps.pop()!;
    undo_log.undoKeeping(step.mark, this.undone_changes);
    this.undone.push(step);
    undo_log.revision = step.revision;
    state.timestamp_ms = step.timestamp_ms;
  }

  /** Makes the changes that are left of the next event. */
  private redoRest(state: DriveState, changes: number): void {
    const { undo_log } = state;
    const step = this.undone.pop()!;
    this.steps.push(step);
    undo_log.redo(this.undone_changes, changes);
    undo_log.revision = step.revision + 1;
    state.timestamp_ms = step.event_ms;
  }

  private trim(undo_log: DriveState['undo_log']): void {
    const least = undo_log.mark() - this.most;
    const first = this.steps.findIndex(({ mark }) => mark >= least);
    const kept = this.steps.slice(first < 0 ? -1 : first);
    const gone = kept[0]!.mark;
    undo_log.forgetTo(gone);
    this.steps = kept.map((step) => ({ ...step, mark: step.mark - gone }));
  }
}
