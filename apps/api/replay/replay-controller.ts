import { Body, Controller, Get, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetReindexJob, Reindex } from '../../../libs/application/replay/reindex.js';
import { Replay } from '../../../libs/application/replay/replay.js';
import { DumpState } from '../../../libs/application/replay/snapshot.js';
import { answer, DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { Settings } from '../platform/settings/settings.js';
import { IdPipe } from '../platform/requests/validation.js';
import { ReindexBody, ReplayBody } from './replay-bodies.js';
import { ReindexJobRecord, ReindexRecord, ReplayRecord } from './replay-records.js';

/** The past of an organization, and what is derived from it. */
@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class ReplayController {
  constructor(
    @Inject(DriveApi) private readonly api: DriveApi,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  @Post('replay')
  @ApiRead()
  @ApiData(ReplayRecord)
  @Operation({
    summary: 'The state at a point of the past, folded from the stream',
    description:
      'A point is a revision, a time or a bookmark; none is now. Owner, or VIEW on AUDIT. Records are shown as ' +
      'get would show them to the owner, secrets masked. The same revision always has the same state_hash.',
    errors: [
      'permission.denied',
      'point.out-of-range',
      'bookmark.not-found',
      'resource.not-found',
      'replay.chain-broken',
    ],
  })
  replay(@Call() call: DriveRequest, @Body() body: ReplayBody) {
    return this.api.ask(call, Replay, { ...body, include: body.include ?? [] });
  }

  @Get('snapshot')
  @ApiData({ schema: { type: 'object', additionalProperties: true } })
  @Operation({
    summary: 'The whole state by family, for debugging',
    description: 'Owner only; 403 in production. Secrets are masked.',
    errors: ['permission.denied'],
  })
  snapshot(@Call() call: DriveRequest) {
    return this.api.ask(call, DumpState, { production: this.settings.production });
  }

  @Post('reindex')
  @ApiData({ either: [ReindexRecord, ReindexJobRecord] }, 'With `async`, the job')
  @Operation({
    summary: 'Rebuild the read models from the stream',
    description:
      'Reads and commands go on meanwhile; one switch puts the rebuilt models in place, and another the ' +
      'index that history asks; it answers once both are done. A call while one runs joins it, also at another process. With async the ' +
      'job is answered at once, and is DONE after both.',
    errors: ['permission.denied'],
  })
  reindex(@Call() call: DriveRequest, @Body() body: ReindexBody) {
    const input = { in_background: body.async };
    return answer(
      call.reply,
      this.commands.execute(new Reindex(call.drive_id, input, call.command)),
    );
  }

  @Get('reindex/:job_id')
  @ApiData(ReindexJobRecord)
  @Operation({
    summary: 'How far a rebuild is',
    description:
      'Answered by any process of the service, up to two seconds late by others than the one that rebuilds. Should ' +
      'that one end on the way, the job is FAILED half a minute later and says so. Jobs are remembered for a week.',
    errors: ['permission.denied', 'resource.not-found'],
  })
  job(@Call() call: DriveRequest, @Param('job_id', new IdPipe('ReindexJobID_')) job_id: string) {
    return this.api.ask(call, GetReindexJob, { job_id });
  }
}
