import { deniedBy } from '../../domain/access/denial.js';
import { Access } from '../../domain/access/access.js';
import type { Moment } from '../../domain/access-questions/diff.js';
import { Identities } from '../../domain/access-questions/identity.js';
import { isThere } from '../../domain/access-questions/known.js';
import { type About, isAuditor, mayAskAbout } from '../../domain/access-questions/rights.js';
import type { Context } from '../../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { atPoint, type PastState } from '../../engine/past/past.js';
import type { PointRequest } from '../../engine/past/points.js';
import { folding } from '../replay/owners-view.js';
import { resolveQueriedPoint, type ShownPoint } from './queried-point.js';
import { ALL_EXIST, type NamedId, type ExistedById, idsOf, whenExisted } from './known-ids.js';

/** A drive's state at the point of a query. */
interface QueriedMoment extends Moment {
  readonly point: ShownPoint;
  /** A grantee's access at that point; takes the grantee's current id. */
  readonly accessOf: (grantee_id: string) => Access;
  /** The id of a resource at that point; takes its current id. The id of a contact changes by superswap. */
  readonly resourceOf: (resource_id: string) => string;
  /** Lifetimes of queried ids that did not exist at that point; empty unless the caller is an auditor. */
  readonly existed: ExistedById;
}

/** The subject of a query, and the JSON pointer of the member that holds it. */
interface AboutPointer extends About {
  readonly within?: string;
}

type MomentQuery<T> = (moment: QueriedMoment, caller: Access) => T | Refusal;

/**
 * Answers a query about access at a point. The caller's current permissions decide whether it is allowed, whatever the
 * point. Without a point the query reads the live state synchronously, unless an auditor names a missing id.
 */
export function atMoment<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  request: PointRequest,
  abouts: readonly AboutPointer[],
  question: MomentQuery<T>,
): T | Refusal | Promise<T | Refusal> {
  const caller = Access.of(context);
  const closed = abouts.find((about) => !mayAskAbout(caller, about));
  if (closed) return deniedBy(context, (other) => mayAskAbout(Access.of(other), closed));
  // The right may end while a fold is awaited; the latest permissions of the caller apply.
  const latest: MomentQuery<T> = (moment, now) => {
    const lost = abouts.find((about) => !mayAskAbout(now, about));
    return lost ? now.denied() : question(moment, now);
  };
  const ids = isAuditor(caller) ? abouts.flatMap((about) => idsOf(about, about.within)) : [];
  const { at_ms, revision, at } = request;
  if (at_ms !== undefined || revision !== undefined || at !== undefined)
    return inThePast(drives, drive, context, request, ids, latest);
  const point = { revision: drive.head.revision, at_ms: context.now };
  const moment = momentOf(context, point, new Identities(context.state), ALL_EXIST);
  const absent = absentFrom(moment, ids);
  if (absent.length === 0) return question(moment, caller);
  return withAbsent(drives, drive, context, absent, latest);
}

async function withAbsent<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  absent: readonly NamedId[],
  question: MomentQuery<T>,
): Promise<T | Refusal> {
  const existed = await folding(whenExisted(drives, drive, Access.of(context), absent));
  if (isRefusal(existed)) return existed;
  // The current state may have changed during the search.
  await drive.durable();
  const { state } = drive;
  const now = drive.now();
  const point = { revision: drive.head.revision, at_ms: now };
  const caller = new Access(state, context.caller.user_id, now);
  return question(momentOf({ state, now }, point, new Identities(state), existed), caller);
}

async function inThePast<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  request: PointRequest,
  ids: readonly NamedId[],
  question: MomentQuery<T>,
): Promise<T | Refusal> {
  const resolved = await resolveQueriedPoint(drives, drive, context, request);
  if (isRefusal(resolved)) return resolved;
  const { point, shown } = resolved;
  const momentThen = ({ folded }: PastState, existed: ExistedById): QueriedMoment => {
    const then = { state: folded.state, now: point.at_ms };
    return momentOf(then, shown, new Identities(drive.state), existed);
  };
  const absent = await folding(
    atPoint(drives, drive, point, async (past) => {
      await drive.durable();
      return absentFrom(momentThen(past, ALL_EXIST), ids);
    }),
  );
  if (isRefusal(absent)) return absent;
  const existed = await folding(whenExisted(drives, drive, Access.of(context), absent));
  if (isRefusal(existed)) return existed;
  return folding(
    atPoint(drives, drive, point, async (past) => {
      // The current state may have changed meanwhile; the latest permissions of the caller apply.
      await drive.durable();
      const caller = new Access(drive.state, context.caller.user_id, drive.now());
      return question(momentThen(past, existed), caller);
    }),
  );
}

function momentOf(
  { state, now }: Moment,
  point: ShownPoint,
  identities: Identities,
  existed: ExistedById,
): QueriedMoment {
  const { revision } = point;
  return {
    state,
    now,
    point,
    existed,
    accessOf: (id) => new Access(state, identities.userThen(id, revision), now),
    resourceOf: (id) => identities.resourceThen(id, revision),
  };
}

/** The ids that did not exist at that point. */
function absentFrom(moment: QueriedMoment, ids: readonly NamedId[]): NamedId[] {
  const { state, now } = moment;
  return ids.filter(({ id }) => !isThere(state, moment.accessOf(id).grantee_id, now));
}
