import { deniedBy } from '../../domain/access/denial.js';
import { Access } from '../../domain/access/access.js';
import {
  type AccessChange,
  AccessDiff,
  type DiffPlace,
  type DiffQuery,
} from '../../domain/access-questions/diff.js';
import { isDeciding } from '../../domain/access-questions/deciding-fields.js';
import { Identities } from '../../domain/access-questions/identity.js';
import { ifExisted, isThere } from '../../domain/access-questions/known.js';
import { mayAskAbout, pathsFor } from '../../domain/access-questions/rights.js';
import type { Context } from '../../domain/foundation/decision.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import type { PointRequest } from '../../engine/past/points.js';
import { Semaphore } from '../../engine/tasks/semaphore.js';
import { Pace } from '../../engine/tasks/turns.js';
import { type Span, useSpan } from '../../engine/past/span.js';
import type { PageInput } from '../pages/cursor.js';
import { driveQuery } from '../drive-query.js';
import type { ListPage } from '../list-records.js';
import { mayNow } from '../may-now.js';
import { pageOf } from '../pages/page-of.js';
import { answerNow } from '../read-record.js';
import { folding } from '../replay/owners-view.js';
import { resolveQueriedPoint, shownPointView } from './queried-point.js';
import { inOrder, type Placed } from './in-order.js';
import { existedOf, idsOf, whenExisted } from './known-ids.js';
import { type Shown, view } from '../../domain/kernel/view.js';

interface AccessDiffInput extends PageInput, DiffQuery {
  readonly from: PointRequest;
  readonly to: PointRequest;
}

/** The members of a difference besides its rows. */
export const accessDiffSummaryView = view('AccessDiffSummary', {
  from: shownPointView,
  to: shownPointView,
  existed: ifExisted,
});
type AccessDiffAnswer = ListPage<AccessChange> & Shown<typeof accessDiffSummaryView>;

/** Each query holds its own states in memory; a drive has one at a time. */
const at_one_time = new Semaphore(2, 1);

/** The permissions that grantees gained and lost between two points. */
export const CompareAccess = driveQuery<AccessDiffInput, AccessDiffAnswer>(
  'CompareAccess',
  (drives, reader, input) =>
    answerNow(drives, reader, (context, drive) => {
      if (!mayAskAbout(Access.of(context), input))
        return deniedBy(context, (other) => mayAskAbout(Access.of(other), input));
      return folding(
        at_one_time.run(async () => {
          // The right may have ended in the queue.
          const may = await mayNow(drives, reader, (now) => mayAskAbout(Access.of(now), input));
          return may ? compareAccess(drives, drive, context, input) : Access.of(context).denied();
        }, drive.drive_id),
      );
    }),
);

async function compareAccess(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: AccessDiffInput,
): Promise<AccessDiffAnswer | Refusal> {
  const { drive_id } = drive;
  const { grantee_id, resource_id } = input;
  const show = pathsFor(Access.of(context));
  const from_point = await resolveQueriedPoint(drives, drive, context, input.from, '/from');
  if (isRefusal(from_point)) return from_point;
  const to_point = await resolveQueriedPoint(drives, drive, context, input.to, '/to');
  if (isRefusal(to_point)) return to_point;
  const { point: from } = from_point;
  const { point: to } = to_point;
  const caller = Access.of(context);
  // Read at once: the current state may have a batch on its way later.
  await drive.durable();
  const identities = new Identities(context.state);
  const gone = idsOf(input).filter(({ id }) => !isThere(context.state, id, context.now));
  const known = await whenExisted(drives, drive, caller, gone);
  if (isRefusal(known)) return known;
  const is_backward = (to.revision - from.revision || to.at_ms - from.at_ms) < 0;
  const [earlier, later] = is_backward ? [to, from] : [from, to];
  const range = { from: earlier.revision, to: later.revision };
  // Current ids stand for the same people at the later point too.
  const thenOf = (id: string): string => identities.resourceThen(id, later.revision);
  const then: DiffQuery = {
    grantee_id: grantee_id && identities.userThen(grantee_id, later.revision),
    resource_id: resource_id && thenOf(resource_id),
  };
  const compare = async (old_state: DriveState, { state, records }: Span) => {
    const diff = new AccessDiff(
      { state: old_state, now: earlier.at_ms },
      { state, now: later.at_ms },
      records,
      show,
    );
    const absent = idsOf(input).filter(({ id }) => !diff.isThere(thenOf(id)));
    const existed = await whenExisted(drives, drive, caller, absent);
    if (isRefusal(existed)) return existed;
    const places: DiffPlace[] = [];
    const pace = new Pace();
    for (const place of diff.places(then)) {
      if (place) places.push(place);
      if (pace.is_due) await pace.turn();
    }
    const ordered = inOrder(places, textOf, ({ resource_root }) => resource_root);
    // The end of the span may advance between pages, since "now" does; its start must stay the same.
    const list_key = [from.revision, grantee_id ?? '', resource_id ?? ''].join('\n');
    const list = `${drive_id}\naccess_diff\n${list_key}`;
    const present = ({ item }: Placed<DiffPlace>): AccessChange => {
      const row = diff.rowOf(item);
      // Whose id was another's then is named by the id that was asked for.
      const named = { ...row, grantee_id: row.grantee_id || grantee_id! };
      return is_backward ? reversed(named) : named;
    };
    const page = pageOf(list, input, ordered, ({ position }) => position, present);
    if (isRefusal(page)) return page;
    const points = { from: from_point.shown, to: to_point.shown };
    return { ...page, ...points, ...existedOf(input, existed) };
  };
  const { past_states } = drives;
  const { from: first } = range;
  return past_states.use(drive_id, first, first, null, async (state) => {
    await state.prepare();
    const use = (span: Span) => compare(state.folded.state, span);
    return useSpan(drives, drive_id, range, use, isDeciding);
  });
}

function textOf({ grantee_id, path }: DiffPlace): string {
  return `${grantee_id} ${path}`;
}

function reversed(change: AccessChange): AccessChange {
  const { gained, lost, gained_below, lost_below } = change;
  return {
    ...change,
    gained: lost,
    lost: gained,
    gained_below: lost_below,
    lost_below: gained_below,
  };
}
