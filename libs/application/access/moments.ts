import { Access } from '../../domain/access/access.js';
import type { Moment } from '../../domain/access-questions/diff.js';
import { Identities } from '../../domain/access-questions/identity.js';
import { type About, mayAskAbout } from '../../domain/access-questions/rights.js';
import type { Context } from '../../domain/drive/decision.js';
import { isRefusal, type Refusal, refuse } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/drive.js';
import type { Drives } from '../../engine/drives.js';
import { keptPast } from '../../engine/past.js';
import { type Point, type PointRequest, presentOf, resolvePoint } from '../../engine/points.js';
import { folding } from '../replay/owners-view.js';

/** A drive at the point that a question names. */
export interface AskedMoment extends Moment {
  readonly point: Point;
  /** Somebody's access then, named by the id of now. */
  readonly accessOf: (grantee_id: string) => Access;
  /** The id that a resource had then, which may be a contact. */
  readonly resourceOf: (resource_id: string) => string;
}

/**
 * Answers a question about access at a point. Who may ask is decided now, whatever the point; without
 * a point the question is asked of the live state before anything is awaited.
 */
export function atMoment<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  request: PointRequest,
  abouts: readonly About[],
  question: (moment: AskedMoment, asker: Access) => T | Refusal,
): T | Refusal | Promise<T | Refusal> {
  const asker = Access.of(context);
  if (!abouts.every((about) => mayAskAbout(asker, about))) return refuse('forbidden');
  const { at_ms, revision, at } = request;
  if (at_ms === undefined && revision === undefined && at === undefined) {
    const point = { revision: drive.head.revision, at_ms: context.now };
    return question(momentOf(context, point, new Identities(context.state)), asker);
  }
  return inThePast(drives, drive, context, request, question);
}

async function inThePast<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  request: PointRequest,
  question: (moment: AskedMoment, asker: Access) => T | Refusal,
): Promise<T | Refusal> {
  const { drive_id } = drive;
  const present = presentOf(drive, context.now);
  const point = await resolvePoint(drives.events, drive_id, request, present);
  if (isRefusal(point)) return point;
  const past = await folding(keptPast(drives, drive, point));
  if (isRefusal(past)) return past;
  // The present may have moved on meanwhile; whoever asks is shown what they may see now.
  await drive.settled();
  const asker = new Access(drive.state, context.caller.user_id, drive.now());
  const identities = new Identities(drive.state);
  const then = { state: past.folded.state, now: point.at_ms };
  return question(momentOf(then, point, identities), asker);
}

function momentOf({ state, now }: Moment, point: Point, identities: Identities): AskedMoment {
  const { revision } = point;
  return {
    state,
    now,
    point,
    accessOf: (id) => new Access(state, identities.userThen(id, revision), now),
    resourceOf: (id) => identities.resourceThen(id, revision),
  };
}
