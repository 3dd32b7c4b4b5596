import type { RecordBase } from '../../domain/kernel/record.js';
import { refuseWithout } from '../../domain/access/denial.js';
import type { Context } from '../../domain/foundation/decision.js';
import { namesIn, recordName } from '../../domain/drive/names.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import { sortSteps } from '../../domain/kernel/indexes/sort-steps.js';
import type { Outcome } from '../../engine/writer/call.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import {
  type Point,
  type PointRequest,
  presentOf,
  resolvePoint,
} from '../../engine/past/points.js';
import { type RecordSpan, type Span, useSpan } from '../../engine/past/span.js';
import { inTurns, Pace } from '../../engine/tasks/turns.js';
import type { PageInput } from '../cursor.js';
import { driveQuery } from '../drive-query.js';
import type { ListPage } from '../list-records.js';
import { pageOf } from '../page-of.js';
import { answerNow, type Reader } from '../read-record.js';
import { presentRecord, REPLAY_FAMILIES } from '../replay/families.js';
import { folding, ownersView } from '../replay/owners-view.js';
import { fieldChanges, fieldChangeView, type ComparedRecord } from './changes.js';
import {
  integer,
  listOf,
  object,
  oneOf,
  type Shown,
  text,
  view,
} from '../../domain/kernel/view.js';

export const CHANGES = ['CREATED', 'UPDATED', 'DELETED'] as const;
export type Change = (typeof CHANGES)[number];

export interface CompareInput extends PageInput {
  readonly from: PointRequest;
  readonly to: PointRequest;
  readonly include: readonly string[];
}

/** One record that differs between two points. */
export const recordDifferenceView = view('Difference', {
  family: oneOf(REPLAY_FAMILIES),
  resource_id: text(),
  name: text('Name of the record'),
  change: oneOf(CHANGES),
  fields: listOf(fieldChangeView),
  revisions: listOf(
    integer(),
    'Revisions of the events between the points that changed the record',
  ),
});
export type RecordDifference = Shown<typeof recordDifferenceView>;

const pointView = view('Point', { revision: integer(), at_ms: integer('ms') });

export const compareSummaryView = view('CompareSummary', {
  from: pointView,
  to: pointView,
  counts: object<Counts>('Rows of every family by change, over all pages'),
});

type Counts = Partial<Record<string, Record<Change, number>>>;

export type CompareAnswer = ListPage<RecordDifference> & Shown<typeof compareSummaryView>;

/** Answers the comparison of two points. */
export function answerCompare(
  drives: Drives,
  reader: Reader,
  input: CompareInput,
): Promise<Outcome<CompareAnswer>> {
  return answerNow(drives, reader, (context, drive) => compare(drives, drive, context, input));
}

/** The changes between two points in a drive's history. */
export const Compare = driveQuery<CompareInput, CompareAnswer>('Compare', answerCompare);

async function compare(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: CompareInput,
): Promise<CompareAnswer | Refusal> {
  const denied = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
  if (denied) return denied;
  const { drive_id } = drive;
  const present = presentOf(drive, context.now);
  const from = await resolvePoint(drives.events, drive_id, input.from, present, '/from');
  if (isRefusal(from)) return from;
  const to = await resolvePoint(drives.events, drive_id, input.to, present, '/to');
  if (isRefusal(to)) return to;
  const families = REPLAY_FAMILIES.filter((family) => isIncluded(input, family));
  const found = await folding(differences(drives, context, from, to, families));
  if (isRefusal(found)) return found;
  // The end of the span may advance between pages, since "now" does; its start must stay the same.
  const list = `${drive_id}\ncompare ${from.revision}\n${families.join()}`;
  const page = pageOf(list, input, found, ({ family, resource_id: id }) => ({
    key: REPLAY_FAMILIES.indexOf(family),
    id,
  }));
  if (isRefusal(page)) return page;
  return { ...page, from, to, counts: countsOf(families, found) };
}

function isIncluded({ include }: CompareInput, family: string): boolean {
  return include.length === 0 || include.includes('ALL') || include.includes(family);
}

/** All records that differ, ordered by family and then by id. */
async function differences(
  drives: Drives,
  context: Context,
  from: Point,
  to: Point,
  families: readonly string[],
): Promise<RecordDifference[]> {
  if (from.revision === to.revision) return [];
  const { drive_id } = context.state;
  const [earlier, later] = [from, to].toSorted((a, b) => a.revision - b.revision);
  const range = { from: earlier!.revision, to: later!.revision };
  return useSpan(drives, drive_id, range, (span) =>
    differencesIn(span, ownersView(context, span.state, later!.at_ms), families, earlier === to),
  );
}

async function differencesIn(
  { records }: Span,
  auditor: Context,
  families: readonly string[],
  is_backward: boolean,
): Promise<RecordDifference[]> {
  const rows: RecordDifference[] = [];
  const pace = new Pace();
  for (const span of records) {
    if (pace.is_due) await pace.turn();
    const family = families.find((name) => name === span.definition.name);
    if (!family) continue;
    const row = difference(auditor, family, is_backward ? reversed(span) : span);
    if (row) rows.push(row);
  }
  await inTurns(
    sortSteps(
      rows,
      (a, b) =>
        REPLAY_FAMILIES.indexOf(a.family) - REPLAY_FAMILIES.indexOf(b.family) ||
        (a.resource_id < b.resource_id ? -1 : 1),
    ),
  );
  return rows;
}

function reversed({ before, after, ...span }: RecordSpan): RecordSpan {
  return { ...span, before: after, after: before };
}

/** Null if the record is the same at both points, or exists at neither. */
function difference(
  auditor: Context,
  family: string,
  { definition, id, before, after, revisions }: RecordSpan,
): RecordDifference | null {
  const named = after ?? before;
  if (!named) return null;
  const compared = (record: RecordBase | undefined): ComparedRecord | undefined =>
    record && { record, view: () => presentRecord(auditor, family, record) };
  const fields = fieldChanges(definition, auditor.open, compared(before), compared(after));
  if (fields.length === 0) return null;
  const change = !before ? 'CREATED' : !after ? 'DELETED' : 'UPDATED';
  const name = recordName(namesIn(auditor), family, named);
  return { family, resource_id: id, name, change, fields, revisions };
}

function countsOf(families: readonly string[], rows: readonly RecordDifference[]): Counts {
  const counts: Counts = {};
  for (const family of families) counts[family] = { CREATED: 0, UPDATED: 0, DELETED: 0 };
  for (const { family, change } of rows) counts[family]![change]++;
  return counts;
}
