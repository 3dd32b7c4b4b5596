import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { AccessTimeline, CompareAccess } from '../../../libs/application/access/past.js';
import { CheckMany, Explain, Reach, Who } from '../../../libs/application/access/questions.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiErrors, ApiRead } from '../platform/openapi/openapi-decorators.js';
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

const ApiPointErrors = (): MethodDecorator =>
  ApiErrors(
    'permission.denied',
    'point.out-of-range',
    'bookmark.not-found',
    'id.unknown',
    'replay.chain-broken',
  );

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
  @ApiPointErrors()
  explain(@Call() call: DriveRequest, @Body() body: ExplainBody) {
    return this.api.ask(call, Explain, body);
  }

  @Post('who')
  @ApiRead()
  @ApiData({ list: HolderRecord, beside: AskedPointRecord })
  @ApiPointErrors()
  who(@Call() call: DriveRequest, @Body() body: WhoBody) {
    return this.api.ask(call, Who, body);
  }

  @Post('reach')
  @ApiRead()
  @ApiData({ list: ReachedRecord, beside: AskedPointRecord })
  @ApiPointErrors()
  reach(@Call() call: DriveRequest, @Body() body: ReachBody) {
    const { families = [] } = body;
    return this.api.ask(call, Reach, { ...body, families });
  }

  @Post('check_many')
  @ApiRead()
  @ApiData(CheckManyRecord)
  @ApiPointErrors()
  checkMany(@Call() call: DriveRequest, @Body() body: CheckManyBody) {
    return this.api.ask(call, CheckMany, body);
  }

  @Post('access_timeline')
  @ApiRead()
  @ApiData(TimelineRecord)
  @ApiErrors('permission.denied', 'id.unknown', 'replay.chain-broken')
  timeline(@Call() call: DriveRequest, @Body() body: AccessTimelineBody) {
    return this.api.ask(call, AccessTimeline, body);
  }

  @Post('access_diff')
  @ApiRead()
  @ApiData({ list: AccessChangeRecord, beside: AccessDiffSummaryRecord })
  @ApiPointErrors()
  diff(@Call() call: DriveRequest, @Body() body: AccessDiffBody) {
    const { to = {} } = body;
    return this.api.ask(call, CompareAccess, { ...body, to });
  }
}
