import type { Context } from '../../domain/foundation/decision.js';
import { namesIn, recordName } from '../../domain/drive/names.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import { sortSteps } from '../../domain/kernel/indexes/sort-steps.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { type PointRequest, presentOf, resolvePoint } from '../../engine/past/points.js';
import { type RecordSpan, type Span, useSpan } from '../../engine/past/span.js';
import { inTurns, Pace } from '../../engine/tasks/turns.js';
import type { Position } from '../../read-model/port.js';
import type { PageInput } from '../pages/cursor.js';
import { auditQuery } from '../drive-query.js';
import type { ListPage } from '../list-records.js';
import { pageOf } from '../pages/page-of.js';
import { REPLAY_FAMILIES } from '../replay/families.js';
import { ownersView } from '../replay/owners-view.js';
import { fieldChanges, fieldChangeView } from './changes.js';
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
type RecordDifference = Shown<typeof recordDifferenceView>;

const pointView = view('Point', { revision: integer(), at_ms: integer('ms') });

export const compareSummaryView = view('CompareSummary', {
  from: pointView,
  to: pointView,
  counts: object<Counts>('Rows of every family by change, over all pages'),
});

type Counts = Partial<Record<string, Record<Change, number>>>;

export type CompareAnswer = ListPage<RecordDifference> & Shown<typeof compareSummaryView>;

/** The changes between two points in a drive's history. */
export const Compare = auditQuery<CompareInput, CompareAnswer>('Compare', compare);

async function compare(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: CompareInput,
): Promise<CompareAnswer | Refusal> {
  const { drive_id } = drive;
  const present = presentOf(drive, context.now);
  const from = await resolvePoint(drives.events, drive_id, input.from, present, '/from');
  if (isRefusal(from)) return from;
  const to = await resolvePoint(drives.events, drive_id, input.to, present, '/to');
  if (isRefusal(to)) return to;
  const families = REPLAY_FAMILIES.filter((family) => isIncluded(input, family));
  // The end of the span may advance between pages, since "now" does; its start must stay the same.
  const list = `${drive_id}\ncompare ${from.revision}\n${families.join()}`;
  const answer = (rows: readonly Changed[], auditor: Context): CompareAnswer | Refusal => {
    const position = ({ family, span: { id } }: Changed): Position => ({
      key: REPLAY_FAMILIES.indexOf(family),
      id,
    });
    const page = pageOf(list, input, rows, position, (row) => shown(auditor, row));
    if (isRefusal(page)) return page;
    return { ...page, from, to, counts: countsOf(families, rows) };
  };
  if (from.revision === to.revision) return answer([], context);
  const [earlier, later] = [from, to].toSorted((a, b) => a.revision - b.revision);
  const range = { from: earlier!.revision, to: later!.revision };
  return useSpan(drives, drive_id, range, async (span) => {
    const auditor = ownersView(context, span.state, later!.at_ms);
    return answer(await changesIn(span, auditor, families, earlier === to), auditor);
  });
}

function isIncluded({ include }: CompareInput, family: string): boolean {
  return include.length === 0 || include.includes('ALL') || include.includes(family);
}

/** A record that differs. Its fields are compared once more if it is shown: those of all would not fit into memory. */
interface Changed {
  readonly family: string;
  readonly change: Change;
  readonly span: RecordSpan;
}

/** All records that differ, ordered by family and then by id. */
async function changesIn(
  { records }: Span,
  auditor: Context,
  families: readonly string[],
  is_backward: boolean,
): Promise<Changed[]> {
  const rows: Changed[] = [];
  const pace = new Pace();
  for (const one of records) {
    if (pace.is_due) await pace.turn();
    const family = families.find((name) => name === one.definition.name);
    if (!family) continue;
    const span = is_backward ? reversed(one) : one;
    const change = changeOf(auditor, span);
    if (change) rows.push({ family, change, span });
  }
  await inTurns(
    sortSteps(
      rows,
      (a, b) =>
        REPLAY_FAMILIES.indexOf(a.family) - REPLAY_FAMILIES.indexOf(b.family) ||
        (a.span.id < b.span.id ? -1 : 1),
    ),
  );
  return rows;
}

function reversed({ before, after, ...span }: RecordSpan): RecordSpan {
  return { ...span, before: after, after: before };
}

/** Null if the record is the same at both points, or exists at neither. */
function changeOf(auditor: Context, span: RecordSpan): Change | null {
  const { before, after } = span;
  if (!before && !after) return null;
  if (!before) return 'CREATED';
  if (!after) return 'DELETED';
  return fieldChanges(auditor, span).length > 0 ? 'UPDATED' : null;
}

function shown(auditor: Context, { family, change, span }: Changed): RecordDifference {
  const { id: resource_id, before, after, revisions } = span;
  const name = recordName(namesIn(auditor), family, (after ?? before)!);
  const fields = fieldChanges(auditor, span);
  return { family, resource_id, name, change, fields, revisions };
}

function countsOf(families: readonly string[], rows: readonly Changed[]): Counts {
  const counts: Counts = {};
  for (const family of families) counts[family] = { CREATED: 0, UPDATED: 0, DELETED: 0 };
  for (const { family, change } of rows) counts[family]![change]++;
  return counts;
}
