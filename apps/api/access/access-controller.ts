import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { AccessTimeline, CompareAccess } from '../../../libs/application/access/past.js';
import { CheckMany, Explain, Reach, Who } from '../../../libs/application/access/questions.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import {
  AccessDiffBody,
  AccessTimelineBody,
  CheckManyBody,
  ExplainBody,
  ReachBody,
  WhoBody,
} from './access-bodies.js';
import {
  AccessChangeRecord,
  AccessDiffSummaryRecord,
  AskedPointRecord,
  CheckManyRecord,
  ExplanationRecord,
  HolderRecord,
  ReachedRecord,
  SourceRecord,
  TimelineRecord,
} from './access-records.js';

const ABOUT_ACCESS =
  'Users may ask about themselves, VIEW on a resource may ask about it; everything else needs VIEW on ' +
  'AUDIT. Who may ask is decided now, whatever the point.';

const UNKNOWN_IDS =
  'For holders of VIEW on AUDIT an id that never existed in the organization is 404 `id.unknown`, naming the ' +
  'field; for an id that was not there at the point, `existed` says when it was. A user is known who ever was ' +
  'a contact, whom a grant, an invite, a group or a key ever named, or who caused an event; tables and PUBLIC ' +
  'always are. Others are answered as for what they may not see.';

const PATHS =
  'Paths are as the caller may see them now: in full with VIEW on the root of the disk or on AUDIT, clipped ' +
  'with VIEW on the item, else empty.';

const MANAGE_IS_LITERAL =
  'MANAGE is told literally, though it implies the other directory types when something is done.';

const POINT_ERRORS = [
  'permission.denied',
  'point.out-of-range',
  'bookmark.not-found',
  'id.unknown',
  'replay.chain-broken',
];

/** Who may do what, why, since when, and what changed. */
@ApiTags('organization')
@ApiExtraModels(SourceRecord)
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class AccessController {
  constructor(private readonly api: DriveApi) {}

  @Post('explain')
  @ApiRead()
  @ApiData(ExplanationRecord)
  @Operation({
    summary: 'What somebody may do with a resource, and why',
    description: `Answers what \`check\` answers, with the grants that give each type and those that count for nothing. \`denied\` names only grants that the caller may know of. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  explain(@Call() call: DriveRequest, @Body() body: ExplainBody) {
    return this.api.ask(call, Explain, body);
  }

  @Post('who')
  @ApiRead()
  @ApiData({ list: HolderRecord, beside: AskedPointRecord })
  @Operation({
    summary: 'Everybody who holds something on a resource',
    description: `Ordered by id. What PUBLIC holds everybody holds: a user or group that holds nothing else has no row of its own. Ids are those of the point asked about. VIEW on the resource may ask; everybody else needs VIEW on AUDIT. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  who(@Call() call: DriveRequest, @Body() body: WhoBody) {
    return this.api.ask(call, Who, body);
  }

  @Post('reach')
  @ApiRead()
  @ApiData({ list: ReachedRecord, beside: AskedPointRecord })
  @Operation({
    summary: 'Everything that somebody reaches',
    description: `Ordered by path as shown, as far as its first 140 bytes tell, then by a digest of the id. Collapsed, a row stands for everything below it: what has no row of its own has the \`types_below\` of its nearest row above, nothing below a folder in \`cuts\`; a table stands for its records and a group for its invites. Only what exists is reached. Users may ask about themselves; everybody else needs VIEW on AUDIT. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  reach(@Call() call: DriveRequest, @Body() body: ReachBody) {
    const { families = [] } = body;
    return this.api.ask(call, Reach, { ...body, families });
  }

  @Post('check_many')
  @ApiRead()
  @ApiData(CheckManyRecord)
  @Operation({
    summary: 'Up to 1,000 checks on one revision',
    description: `Each answers whether \`check\` would name the type. ${ABOUT_ACCESS} One that may not be asked refuses them all. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS}`,
    errors: POINT_ERRORS,
  })
  checkMany(@Call() call: DriveRequest, @Body() body: CheckManyBody) {
    return this.api.ask(call, CheckMany, body);
  }

  @Post('access_timeline')
  @ApiRead()
  @ApiData(TimelineRecord)
  @Operation({
    summary: 'When somebody held what on a resource, from the first event until now',
    description: `Windows that opened and closed without an event, memberships and ownership included. The present id stands for the person: before a superswap the former id is looked at, and the same holds of a contact as the resource. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
    errors: ['permission.denied', 'id.unknown', 'replay.chain-broken'],
  })
  timeline(@Call() call: DriveRequest, @Body() body: AccessTimelineBody) {
    return this.api.ask(call, AccessTimeline, body);
  }

  @Post('access_diff')
  @ApiRead()
  @ApiData({ list: AccessChangeRecord, beside: AccessDiffSummaryRecord })
  @Operation({
    summary: 'Who gained and who lost what between two points',
    description: `With a resource: the difference of two \`who\`. Without: roots of change, where something changed that did not change above; \`gained_below\` and \`lost_below\` tell of everything below that was there at both points, as far down as the next row, the next of \`except\` and the next sovereign folder. Superswaps are no change: rows name people by their id at the later point. \`from\` may be the later point: then the rows tell how to get back. Ordered by grantee and by path as shown. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
    errors: POINT_ERRORS,
  })
  diff(@Call() call: DriveRequest, @Body() body: AccessDiffBody) {
    const { to = {} } = body;
    return this.api.ask(call, CompareAccess, { ...body, to });
  }
}
