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
import { keptPast } from '../../engine/past/past.js';
import type { PointRequest } from '../../engine/past/points.js';
import { folding } from '../replay/owners-view.js';
import { resolveAskedPoint, type ShownPoint } from './asked-point.js';
import { ALL_THERE, type AskedId, type ExistedById, idsOf, whenExisted } from './known-ids.js';

/** A drive at the point that a question names. */
export interface AskedMoment extends Moment {
  readonly point: ShownPoint;
  /** Somebody's access then, named by the id of now. */
  readonly accessOf: (grantee_id: string) => Access;
  /** The id that a resource had then, which may be a contact. */
  readonly resourceOf: (resource_id: string) => string;
  /** When ids existed that the question names and that were not there then; none but for auditors. */
  readonly existed: ExistedById;
}

/** What a question asks about, and the pointer of the member that says so. */
export interface AboutPointer extends About {
  readonly within?: string;
}

type MomentQuestion<T> = (moment: AskedMoment, asker: Access) => T | Refusal;

/**
 * Answers a question about access at a point. Who may ask is decided now, whatever the point; without
 * a point the question is asked of the live state before anything is awaited, unless an auditor names an
 * id that is not there.
 */
export function atMoment<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  request: PointRequest,
  abouts: readonly AboutPointer[],
  question: MomentQuestion<T>,
): T | Refusal | Promise<T | Refusal> {
  const asker = Access.of(context);
  const closed = abouts.find((about) => !mayAskAbout(asker, about));
  if (closed) return deniedBy(context, (asked) => mayAskAbout(Access.of(asked), closed));
  const ids = isAuditor(asker) ? abouts.flatMap((about) => idsOf(about, about.within)) : [];
  const { at_ms, revision, at } = request;
  if (at_ms !== undefined || revision !== undefined || at !== undefined)
    return inThePast(drives, drive, context, request, ids, question);
  const point = { revision: drive.head.revision, at_ms: context.now };
  const moment = momentOf(context, point, new Identities(context.state), ALL_THERE);
  const absent = absentFrom(moment, ids);
  if (absent.length === 0) return question(moment, asker);
  return ofAbsent(drives, drive, context, absent, question);
}

async function ofAbsent<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  absent: readonly AskedId[],
  question: MomentQuestion<T>,
): Promise<T | Refusal> {
  const existed = await folding(whenExisted(drives, drive, Access.of(context), absent));
  if (isRefusal(existed)) return existed;
  // The present may have moved on meanwhile.
  await drive.durable();
  const { state } = drive;
  const now = drive.now();
  const point = { revision: drive.head.revision, at_ms: now };
  const asker = new Access(state, context.caller.user_id, now);
  return question(momentOf({ state, now }, point, new Identities(state), existed), asker);
}

async function inThePast<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  request: PointRequest,
  ids: readonly AskedId[],
  question: MomentQuestion<T>,
): Promise<T | Refusal> {
  const asked = await resolveAskedPoint(drives, drive, context, request);
  if (isRefusal(asked)) return asked;
  const { point, shown } = asked;
  const past = await folding(keptPast(drives, drive, point));
  if (isRefusal(past)) return past;
  await drive.durable();
  const then = { state: past.folded.state, now: point.at_ms };
  const absent = absentFrom(momentOf(then, shown, new Identities(drive.state), ALL_THERE), ids);
  const existed = await folding(whenExisted(drives, drive, Access.of(context), absent));
  if (isRefusal(existed)) return existed;
  // The current state may have changed meanwhile; the caller sees what they may see now.
  await drive.durable();
  const asker = new Access(drive.state, context.caller.user_id, drive.now());
  return question(momentOf(then, shown, new Identities(drive.state), existed), asker);
}

function momentOf(
  { state, now }: Moment,
  point: ShownPoint,
  identities: Identities,
  existed: ExistedById,
): AskedMoment {
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

/** The ids that stood for nothing then. */
function absentFrom(moment: AskedMoment, ids: readonly AskedId[]): AskedId[] {
  const { state, now } = moment;
  return ids.filter(({ id }) => !isThere(state, moment.accessOf(id).grantee_id, now));
}
