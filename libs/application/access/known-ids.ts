import type { Access } from '../../domain/access/access.js';
import {
  type Existed,
  expiredSince,
  isPrincipalId,
  isThere,
} from '../../domain/access-questions/known.js';
import { type About, isAuditor } from '../../domain/access-questions/rights.js';
import { type Refusal, refuse, type RefusalDetail } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { streamOf } from '../../engine/fold/fold.js';
import { referencesOver } from '../../engine/past/span.js';
import type { IndexedEvents } from '../../engine/read-models/indexed-events.js';
import { Semaphore } from '../../engine/tasks/semaphore.js';
import { timeOfEvent } from '../../event-store/existing-events.js';
import type { EventFilter } from '../../event-store/stores.js';

/** An id in a query, and the field that holds it. */
export interface NamedId {
  readonly id: string;
  /** JSON pointer into the body. */
  readonly pointer: string;
}

/** Lifetimes of ids that do not exist at the queried point, by id. */
export type ExistedById = ReadonlyMap<string, Existed>;

export const ALL_EXIST: ExistedById = new Map();

/** Maximum unknown ids listed in one refusal. */
const MOST_NAMED = 10;
/** Each search holds its own state in memory; a drive has one at a time. */
const at_one_time = new Semaphore(2, 1);

/** The ids in a query or in one part of it; `within` is the JSON pointer of that part. */
export function idsOf({ grantee_id, resource_id }: About, within = ''): NamedId[] {
  const ids: NamedId[] = [];
  if (grantee_id !== undefined) ids.push({ id: grantee_id, pointer: `${within}/grantee_id` });
  if (resource_id !== undefined) ids.push({ id: resource_id, pointer: `${within}/resource_id` });
  return ids;
}

/** The `existed` member of an answer: the lifetime of the missing resource, or else of the missing grantee. */
export function existedOf(
  { grantee_id, resource_id }: About,
  existed: ExistedById,
): { existed?: Existed } {
  const found = existed.get(resource_id ?? '') ?? existed.get(grantee_id ?? '');
  return found ? { existed: found } : {};
}

/**
 * The lifetimes of missing ids. Ids that never existed are refused, each with its field. Only auditors get this answer:
 * other callers must not learn which ids exist.
 * @throws BrokenStream
 */
export async function whenExisted(
  drives: Drives,
  drive: Drive,
  caller: Access,
  missing: readonly NamedId[],
): Promise<ExistedById | Refusal> {
  if (missing.length === 0 || !isAuditor(caller)) return ALL_EXIST;
  const found = await spansOf(drives, drive, [...new Set(missing.map(({ id }) => id))]);
  const unknown = missing.filter(({ id }) => !found.has(id));
  return unknown.length > 0 ? refuseUnknown(unknown) : found;
}

/** Refuses ids and names that never existed in the organization. */
export function refuseUnknown(unknown: readonly NamedId[]): Refusal {
  const details = unknown
    .slice(0, MOST_NAMED)
    .map(({ pointer }): RefusalDetail => ({ pointer, reason: 'never existed here' }));
  return refuse('unknown-id', ...details);
}

/** The lifetimes of those ids that ever existed. */
async function spansOf(drives: Drives, drive: Drive, ids: readonly string[]): Promise<ExistedById> {
  const { drive_id } = drive;
  const { revision } = drive.head;
  const found = new Map<string, Existed>();
  const indexed = await drives.indexer.upTo(drive_id, revision);
  const unmet = new Set<string>();
  for (const id of ids) {
    const span = await indexedSpan(drives, drive, id, indexed);
    if (span) found.set(id, span);
    else if (isPrincipalId(id)) unmet.add(id);
  }
  if (unmet.size === 0) return found;
  const search = () => referencesOver(drives, drive_id, revision, unmet);
  const folded = await at_one_time.run(search, drive_id);
  for (const [id, span] of folded) found.set(id, span);
  return found;
}

/** The lifetime of an id: from the first to the last event that changed its record, or that this user caused. */
async function indexedSpan(
  drives: Drives,
  drive: Drive,
  id: string,
  indexed: IndexedEvents,
): Promise<Existed | undefined> {
  const { drive_id } = drive;
  const filters: EventFilter[] = [{ resource_ids: [id] }];
  if (isPrincipalId(id)) filters.push({ actors: [id] });
  const revisions: number[] = [];
  for (const filter of filters)
    for (const direction of ['ASC', 'DESC'] as const) {
      const range = { from: 0, to: indexed.to };
      revisions.push(...(await indexed.find(filter, range, direction, 1)));
    }
  if (revisions.length === 0) return undefined;
  const timeOf = (revision: number): Promise<number> =>
    timeOfEvent(drives.events, streamOf(drive_id), revision);
  const from_ms = await timeOf(Math.min(...revisions));
  const last_ms = await timeOf(Math.max(...revisions));
  await drive.durable();
  const { state } = drive;
  const now = drive.now();
  if (isThere(state, id, now)) return { from_ms, to_ms: -1 };
  return { from_ms, to_ms: expiredSince(state, id, now) ?? last_ms };
}
