import { chosenState } from '../../domain/drive/state.js';
import type { DriveState } from '../../domain/foundation/state.js';
import type { Chosen } from '../../domain/kernel/chosen-table.js';
import { AllRecordsNeeded, RecordNotHeld } from '../../domain/kernel/partial-table.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { FoldableEvent } from '../../event-store/port.js';
import type { Drives } from '../drives/drives.js';
import { applyEvent } from '../fold/fold.js';
import type { IndexedEvents } from '../read-models/indexed-events.js';
import { admitQuery, currentQuery } from '../tasks/long-query.js';
import { Pace } from '../tasks/turns.js';
import { storedEvents } from './span.js';

/** Events applied for one query at most, those applied again included; a fold of all events is then the better one. */
const MOST_EVENTS = 10_000;
/** Records and other names looked up in the index at most; each look-up costs as much as folding some hundred events. */
const MOST_NAMES = 1_000;
/** Size of all events that are kept for one query, bytes. */
const MOST_BYTES = 16 * 1024 * 1024;
const READ_AT_ONCE = 32;

/** Records to be followed, and what else finds events to be applied. */
interface Choice {
  readonly ids: ReadonlySet<string>;
  /** See `FamilyDefinition.found_by`. */
  readonly found_by: readonly string[];
  readonly revisions: readonly number[];
}

/** Follows a fold of chosen records. */
interface ChosenRecords {
  choice(): Choice;
  /** Called after each event that is applied; the undo log has its changes, those of other records included. */
  note(state: DriveState): void;
  /** Called if an event needs another record. */
  add(id: string): void;
  /** Increases with everything that the next choice adds. */
  readonly size: number;
}

/** What is done along a fold that lacks no records; none of it is used if it turns out to lack some. */
interface ChosenFoldSteps {
  /** Called before each event. */
  coming(event: FoldableEvent, state: DriveState): Promise<void>;
  /** Called after each event, with the records that it changed. */
  applied(state: DriveState, touched: readonly TouchedKey[]): void;
}

interface NamedEvent {
  readonly event: FoldableEvent;
  /** Chosen records that it changes, according to the index. */
  readonly changes: readonly string[];
}

/**
 * Folds of a drive's stream that follow chosen records: only the events that changed one of them are applied, as the
 * event index names them. For one query: events are read once.
 */
export class ChosenFolds {
  private readonly events = new Map<number, FoldableEvent>();
  /** By record id or what finds records, ascending. */
  private readonly found = new Map<string, readonly number[]>();
  private readonly pace = new Pace();
  private bytes = 0;

  constructor(
    private readonly drives: Drives,
    private readonly drive_id: string,
    private readonly indexed: IndexedEvents,
    /** Events that may still be applied. */
    private left = MOST_EVENTS,
  ) {}

  /**
   * The state of the chosen records after the last indexed event. Null if they lead to others, which are chosen then:
   * to be repeated.
   * @throws AllRecordsNeeded if that takes too many events or records, or if an event copies others than the chosen ones
   */
  async fold(records: ChosenRecords, steps: ChosenFoldSteps): Promise<DriveState | null> {
    admitQuery();
    const { size } = records;
    const choice = records.choice();
    const chosen: Chosen = { ids: choice.ids, is_applying: false };
    const state = chosenState(this.drive_id, chosen);
    for (const { event, changes } of await this.eventsOf(choice)) {
      if (this.pace.is_due) await this.pace.turn();
      if (records.size === size) await steps.coming(event, state);
      try {
        chosen.is_applying = true;
        applyEvent(state, event);
      } catch (error) {
        state.undo_log.undoTo(0);
        if (error instanceof RecordNotHeld) records.add(error.id);
        // Without a record, later events may fail. They are applied only to find what else is missing.
        else if (records.size === size) throw error;
      } finally {
        chosen.is_applying = false;
      }
      records.note(state);
      if (records.size === size) {
        const touched = state.undo_log.touchedSince(0);
        checkChanges(touched, changes);
        steps.applied(state, touched);
      }
      state.undo_log.forget();
    }
    return records.size === size ? state : null;
  }

  private async eventsOf({ ids, found_by, revisions }: Choice): Promise<NamedEvent[]> {
    const changes = new Map<number, string[]>(revisions.map((revision) => [revision, []]));
    if (ids.size + found_by.length > MOST_NAMES) throw new AllRecordsNeeded();
    for (const name of [...ids, ...found_by])
      for (const revision of await this.revisionsOf(name)) {
        const of_event = changes.get(revision);
        if (!of_event) changes.set(revision, ids.has(name) ? [name] : []);
        else if (ids.has(name)) of_event.push(name);
      }
    const wanted = [...changes.keys()].sort((a, b) => a - b);
    this.left -= wanted.length;
    if (this.left < 0) throw new AllRecordsNeeded();
    await this.read(wanted.filter((revision) => !this.events.has(revision)));
    return wanted.map((revision) => ({
      event: this.events.get(revision)!,
      changes: changes.get(revision)!,
    }));
  }

  private async read(revisions: readonly number[]): Promise<void> {
    for (let at = 0; at < revisions.length; at += READ_AT_ONCE) {
      if (this.pace.is_due) await this.pace.turn();
      const some = revisions.slice(at, at + READ_AT_ONCE);
      for (const [revision, event] of await storedEvents(this.drives, this.drive_id, some)) {
        this.events.set(revision, event);
        this.bytes += event.data.length;
      }
      currentQuery()?.folded(some.length);
      if (this.bytes > MOST_BYTES) throw new AllRecordsNeeded();
    }
  }

  private async revisionsOf(name: string): Promise<readonly number[]> {
    const known = this.found.get(name);
    if (known) return known;
    if (this.pace.is_due) await this.pace.turn();
    const range = { from: 0, to: this.indexed.to };
    const found = await this.indexed.find({ resource_ids: [name] }, range, 'ASC', this.left + 1);
    if (found.length > this.left) throw new AllRecordsNeeded();
    this.found.set(name, found);
    return found;
  }
}

/** An event may search for the records that it copies. Those are not chosen, so their copies are missing here. */
function checkChanges(touched: readonly TouchedKey[], expected: readonly string[]): void {
  const changed = new Set(touched.map(({ id }) => id));
  if (!expected.every((id) => changed.has(id))) throw new AllRecordsNeeded();
}
