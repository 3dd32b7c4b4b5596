import type { Drives } from '../drives/drives.js';
import { emptyState, foldOnto } from '../fold/fold.js';

/** Period in which fields of records held an id, ms. */
export interface ReferredSpan {
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
