import type { DriveState } from '../../domain/foundation/state.js';
import type { RecordChange } from '../../domain/kernel/undo-log.js';
import { existingEvents } from '../../event-store/existing-events.js';
import type { FoldableEvent, StoredEvent } from '../../event-store/port.js';
import type { RevisionRange } from '../../event-store/stores.js';
import type { Drives } from '../drives/drives.js';
import { AllRecordsNeeded } from '../../domain/kernel/partial-table.js';
import { emptyState, foldOnto, streamOf } from '../fold/fold.js';
import type { IndexedEvents } from '../read-models/indexed-events.js';
import { RecordFolds } from './record-folds.js';

/** The change of a record between two revisions, and its events. */
export interface RecordSpan extends RecordChange {
  /** Revisions of the events with such a change of the record's own fields, ascending. */
  readonly revisions: readonly number[];
}

/** The records that changed between two revisions. */
export interface Span {
  readonly state: DriveState;
  /** Every record that changed in between, in the order of the first change. */
  readonly records: readonly RecordSpan[];
}

/**
 * Records the change of each record from one revision (its own event excluded) to a later one.
 * @param use has the state at the later revision to itself until it resolves
 * @param isNoted true for changes whose revisions are noted; by default all
 * @throws BrokenStream
 */
export function useSpan<T>(
  drives: Drives,
  drive_id: string,
  { from, to }: RevisionRange,
  use: (span: Span) => T | Promise<T>,
  isNoted: (change: RecordChange) => boolean = () => true,
): Promise<T> {
  const records = new Map<string, RecordChange & { revisions: number[] }>();
  return drives.past_states.use(
    drive_id,
    from,
    to,
    ({ revision }, { undo_log }, _, mark) => {
      for (const change of undo_log.changesSince(mark)) {
        const key = `${change.definition.name}\t${change.id}`;
        const known = records.get(key);
        const revisions = known?.revisions ?? [];
        const { before } = known ?? change;
        if (isNoted(change)) revisions.push(revision);
        records.set(key, { ...change, before, revisions });
      }
    },
    ({ folded }) => use({ state: folded.state, records: [...records.values()] }),
  );
}

/** Called with an event, the state just after it, and the changes of its records. */
export type VisitEvent<T> = (
  event: FoldableEvent,
  state: DriveState,
  changes: readonly RecordChange[],
) => T;

/** Cost of moving a past state, in folded events, up to which it is moved rather than many records folded. */
const NEARBY = 200;
/** Events of one run that are visited record by record at most: of one record if no state is near, and of any. */
const FEW_OF_ONE = 100;
const FEW_OF_ANY = 4;
/** Distance from which searching for a snapshot in between pays off. */
const FAR_APART = 50_000;

export interface VisitedEvents {
  /** Ascending. */
  readonly revisions: readonly number[];
  /** True if all of them concern the same record. */
  readonly of_one_record: boolean;
  /** All events of the drive. */
  readonly indexed: IndexedEvents;
}

/**
 * The results of visiting events of a drive, by revision. The state is valid only during the visit. For few
 * events, it holds only the records that the visit reads (see `RecordFolds`), and the visit is repeated until it holds
 * them all.
 * @throws BrokenStream
 */
export async function visitEvents<T>(
  drives: Drives,
  drive_id: string,
  { revisions, of_one_record, indexed }: VisitedEvents,
  visit: VisitEvent<T>,
): Promise<ReadonlyMap<number, T>> {
  const visited = new Map<number, T>();
  const folds = new RecordFolds(drives, drive_id, indexed);
  const others: number[] = [];
  for (const run of runsOf(revisions, NEARBY)) {
    const length = run.at(-1)! - run[0]!;
    const is_near = drives.past_states.isNear(drive_id, run[0]! - 1, NEARBY - length);
    const most = is_near || !of_one_record ? FEW_OF_ANY : FEW_OF_ONE;
    if (run.length <= most && (await visitRecords(folds, run, visit, visited))) continue;
    if (is_near) await visitStates(drives, drive_id, run, visit, visited);
    else others.push(...run);
  }
  for (const run of runsOf(others, FAR_APART))
    await visitStates(drives, drive_id, run, visit, visited);
  return visited;
}

/** Visits events with states of all records, in one pass. */
export function visitStates<T>(
  { past_states }: Drives,
  drive_id: string,
  revisions: readonly number[],
  visit: VisitEvent<T>,
  visited: Map<number, T>,
): Promise<void> {
  const wanted = new Set(revisions);
  const [first, last] = [revisions[0]!, revisions.at(-1)!];
  return past_states.walk(drive_id, first - 1, last, (event, state, _, mark) => {
    const { revision } = event;
    if (wanted.has(revision))
      visited.set(revision, visit(event, state, state.undo_log.changesSince(mark)));
  });
}

/** Visits events with states of the records needed; false if that did not suffice for all of them. */
async function visitRecords<T>(
  folds: RecordFolds,
  revisions: readonly number[],
  visit: VisitEvent<T>,
  visited: Map<number, T>,
): Promise<boolean> {
  try {
    for (const revision of revisions) visited.set(revision, await folds.after(revision, visit));
    return true;
  } catch (error) {
    if (error instanceof AllRecordsNeeded) return false;
    throw error;
  }
}

/** Gap up to which reading the events in between is faster than reading twice. */
const READ_ALONG = 4;

/** The stored events of a drive with these ascending revisions. @throws EventMissing */
export async function storedEvents(
  { events }: Drives,
  drive_id: string,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, StoredEvent>> {
  const stored = new Map<number, StoredEvent>();
  for (const run of runsOf(revisions, READ_ALONG)) {
    const all = await existingEvents(events, streamOf(drive_id), run[0]!, run.at(-1)!);
    for (const event of all) stored.set(event.revision, event);
  }
  return stored;
}

/** Ascending revisions in runs without larger gaps. */
function runsOf(revisions: readonly number[], gap: number): number[][] {
  const runs: number[][] = [];
  for (const revision of revisions) {
    const run = runs.at(-1);
    if (run && revision - run.at(-1)! <= gap) run.push(revision);
    else runs.push([revision]);
  }
  return runs;
}

/** Period in which fields of records held an id, ms. */
interface ReferredSpan {
  readonly from_ms: number;
  /** -1 = still. */
  readonly to_ms: number;
}

/**
 * When user id fields of records held any of these ids, over a drive's events up to a revision. Folds the whole
 * stream once on its own state; ids that no field ever held are omitted.
 * @throws BrokenStream
 */
export async function referencesOver(
  drives: Drives,
  drive_id: string,
  to: number,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ReferredSpan>> {
  const counts = new Map<string, number>();
  const spans = new Map<string, ReferredSpan>();
  const count = (held: unknown, by: number, at_ms: number): void => {
    if (Array.isArray(held)) for (const one of held) count(one, by, at_ms);
    if (typeof held !== 'string' || !ids.has(held)) return;
    const now_held = (counts.get(held) ?? 0) + by;
    counts.set(held, now_held);
    const from_ms = spans.get(held)?.from_ms ?? at_ms;
    spans.set(held, { from_ms, to_ms: now_held > 0 ? -1 : at_ms });
  };
  const folded = emptyState(drive_id);
  await foldOnto(folded, drives.events, {
    to,
    touched(_, { timestamp_ms }) {
      for (const { definition, before, after } of folded.state.undo_log.changesSince(0))
        for (const field of definition.user_fields as readonly string[]) {
          const was = before && (before as unknown as Record<string, unknown>)[field];
          const is = after && (after as unknown as Record<string, unknown>)[field];
          if (was === is) continue;
          count(is, 1, timestamp_ms);
          count(was, -1, timestamp_ms);
        }
    },
  });
  return spans;
}
