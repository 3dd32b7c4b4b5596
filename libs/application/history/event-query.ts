import type { DriveState } from '../../domain/foundation/state.js';
import { contactWith } from '../../domain/relations/former-ids.js';
import { type Refusal, refuseField } from '../../domain/kernel/refusal.js';
import type { Drives } from '../../engine/drives/drives.js';
import { streamOf } from '../../engine/fold/fold.js';
import { outOfRange } from '../../engine/past/points.js';
import type { EventFilter, RevisionRange } from '../../event-store/stores.js';

/** Which events are meant: those that match all given members. */
export interface EventQuery {
  readonly resource_id?: string | undefined;
  readonly actor?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly command?: string | undefined;
  readonly correlation_id?: string | undefined;
  readonly allowed_by?: string | undefined;
  readonly reason?: string | undefined;
  readonly from_ms?: number | undefined;
  readonly to_ms?: number | undefined;
  readonly from_revision?: number | undefined;
  readonly to_revision?: number | undefined;
}

/** The query's filter; former and later ids of users count. */
export function filterOf(state: DriveState, input: EventQuery): EventFilter {
  const { resource_id, actor, types, command, correlation_id, allowed_by, reason } = input;
  return {
    ...(resource_id !== undefined && { resource_ids: allIdsOf(state, resource_id) }),
    ...(actor !== undefined && { actors: allIdsOf(state, actor) }),
    ...(types?.length && { types }),
    ...(command !== undefined && { command }),
    ...(correlation_id !== undefined && { correlation_id }),
    ...(allowed_by !== undefined && { allowed_by }),
    ...(reason !== undefined && { reason }),
  };
}

/** The revisions of the query's times and revisions, at most up to `head`. */
export async function rangeOf(
  { events }: Drives,
  drive_id: string,
  { from_ms, to_ms, from_revision = 0, to_revision = Infinity }: EventQuery,
  head: number,
): Promise<RevisionRange> {
  const stream = streamOf(drive_id);
  const from =
    from_ms === undefined ? 0 : (await events.findRevisionByTime(stream, from_ms - 1)) + 1;
  const to = to_ms === undefined ? head : await events.findRevisionByTime(stream, to_ms);
  return { from: Math.max(from, from_revision), to: Math.min(head, to, to_revision) };
}

/** Refuses revisions after the head, and a range whose end precedes its start. */
export function refuseRange(
  { from_ms, to_ms, from_revision, to_revision }: EventQuery,
  head: number,
): Refusal | null {
  if (from_ms !== undefined && to_ms !== undefined && from_ms > to_ms)
    return refuseField('/to_ms', 'must not be before from_ms');
  for (const [name, revision] of Object.entries({ from_revision, to_revision }))
    if (revision !== undefined && (revision < 0 || revision > head))
      return outOfRange(`/${name}`, 0, head);
  if (from_revision !== undefined && to_revision !== undefined && from_revision > to_revision)
    return refuseField('/to_revision', 'must not be before from_revision');
  return null;
}

/**
 * All ids of a user before and after superswaps; for other records only the given id. A contact has its former ids;
 * others that a superswap once connected with them, before a contact was deleted and created again, are another person's.
 */
export function allIdsOf(state: DriveState, id: string): readonly string[] {
  const own = contactWith(state, id);
  const ids = new Set([id, ...(own ? [own.id, ...own.past_user_ids] : [])]);
  const isAnothers = (other: string): boolean => {
    const holder = contactWith(state, other);
    if (holder) return holder !== own;
    return own !== undefined && !state.subjects.deletedOf(other).next().done;
  };
  const swaps = [...state.superswaps.values()].flatMap(({ old_user_id, new_user_id }) => [
    { id: old_user_id, other: new_user_id },
    { id: new_user_id, other: old_user_id },
  ]);
  const swapped = Map.groupBy(swaps, (swap) => swap.id);
  // A set's iteration includes items added during it, so chains of swaps are followed to their ends.
  for (const known of ids)
    for (const { other } of swapped.get(known) ?? []) if (!isAnothers(other)) ids.add(other);
  return [...ids];
}
