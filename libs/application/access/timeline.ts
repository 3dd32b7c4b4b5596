import { deniedBy } from '../../domain/access/denial.js';
import { Access } from '../../domain/access/access.js';
import { DecidingRecords } from '../../domain/access-questions/deciding-records.js';
import { Identities } from '../../domain/access-questions/identity.js';
import { ifExisted, isThere } from '../../domain/access-questions/known.js';
import { mayAskAbout, pathsFor } from '../../domain/access-questions/rights.js';
import { heldIntervalView, Timeline } from '../../domain/access-questions/timeline.js';
import type { Context } from '../../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import { integer, listOf, type Shown, text, view } from '../../domain/kernel/view.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { Semaphore } from '../../engine/tasks/semaphore.js';
import { nowQuery } from '../drive-query.js';
import { folding } from '../replay/owners-view.js';
import { followedIntervals, foldedIntervals } from '../../engine/past/held-intervals.js';
import { existedOf, idsOf, whenExisted } from './known-ids.js';

interface TimelineInput {
  readonly grantee_id: string;
  readonly resource_id: string;
}

export const timelineView = view('Timeline', {
  grantee_id: text(),
  resource_id: text(),
  revision: integer('The last revision evaluated'),
  intervals: listOf(heldIntervalView, 'At most 10,000, the latest ones'),
  interval_count: integer('Number of all intervals'),
  existed: ifExisted,
});
type TimelineAnswer = Shown<typeof timelineView>;

const MOST_INTERVALS = 10_000;
/** Each fold of a whole stream holds its own state in memory. */
const at_one_time = new Semaphore(2, 1);

/** The intervals in which a grantee held permissions on a resource, over the whole stream. */
export const AccessTimeline = nowQuery<TimelineInput, TimelineAnswer>(
  'AccessTimeline',
  (drives, drive, context, input) => {
    if (!mayAskAbout(Access.of(context), input))
      return deniedBy(context, (other) => mayAskAbout(Access.of(other), input));
    return folding(timeline(drives, drive, context, input));
  },
);

async function timeline(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: TimelineInput,
): Promise<TimelineAnswer | Refusal> {
  const { grantee_id, resource_id } = input;
  const { drive_id } = drive;
  const { state, now } = context;
  const { revision } = drive.head;
  const show = pathsFor(Access.of(context));
  const identities = new Identities(state);
  const deciding = new DecidingRecords(state, grantee_id, resource_id, identities);
  const newTimeline = () => new Timeline(grantee_id, resource_id, identities, show);
  const gone = idsOf(input).filter(({ id }) => !isThere(state, id, now));
  const existed = await whenExisted(drives, drive, Access.of(context), gone);
  if (isRefusal(existed)) return existed;
  const source = { drives, drive_id, revision, now, newTimeline };
  const intervals =
    (await followedIntervals(source, deciding)) ??
    (await at_one_time.run(() => foldedIntervals(source), drive_id));
  return {
    grantee_id,
    resource_id,
    revision,
    intervals: intervals.slice(-MOST_INTERVALS),
    interval_count: intervals.length,
    ...existedOf(input, existed),
  };
}
