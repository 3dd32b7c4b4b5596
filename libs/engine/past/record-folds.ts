import { holdRecord, partialState } from '../../domain/drive/state.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { AllRecordsNeeded, RecordNotHeld } from '../../domain/kernel/partial-table.js';
import type { RecordBase } from '../../domain/kernel/record.js';
import type { RecordChange, TouchedKey } from '../../domain/kernel/undo-log.js';
import type { FoldableEvent } from '../../event-store/port.js';
import type { Drives } from '../drives/drives.js';
import { applyEvent, streamOf } from '../fold/fold.js';
import type { IndexedEvents } from '../read-models/indexed-events.js';
import { admitQuery, currentQuery } from '../tasks/long-query.js';
import { Pace } from '../tasks/turns.js';

/** Events applied for one query at most; a state of all records is then faster. */
const MOST_EVENTS = 500;
/** Events over which a past state is asked for what it remembers of a record. */
const REMEMBERED = 2_000;

interface AppliedEvent {
  readonly event: FoldableEvent;
  readonly changes: readonly RecordChange[];
}

/**
 * Past states of single records, for one query. A record is folded from the events that changed it, as the event index
 * names them; if an event reads another record, that one is folded first. So the cost is that of the events of the few
 * records needed, wherever they are in the stream.
 */
export class RecordFolds {
  private readonly applied = new Map<number, AppliedEvent>();
  /** By record id, ascending. */
  private readonly revisions = new Map<string, readonly number[]>();
  private readonly pace = new Pace();

  constructor(
    private readonly drives: Drives,
    private readonly drive_id: string,
    private readonly indexed: IndexedEvents,
  ) {}

  /**
   * The result of work on an event, with a state of the records that the work reads, just after the event.
   * @throws AllRecordsNeeded if more than a few records or events are needed
   */
  async after<T>(
    revision: number,
    work: (event: FoldableEvent, state: DriveState, changes: readonly RecordChange[]) => T,
  ): Promise<T> {
    admitQuery();
    const { event, changes } = await this.apply(revision);
    return this.onState(event, (state) => work(event, state, changes));
  }

  /** Repeats work on a state until that holds all records that the work reads. */
  private async onState<T>(
    { revision, timestamp_ms }: Pick<FoldableEvent, 'revision' | 'timestamp_ms'>,
    work: (state: DriveState) => T,
  ): Promise<T> {
    const state = partialState(this.drive_id);
    for (;;) {
      state.undo_log.revision = revision;
      state.timestamp_ms = timestamp_ms;
      try {
        return work(state);
      } catch (error) {
        if (!(error instanceof RecordNotHeld)) throw error;
        state.undo_log.undoTo(0);
        holdRecord(state, error, await this.recordAt(error, revision));
      }
    }
  }

  private async apply(revision: number): Promise<AppliedEvent> {
    const known = this.applied.get(revision);
    if (known) return known;
    if (this.applied.size >= MOST_EVENTS) throw new AllRecordsNeeded();
    if (this.pace.is_due) await this.pace.turn();
    const { events } = this.drives;
    const [event] = await events.readFoldable(streamOf(this.drive_id), revision, 1);
    // The fold of all events reports what is missing.
    if (event?.revision !== revision) throw new AllRecordsNeeded();
    currentQuery()?.folded(1);
    const before = { revision: revision - 1, timestamp_ms: 0 };
    const changes = await this.onState(before, (state) => {
      applyEvent(state, event);
      return state.undo_log.changesSince(0);
    });
    const applied = { event, changes };
    this.applied.set(revision, applied);
    return applied;
  }

  /** A record just after a revision: from a past state that remembers it, else folded. */
  private async recordAt(key: TouchedKey, revision: number): Promise<RecordBase | undefined> {
    const { drive_id, drives } = this;
    const remembered = drives.past_states.recordAt(drive_id, key, revision, REMEMBERED);
    if (remembered) return remembered.record;
    const { family, id } = key;
    const revisions = (await this.revisionsOf(id)).filter((own) => own <= revision);
    // In ascending order, so that each event finds the record as the one before left it.
    for (const own of revisions) if (!this.applied.has(own)) await this.apply(own);
    for (const own of revisions.toReversed())
      for (const change of this.applied.get(own)!.changes)
        if (change.id === id && change.definition.name === family) return change.after;
    return undefined;
  }

  private async revisionsOf(id: string): Promise<readonly number[]> {
    const known = this.revisions.get(id);
    if (known) return known;
    const range = { from: 0, to: this.indexed.to };
    const found = await this.indexed.find({ resource_ids: [id] }, range, 'ASC', MOST_EVENTS + 1);
    if (found.length > MOST_EVENTS) throw new AllRecordsNeeded();
    this.revisions.set(id, found);
    return found;
  }
}
