import { RECORD_KINDS } from '../../domain/drive/record-kinds.js';
import type { RecordBase } from '../../domain/kernel/record.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { Access } from '../../domain/access/access.js';
import { refuseWithout } from '../../domain/access/denial.js';
import type { Context } from '../../domain/foundation/decision.js';
import { summarize, summarizeType, summaryContextOf } from '../../domain/drive/summaries.js';
import type { RecordChange } from '../../domain/kernel/undo-log.js';
import { contactWith, knowsAsId } from '../../domain/relations/former-ids.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { EventMetadata } from '../../engine/writer/metadata.js';
import { decodeData } from '../../engine/keys/codec.js';
import { canonicalJson } from '../../engine/proofs/hashing.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { storedEvents, type VisitedEvents, visitEvents } from '../../engine/past/span.js';
import { admitQuery } from '../../engine/tasks/long-query.js';
import type { IndexedEvents } from '../../engine/read-models/indexed-events.js';
import type { StoredEvent } from '../../event-store/port.js';
import { approach, takenPage } from '../../read-model/page.js';
import type { PageRequest, Position } from '../../read-model/port.js';
import type { EventFilter, RevisionRange } from '../../event-store/stores.js';
import { pageRequest, type PageInput } from '../pages/cursor.js';
import { type FoundPage, shownPage } from '../pages/page-of.js';
import { nowQuery } from '../drive-query.js';
import type { ListPage } from '../list-records.js';
import {
  eventRecordView,
  firstResources,
  inFamilyOrder,
  presentBody,
  presentEvent,
} from '../replay/event-record.js';
import { REPLAY_FAMILIES } from '../replay/families.js';
import { folding, ownersView } from '../replay/owners-view.js';
import { fieldChanges } from './changes.js';
import { type EventQuery, filterOf, rangeOf, refuseRange } from './event-query.js';
import { unknownIn } from './known-names.js';
import { Concerning, type EventChange, eventChangeView } from './concerning.js';
import { mayReadRecord } from './rights.js';
import { extended, listOf, object, type Shown, text } from '../../domain/kernel/view.js';

export type HistoryInput = EventQuery & PageInput;

export const historyItemView = extended('HistoryItem', eventRecordView, {
  data: object('Body of the event; secrets are `***`, erased values `[erased]`'),
  actor_name: text({ description: 'Name at the time of the event', example: 'Alice' }),
  summary: text({ example: 'Alice made Bob an admin of Finance' }),
  changes: listOf(eventChangeView, 'Fields that the event changed, of the records in resource_ids'),
});
export type HistoryItem = Shown<typeof historyItemView>;

/** The history of a drive: its events with actor, time and summary. */
export const GetHistory = nowQuery<HistoryInput, ListPage<HistoryItem>>('GetHistory', history);

async function history(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: HistoryInput,
): Promise<ListPage<HistoryItem> | Refusal> {
  const { drive_id } = drive;
  const { revision: head } = drive.head;
  const { resource_id } = input;
  const denied = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
  const is_auditor = denied === null;
  if (denied && resource_id === undefined) return denied;
  const { actor } = input;
  const knows_actor =
    is_auditor || actor === undefined || knowsAsId(Access.of(context), context.state, actor);
  const filter = { ...filterOf(context.state, input), ...(!knows_actor && { actors: [] }) };
  const misplaced = refuseRange(input, head);
  if (misplaced) return misplaced;
  // The texts of all reasons are compared.
  if (filter.reason !== undefined) admitQuery();
  const indexed = await drives.indexer.upTo(drive_id, head);
  const ids = filter.resource_ids ?? [];
  if (denied && !(await mayReadHistory(drives, context, ids, indexed))) return denied;
  const unknown = is_auditor && (await folding(unknownIn(drives, drive, context, input, indexed)));
  if (unknown) return unknown;
  // An id of a contact may have been another person's before: those events are for auditors only.
  const since_ms = is_auditor ? undefined : contactWith(context.state, ids[0]!)?.created_at;
  const from_ms = since_ms === undefined ? input.from_ms : Math.max(since_ms, input.from_ms ?? 0);
  const range = await rangeOf(drives, drive_id, { ...input, from_ms }, head);
  // By the ids as asked: a superswap between two pages gives a person other ids.
  const { page_size, direction, cursor, cursor_down, cursor_up, ...asked } = input;
  const list = `${drive_id}\nhistory\n${canonicalJson(asked)}`;
  const request = pageRequest(list, input, 'integer');
  if (isRefusal(request)) return request;
  const page = await pageOf(indexed, filter, range, request);
  const asked_for = new Set(ids);
  const concerning = is_auditor
    ? null
    : new Concerning({ ...context, masked: true, lastOnline: () => 0 }, asked_for);
  const of_one_record = input.resource_id !== undefined;
  const revisions = page.items.toSorted((a, b) => a - b);
  const visiting = { revisions, of_one_record, indexed };
  const items = await folding(itemsOf(drives, context, visiting, asked_for, concerning));
  if (isRefusal(items)) return items;
  const found = { ...page, items: direction === 'ASC' ? items : items.toReversed() };
  return shownPage(
    list,
    request,
    found,
    ({ revision }) => positionOf(revision),
    (item) => item,
  );
}

/** True if the caller may read the record. For a deleted record its last state decides. */
async function mayReadHistory(
  drives: Drives,
  context: Context,
  ids: readonly string[],
  indexed: IndexedEvents,
): Promise<boolean> {
  const family = RECORD_KINDS.familyOf(ids[0] ?? '');
  if (!family) return false;
  const { state } = context;
  const own = family === 'drives' && ids[0] === state.drive_id;
  const live = ids.map((id) => state.table(family)?.get(id)).find((record) => record);
  const record = live ?? (await lastKnown(drives, state.drive_id, family, ids, indexed));
  return record !== undefined && mayReadRecord(context, own ? 'organization' : family, record);
}

/** The last state of a deleted record. */
async function lastKnown(
  drives: Drives,
  drive_id: string,
  family: string,
  ids: readonly string[],
  indexed: IndexedEvents,
): Promise<RecordBase | undefined> {
  const range = { from: 0, to: indexed.to };
  const [last] = await indexed.find({ resource_ids: ids }, range, 'DESC', 1);
  if (last === undefined) return undefined;
  const visiting = { revisions: [last], of_one_record: true, indexed };
  const visited = await visitEvents(drives, drive_id, visiting, (_, __, changes) => {
    const change = changes.find(
      ({ definition, id }) => definition.name === family && ids.includes(id),
    );
    return change?.after ?? change?.before;
  });
  return visited.get(last);
}

/** The revisions of a page. */
async function pageOf(
  indexed: IndexedEvents,
  filter: EventFilter,
  range: RevisionRange,
  request: PageRequest,
): Promise<FoundPage<number>> {
  const { page_size } = request;
  const way = approach(request);
  const { from, ascending } = way;
  const [beyond, rest] = from ? split(range, Number(from.key), ascending) : [range, null];
  const reading_direction = ascending ? 'ASC' : 'DESC';
  const found = await indexed.find(filter, beyond, reading_direction, page_size + 1);
  const behind = rest !== null && (await indexed.find(filter, rest, 'ASC', 1)).length > 0;
  const more = { ahead: found.length > page_size, behind };
  const total = await indexed.count(filter, range);
  return { ...takenPage(way, found.slice(0, page_size), more, positionOf), total };
}

function positionOf(revision: number): Position {
  return { key: revision, id: '' };
}

/** Splits a range at a cursor: the part after it in the reading direction, and the rest including it. */
function split(
  { from, to }: RevisionRange,
  at: number,
  upwards: boolean,
): [RevisionRange, RevisionRange] {
  const above = { from: Math.max(from, upwards ? at + 1 : at), to };
  const below = { from, to: Math.min(to, upwards ? at : at - 1) };
  return upwards ? [above, below] : [below, above];
}

/** Items in ascending order. */
async function itemsOf(
  drives: Drives,
  context: Context,
  visiting: VisitedEvents,
  asked_for: ReadonlySet<string>,
  concerning: Concerning | null,
): Promise<HistoryItem[]> {
  const { drive_id } = context.state;
  const { revisions } = visiting;
  const stored = await storedEvents(drives, drive_id, revisions);
  const items = await visitEvents(drives, drive_id, visiting, ({ revision }, state, changes) =>
    itemOf(context, stored.get(revision)!, state, changes, asked_for, concerning),
  );
  return revisions.map((revision) => items.get(revision)!);
}

function itemOf(
  context: Context,
  event: StoredEvent,
  state: DriveState,
  unordered: readonly RecordChange[],
  asked_for: ReadonlySet<string>,
  concerning: Concerning | null,
): HistoryItem {
  const keyed = unordered.map((change) => ({ ...change, family: change.definition.name }));
  const changes = inFamilyOrder(keyed);
  const { open } = context;
  const { actor } = JSON.parse(event.metadata) as EventMetadata;
  const names = summaryContextOf(
    { state, open },
    actor,
    changes,
    concerning ? (family, record) => concerning.isHidden(family, record) : undefined,
  );
  const body = decodeData(event.data) as object;
  const record = presentEvent(event, changes, asked_for);
  const data = presentBody(event.type, body, open);
  const actor_name = names.actor;
  const summary = summarize(names, event.type, body);
  if (!concerning) {
    const fields = changesOf(context, state, event.timestamp_ms, changes, asked_for);
    return { ...record, data, actor_name, summary, changes: fields };
  }
  const shown = concerning.changes(changes);
  return {
    ...record,
    actor: { ...record.actor, user_id: concerning.idShown(record.actor.user_id) },
    resource_ids: concerning.idsShown(record.resource_ids),
    data: concerning.data(data, shown),
    actor_name,
    summary: concerning.isWithheld(summary, changes, shown)
      ? summarizeType(names, event.type)
      : summary,
    changes: shown,
  };
}

/** The fields of shown families that an event changed, as the owner sees them, secrets masked. */
function changesOf(
  context: Context,
  state: DriveState,
  at_ms: number,
  changes: readonly RecordChange[],
  asked_for: ReadonlySet<string>,
): EventChange[] {
  const auditor = ownersView(context, state, at_ms);
  const shown = changes.filter(({ definition }) => REPLAY_FAMILIES.includes(definition.name));
  return firstResources(shown, asked_for).flatMap((change) =>
    fieldChanges(auditor, change).map((field) => ({ resource_id: change.id, ...field })),
  );
}
