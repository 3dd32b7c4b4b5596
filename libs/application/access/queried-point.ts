import { Access } from '../../domain/access/access.js';
import { isAuditor } from '../../domain/access-questions/rights.js';
import type { Context } from '../../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import {
  type Point,
  type PointRequest,
  presentOf,
  refuseBookmark,
  resolvePoint,
} from '../../engine/past/points.js';
import { integer, nullable, type Shown, view } from '../../domain/kernel/view.js';

export const shownPointView = view('ShownPoint', {
  revision: integer(),
  at_ms: nullable(integer('ms; null for callers without VIEW on TABLE_AUDIT who name a revision')),
});
export type ShownPoint = Shown<typeof shownPointView>;

interface QueriedPoint {
  readonly point: Point;
  readonly shown: ShownPoint;
}

/**
 * The point of a query about access. Bookmarks and the times of revisions are limited to auditors: for other callers
 * no bookmark exists, and the time of a named revision is null.
 * @param within pointer of the member that holds the point
 */
export async function resolveQueriedPoint(
  drives: Drives,
  drive: Drive,
  context: Context,
  request: PointRequest,
  within = '',
): Promise<QueriedPoint | Refusal> {
  const is_auditor = isAuditor(Access.of(context));
  if (request.at !== undefined && !is_auditor) return refuseBookmark(within);
  const present = presentOf(drive, context.now);
  const point = await resolvePoint(drives.events, drive.drive_id, request, present, within);
  if (isRefusal(point)) return point;
  const is_hidden = request.revision !== undefined && !is_auditor;
  return { point, shown: is_hidden ? { ...point, at_ms: null } : point };
}
