import { Access } from '../../domain/access/access.js';
import { isThere } from '../../domain/access-questions/known.js';
import { COMMAND_NAMES } from '../../domain/drive/families.js';
import type { Context } from '../../domain/foundation/decision.js';
import { eventSchema } from '../../domain/drive/events.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import type { IndexedEvents } from '../../engine/read-models/indexed-events.js';
import type { EventFilter } from '../../event-store/stores.js';
import { type NamedId, refuseUnknown, whenExisted } from '../access/known-ids.js';
import { allIdsOf, type EventQuery } from './event-query.js';

/** Values of `allowed_by` that are not ids. */
const EVIDENCE: ReadonlySet<string> = new Set(['OWNER', 'SELF', 'CODE', 'FACTORY', 'SYSTEM']);

/**
 * Refuses ids and names in an auditor's history query that never existed: record ids, correlation ids, and names of
 * events and commands that occur neither in this release nor in any event. False if all are known.
 * @throws BrokenStream
 */
export async function unknownIn(
  drives: Drives,
  drive: Drive,
  context: Context,
  query: EventQuery,
  indexed: IndexedEvents,
): Promise<Refusal | false> {
  const { resource_id, actor, types = [], command, correlation_id, allowed_by } = query;
  const { state, now } = context;
  const isIndexed = async (filter: EventFilter): Promise<boolean> => {
    const range = { from: 0, to: indexed.to };
    return (await indexed.find(filter, range, 'ASC', 1)).length > 0;
  };
  const unknown: NamedId[] = [];
  const check = async (pointer: string, id: string, filter: EventFilter): Promise<void> => {
    if (!(await isIndexed(filter))) unknown.push({ pointer, id });
  };
  const others = types.flatMap((id, at) =>
    eventSchema(id) ? [] : [{ pointer: `/types/${at}`, id }],
  );
  if (others.length > 0) {
    const names = others.map(({ id }) => id);
    const counts = await indexed.countTypes({}, names, { from: 0, to: indexed.to });
    unknown.push(...others.filter((_, nth) => counts[nth] === 0));
  }
  if (command !== undefined && !COMMAND_NAMES.has(command))
    await check('/command', command, { command });
  if (correlation_id !== undefined)
    await check('/correlation_id', correlation_id, { correlation_id });
  if (unknown.length > 0) return refuseUnknown(unknown);

  const ids: NamedId[] = [];
  const checkId = async (pointer: string, id: string, filter: EventFilter): Promise<void> => {
    if (isThere(state, id, now)) return;
    if (!(await isIndexed(filter))) ids.push({ pointer, id });
  };
  if (resource_id !== undefined)
    await checkId('/resource_id', resource_id, { resource_ids: allIdsOf(state, resource_id) });
  if (actor !== undefined) await checkId('/actor', actor, { actors: allIdsOf(state, actor) });
  if (allowed_by !== undefined && !EVIDENCE.has(allowed_by))
    await checkId('/allowed_by', allowed_by, { allowed_by });
  const existed = await whenExisted(drives, drive, Access.of(context), ids);
  return isRefusal(existed) && existed;
}
