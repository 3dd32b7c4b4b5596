import { Body, Post } from '@nestjs/common';
import { CompareAccess, accessDiffSummaryView } from '../../../libs/application/access/past.js';
import {
  CheckMany,
  Explain,
  Reach,
  Who,
  accessPointView,
  checkManyView,
  explainView,
} from '../../../libs/application/access/questions.js';
import { AccessTimeline, timelineView } from '../../../libs/application/access/timeline.js';
import { accessChangeView } from '../../../libs/domain/access-questions/diff.js';
import { holderView } from '../../../libs/domain/access-questions/who.js';
import { reachedView } from '../../../libs/domain/access-questions/reach.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiRead, Operation, page } from '../platform/openapi/openapi-decorators.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  AccessDiffBody,
  AccessTimelineBody,
  CheckManyBody,
  ExplainBody,
  ReachBody,
  WhoBody,
} from './access-bodies.js';

const ABOUT_ACCESS =
  'Users may query themselves; callers with VIEW on a resource may query it. Every other query requires ' +
  'VIEW on AUDIT. These permissions are checked as of now, whatever the point.';

const UNKNOWN_IDS =
  'For callers with VIEW on AUDIT, an id that never existed in the organization is 404 `id.unknown` with the ' +
  'name of the field. If the id existed, but not at the point, `existed` says when. A user id is known if it ' +
  'was ever a contact, occurred in a grant, invite, group or key, or caused an event; tables and PUBLIC are ' +
  'always known. For other callers, an unknown id is treated like one they may not see. After a superswap the ' +
  'current id stands for the same person at earlier points too, where reads as of a point know the former id.';

const PATHS =
  'Paths are shown as the caller may see them now: in full with VIEW on the root folder of the disk or on ' +
  'AUDIT, clipped with VIEW on the item, else empty.';

const MANAGE_IS_LITERAL =
  'Only granted types are listed: MANAGE appears as MANAGE, although it implies the other directory types.';

const POINT_ERRORS = [
  'permission.denied',
  'point.out-of-range',
  'bookmark.not-found',
  'id.unknown',
  'replay.chain-broken',
];

/** Queries about permissions: who may do what, why, since when, and what changed. */
@DriveController('organization', 'access')
export class AccessController {
  constructor(private readonly api: DriveApi) {}

  @Post('explain')
  @ApiRead()
  @ApiData(explainView)
  @Operation({
    id: 'explainAccess',
    summary: 'Explain the permissions of a grantee on a resource',
    description: `Returns the same types as \`check\`, with the grants that give each type and the grants that have no effect. \`denied\` lists only grants that the caller may see. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  explain(@Call() call: DriveRequest, @Body() body: ExplainBody) {
    return this.api.query(call, Explain, body);
  }

  @Post('who')
  @ApiRead()
  @ApiData(page(holderView, accessPointView))
  @Operation({
    id: 'listAccessHolders',
    summary: 'List everyone who holds permissions on a resource',
    description: `Ordered by id. Everyone holds the types of PUBLIC; a user or group that holds no others has no row of its own. Ids are those at the queried point. Requires VIEW on the resource or on AUDIT. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  who(@Call() call: DriveRequest, @Body() body: WhoBody) {
    return this.api.query(call, Who, body);
  }

  @Post('reach')
  @ApiRead()
  @ApiData(page(reachedView, accessPointView))
  @Operation({
    id: 'listAccessibleResources',
    summary: 'List all resources on which a grantee holds permissions',
    description: `Ordered by the first 140 bytes of the shown path, then by a digest of the id. With \`collapse\`, a row covers everything below it: a resource without a row has the \`types_below\` of the nearest row above, and no types below a folder in \`cuts\`. The row of a table covers its records, that of a group its invites. Only existing resources are listed. Users may query themselves; every other query requires VIEW on AUDIT. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  reach(@Call() call: DriveRequest, @Body() body: ReachBody) {
    const { families = [] } = body;
    return this.api.query(call, Reach, { ...body, families });
  }

  @Post('check_many')
  @ApiRead()
  @ApiData(checkManyView)
  @Operation({
    id: 'checkAccess',
    summary: 'Run up to 1,000 permission checks at one revision',
    description: `Each result says whether \`check\` would list the type. ${ABOUT_ACCESS} If the caller may not run one of the checks, the whole request is refused. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS}`,
    errors: POINT_ERRORS,
  })
  checkMany(@Call() call: DriveRequest, @Body() body: CheckManyBody) {
    return this.api.query(call, CheckMany, body);
  }

  @Post('access_timeline')
  @ApiRead()
  @ApiData(timelineView)
  @Operation({
    id: 'listAccessIntervals',
    summary: 'List when a grantee held which permissions on a resource',
    description: `Covers all time from the first event until now, including memberships, ownership, and time windows that opened and closed without an event. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
    errors: ['permission.denied', 'id.unknown', 'replay.chain-broken'],
  })
  timeline(@Call() call: DriveRequest, @Body() body: AccessTimelineBody) {
    return this.api.query(call, AccessTimeline, body);
  }

  @Post('access_diff')
  @ApiRead()
  @ApiData(page(accessChangeView, accessDiffSummaryView))
  @Operation({
    id: 'compareAccess',
    summary: 'List permissions gained and lost between two points',
    description: `With a resource, the result is the difference between two \`who\` results. Without one, a row is the root of a change: a resource that existed at both points and whose change differs from that of its parents. A resource that existed at one point only has a row if a grant on the resource itself counts for the grantee at that point. If the organization's owner changed, root folders and items with sovereign permissions have rows for the old and the new owner, also if they existed at one point only. Other created and deleted resources have no row. Expired items count as existing here until the expiry sweep removes them. \`gained_below\` and \`lost_below\` apply to all resources below that existed at both points, down to the next row, the next resource in \`except\` and the next sovereign folder. A superswap is not a change: rows have the user id at the later point. A former id that is in use again at the later point stands for its new user, who had no permissions at the earlier point except those of PUBLIC. If \`from\` is the later point, the rows describe the reverse change. Ordered by grantee, then by shown path. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  diff(@Call() call: DriveRequest, @Body() body: AccessDiffBody) {
    const { to = {} } = body;
    return this.api.query(call, CompareAccess, { ...body, to });
  }
}
