import type { DriveState } from '../../domain/foundation/state.js';
import type { RecordChange } from '../../domain/kernel/undo-log.js';
import type { FoldableEvent } from '../../event-store/port.js';
import type { RevisionRange } from '../../event-store/stores.js';
import type { Drives } from '../drives/drives.js';
import { emptyState, foldOnto } from '../fold/fold.js';

/** The change of a record between two revisions, and its events. */
export interface RecordSpan extends RecordChange {
  /** Revisions of the events that changed the record's own fields, ascending. */
  readonly revisions: readonly number[];
}

/** The records that changed between two revisions. */
export interface Span {
  /** The state at the later revision. */
  readonly state: DriveState;
  /** Every record that changed in between, in the order of the first change. */
  readonly records: readonly RecordSpan[];
}

/**
 * Records the change of each record from one revision (its own event excluded) to a later one.
 * @param use has the state at the later revision to itself until it resolves
 * @throws BrokenStream
 */
export function useSpan<T>(
  drives: Drives,
  drive_id: string,
  { from, to }: RevisionRange,
  use: (span: Span) => T | Promise<T>,
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
        if (known) known.revisions.push(revision);
        const { before, revisions } = known ?? { before: change.before, revisions: [revision] };
        records.set(key, { ...change, before, revisions });
      }
    },
    ({ folded }) => use({ state: folded.state, records: [...records.values()] }),
  );
}

/** Distance from which searching for a snapshot in between pays off. */
const FAR_APART = 50_000;

/**
 * Visits events of a drive in ascending order, each with the state just after it and the changes of its records. The
 * state is valid only during the visit.
 * @throws BrokenStream
 */
export async function visitEvents(
  drives: Drives,
  drive_id: string,
  revisions: readonly number[],
  visit: (event: FoldableEvent, state: DriveState, changes: readonly RecordChange[]) => void,
): Promise<void> {
  const wanted = new Set(revisions);
  for (const { first, last } of runsOf(revisions))
    await drives.past_states.walk(drive_id, first - 1, last, (event, state, _, mark) => {
      if (wanted.has(event.revision)) visit(event, state, state.undo_log.changesSince(mark));
    });
}

/** Ascending revisions as runs that are folded in one pass. */
function runsOf(revisions: readonly number[]): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const revision of revisions) {
    const run = runs.at(-1);
    if (run && revision - run.last <= FAR_APART) run.last = revision;
    else runs.push({ first: revision, last: revision });
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
