import type { Context } from '../../domain/foundation/decision.js';
import { STATE_VERSION } from '../../domain/drive/state.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { replayed, type ReplayedState } from '../../engine/past/past.js';
import { type PointRequest, presentOf, resolvePoint } from '../../engine/past/points.js';
import { emptyPage } from '../../read-model/page.js';
import type { Document } from '../../read-model/port.js';
import { pageRequest, type PageInput } from '../pages/cursor.js';
import { auditQuery } from '../drive-query.js';
import { type ListPage, positionOf } from '../list-records.js';
import { Room, shownPage } from '../pages/page-of.js';
import { pastReadScope } from '../read-scope.js';
import { eventRecordView, presentEvent } from './event-record.js';
import { ownersView } from './owners-view.js';
import { countRecords, presentRecord, REPLAY_FAMILIES } from './families.js';
import {
  flag,
  integer,
  nullable,
  object,
  type Shown,
  text,
  view,
} from '../../domain/kernel/view.js';

interface ReplayInput extends PointRequest, PageInput {
  readonly include: readonly string[];
  readonly record_id?: string | undefined;
  readonly verify: boolean;
  /** False skips the state hash. */
  readonly hash: boolean;
}

export const replayView = view('Replay', {
  drive_id: text(),
  revision: integer(),
  at_ms: integer(),
  last_event: eventRecordView,
  events_folded: integer(),
  snapshot_revision: nullable(
    integer('Revision of the snapshot from which the fold started; null: event 0'),
  ),
  duration_ms: integer(),
  state_hash: nullable(text('64 hex digits; null if not requested')),
  state_version: integer(),
  chain_hash: text(),
  verified: nullable(flag<true>('true after `verify`, else null')),
  log_root: text(),
  erased_subjects: integer('Contacts known at the point whose personal data has been erased since'),
  counts: object<Record<string, number>>('Records of every family'),
  state: object<Record<string, ListPage<object>>>('A list page of every included family'),
});
export type ReplayAnswer = Shown<typeof replayView>;

/** The state of a drive at a past point. */
export const Replay = auditQuery<ReplayInput, ReplayAnswer>('Replay', replay);

async function replay(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: ReplayInput,
): Promise<ReplayAnswer | Refusal> {
  const started = performance.now();
  const families = familiesOf(input);
  if (isRefusal(families)) return families;
  const point = await resolvePoint(
    drives.events,
    drive.drive_id,
    input,
    presentOf(drive, context.now),
  );
  if (isRefusal(point)) return point;
  // The live state must be read synchronously, so its hash is computed first.
  if (input.hash && point.revision === drive.head.revision) await drive.folded.hash.hashInTurns();
  const { verify } = input;
  // Without indexes of the current state (they are in MongoDB), a past one is indexed, in turns.
  const may_be_current = drive.reads !== null || families.length === 0;
  return replayed(drives, drive, point, { verify, may_be_current }, async (past) => {
    const answer = await answerAt(drives, drive, context, past, families, input);
    if (isRefusal(answer)) return answer;
    return { ...answer, duration_ms: Math.round(performance.now() - started) };
  });
}

/** The answer, but for its duration. */
async function answerAt(
  drives: Drives,
  drive: Drive,
  context: Context,
  past: ReplayedState,
  families: readonly string[],
  input: ReplayInput,
): Promise<Omit<ReplayAnswer, 'duration_ms'> | Refusal> {
  const { folded, point } = past;
  const { state, hash } = folded;
  if (input.hash && past.prepare) await hash.hashInTurns();
  if (input.record_id || families.length > 0) await past.prepare?.();
  const shown = ownersView(context, state, point.at_ms);
  // All data of the live state is read before the next await.
  const answer: Omit<ReplayAnswer, 'state' | 'duration_ms' | 'log_root'> = {
    drive_id: drive.drive_id,
    revision: point.revision,
    at_ms: point.at_ms,
    last_event: presentEvent(past.last_event, past.last_touched),
    events_folded: past.events_folded,
    snapshot_revision: past.snapshot_revision,
    state_hash: input.hash && state.unknown_events.size === 0 ? hash.root() : null,
    state_version: STATE_VERSION,
    chain_hash: Buffer.from(past.last_event.hash).toString('hex'),
    verified: input.verify ? true : null,
    erased_subjects: drive.state.subjects.erasedOf(state),
    counts: countRecords(shown),
  };
  const pages = input.record_id
    ? recordsOf(shown, input.record_id)
    : await pagesOf(drive, shown, past, families, input);
  if (isRefusal(pages)) return pages;
  const log_root = past.log_root ?? (await drives.log.rootAt(drive, point.revision + 1));
  return { ...answer, log_root: log_root.toString('hex'), state: pages };
}

function familiesOf(input: ReplayInput): readonly string[] | Refusal {
  const families = input.include.includes('ALL')
    ? REPLAY_FAMILIES
    : REPLAY_FAMILIES.filter((family) => input.include.includes(family));
  const has_cursor = input.cursor || input.cursor_down || input.cursor_up;
  if (has_cursor && families.length !== 1)
    return refuseField('/include', 'must name exactly one family when a cursor is given');
  return families;
}

/** The record in one family, or in two: the organization is also a record of the family `drives`. */
function recordsOf(context: Context, record_id: string): ReplayAnswer['state'] | Refusal {
  const page = { page_size: 1, total: 1, direction: 'ASC' as const };
  const ends = { cursor: null, cursor_down: null, cursor_up: null };
  const shown = REPLAY_FAMILIES.flatMap((family) => {
    const record = context.state.table(family)?.get(record_id);
    return record
      ? [[family, { items: [presentRecord(context, family, record)], ...page, ...ends }]]
      : [];
  });
  if (shown.length > 0) return Object.fromEntries(shown) as ReplayAnswer['state'];
  return refuse('resource-not-found', { pointer: '/record_id', reason: 'did not exist then' });
}

async function pagesOf(
  drive: Drive,
  context: Context,
  past: ReplayedState,
  families: readonly string[],
  input: ReplayInput,
): Promise<ReplayAnswer['state'] | Refusal> {
  const stored = families.filter((family) => context.state.table(family));
  const model = past.prepare ? pastReadScope(drive, past).read_model : drive.reads!;
  const queries = [];
  for (const family of families) {
    const list = `${context.state.drive_id}\nreplay\n${family}`;
    const page = pageRequest(list, input, 'number');
    if (isRefusal(page)) return page;
    queries.push({ family, list, page });
  }
  // All at once, so that they show one state.
  const found = await Promise.all(
    queries.map(({ family, page }) =>
      stored.includes(family)
        ? model.list(context.state.drive_id, { ...page, family, visible: 'all' })
        : Promise.resolve(emptyPage<Document>()),
    ),
  );
  const room = new Room();
  return Object.fromEntries(
    queries.map(({ family, list, page }, nth) => {
      const present = ({ record }: Document): object => presentRecord(context, family, record);
      return [family, shownPage(list, page, found[nth]!, positionOf, present, { room })];
    }),
  ) as ReplayAnswer['state'];
}
