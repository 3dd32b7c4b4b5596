import { Body, Controller, Get, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetReindexJob, Reindex } from '../../../libs/application/replay/reindex.js';
import { Replay } from '../../../libs/application/replay/replay.js';
import { DumpState } from '../../../libs/application/replay/snapshot.js';
import { answer, DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiErrors, ApiRead } from '../platform/openapi/openapi-decorators.js';
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

  /** The state of the organization at a point of its past, folded from its stream. */
  @Post('replay')
  @ApiRead()
  @ApiData(ReplayRecord)
  @ApiErrors(
    'permission.denied',
    'point.out-of-range',
    'bookmark.not-found',
    'resource.not-found',
    'replay.chain-broken',
  )
  replay(@Call() call: DriveRequest, @Body() body: ReplayBody) {
    return this.api.ask(call, Replay, { ...body, include: body.include ?? [] });
  }

  /** The whole state by family, for debugging; refused in production. */
  @Get('snapshot')
  @ApiData({ schema: { type: 'object', additionalProperties: true } })
  @ApiErrors('permission.denied')
  snapshot(@Call() call: DriveRequest) {
    return this.api.ask(call, DumpState, { production: this.settings.production });
  }

  /** Rebuilds the read models from the stream while reads and commands go on. */
  @Post('reindex')
  @ApiData({ either: [ReindexRecord, ReindexJobRecord] }, 'With `async`, the job')
  @ApiErrors('permission.denied')
  reindex(@Call() call: DriveRequest, @Body() body: ReindexBody) {
    const input = { in_background: body.async };
    return answer(
      call.reply,
      this.commands.execute(new Reindex(call.drive_id, input, call.command)),
    );
  }

  /** How far a rebuild is. */
  @Get('reindex/:job_id')
  @ApiData(ReindexJobRecord)
  @ApiErrors('permission.denied', 'resource.not-found')
  job(@Call() call: DriveRequest, @Param('job_id', new IdPipe('ReindexJobID_')) job_id: string) {
    return this.api.ask(call, GetReindexJob, { job_id });
  }
}
