import type { DriveState } from '../../domain/foundation/state.js';
import { type Refusal, refuse, refuseField } from '../../domain/kernel/refusal.js';
import type { Drives } from '../../engine/drives/drives.js';
import { streamOf } from '../../engine/fold/fold.js';
import type { EventFilter, RevisionRange } from '../../event-store/stores.js';
import { allIdsOf } from './known-names.js';

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
      return refuse('point-out-of-range', {
        pointer: `/${name}`,
        reason: `must be from 0 to ${head}`,
      });
  if (from_revision !== undefined && to_revision !== undefined && from_revision > to_revision)
    return refuseField('/to_revision', 'must not be before from_revision');
  return null;
}
