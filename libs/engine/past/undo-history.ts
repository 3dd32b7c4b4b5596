import type { DriveState } from '../../domain/foundation/state.js';
import type { RecordBase } from '../../domain/kernel/record.js';
import { changeIn, type TouchedKey, type UndoneChanges } from '../../domain/kernel/undo-log.js';
import type { UndoSteps } from '../fold/fold.js';
import { Pace } from '../tasks/turns.js';

interface Step {
  /** Revision and time before an event. */
  readonly revision: number;
  readonly timestamp_ms: number;
  readonly mark: number;
}

interface UndoneStep {
  /** Revision and time of an event. */
  readonly revision: number;
  readonly timestamp_ms: number;
  readonly changes: UndoneChanges;
}

/** Where in the undo log of one state each of its last events begins, and what was undone of the events after it. */
export class UndoHistory implements UndoSteps {
  private steps: Step[] = [];
  /** The next event last. */
  private readonly undone: UndoneStep[] = [];
  private undone_changes = 0;

  /** @param most changes that stay undoable at least, with the last event in any case; at most twice as many */
  constructor(private readonly most: number) {}

  begin({ revision, timestamp_ms, undo_log }: DriveState): void {
    if (undo_log.mark() > 2 * this.most) this.trim(undo_log);
    this.steps.push({ revision, timestamp_ms, mark: undo_log.mark() });
  }

  redo(state: DriveState, revision: number): boolean {
    const next = this.undone.at(-1);
    if (next?.revision !== revision) return false;
    this.undone.pop();
    const { timestamp_ms, changes } = next;
    state.undo_log.redo(changes);
    state.undo_log.revision = revision;
    state.timestamp_ms = timestamp_ms;
    this.undone_changes -= changes.length;
    return true;
  }

  /** Number of events after the state's that it can redo. */
  get redoable(): number {
    return this.undone.length;
  }

  /** Number of changes in memory, undone or not. */
  changesOf({ undo_log }: DriveState): number {
    return undo_log.mark() + this.undone_changes;
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
      this.undo(state);
    }
    while (state.revision < revision && this.undone.length > 0) {
      if (pace.is_due) await pace.turn();
      this.begin(state);
      this.redo(state, state.revision + 1);
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
    for (let redone = revision - present; redone > 0; redone--) {
      const change = changeIn(undone.at(-redone)!.changes, table, id);
      if (change) return change.after;
    }
    return table.get(id);
  }

  /** Records whose own fields the last event changed. */
  lastTouched({ undo_log }: DriveState): readonly TouchedKey[] {
    const last = this.steps.at(-1);
    return last ? undo_log.touchedSince(last.mark) : [];
  }

  private undo(state: DriveState): void {
    const { revision, timestamp_ms, undo_log } = state;
    const step = this.steps.pop()!;
    const changes = undo_log.undoKeeping(step.mark);
    this.undone.push({ revision, timestamp_ms, changes });
    this.undone_changes += changes.length;
    undo_log.revision = step.revision;
    state.timestamp_ms = step.timestamp_ms;
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
