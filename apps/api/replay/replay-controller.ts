import { Body, Get, Inject, Param, Post } from '@nestjs/common';
import {
  GetReindexJob,
  Reindex,
  reindexJobView,
} from '../../../libs/application/replay/reindex.js';
import { Replay, replayView } from '../../../libs/application/replay/replay.js';
import { DumpState, MOST_DUMPED_RECORDS } from '../../../libs/application/replay/snapshot.js';
import { reindexView } from '../../../libs/application/replay/reindex-jobs.js';
import { either, object } from '../../../libs/domain/kernel/view.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { Settings } from '../platform/settings/settings.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import { ReindexBody, ReplayBody } from './replay-bodies.js';

/** Past states of an organization, and rebuilds of its read models. */
@DriveController('organization', 'history')
export class ReplayController {
  constructor(
    @Inject(DriveApi) private readonly api: DriveApi,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  @Post('replay')
  @ApiRead()
  @ApiData(replayView)
  @Operation({
    id: 'replayHistory',
    summary: 'Replay the event stream to a point and return the state',
    description:
      'Requires owner, or VIEW on AUDIT. A point is a revision, a time or a bookmark; without one, the ' +
      'current state is returned. Records have the form that get returns to the owner, with secrets masked. The ' +
      'same revision always has the same state_hash. The pages of one answer have 4 MiB together.',
    errors: [
      'permission.denied',
      'point.out-of-range',
      'bookmark.not-found',
      'resource.not-found',
      'replay.chain-broken',
    ],
  })
  replay(@Call() call: DriveRequest, @Body() body: ReplayBody) {
    return this.api.query(call, Replay, { ...body, include: body.include ?? [] });
  }

  @Get('snapshot')
  @ApiData(object())
  @Operation({
    id: 'exportSnapshot',
    summary: 'Export the whole state by family for debugging',
    description: `Owner only; 403 in production. Secrets are masked. Beyond ${MOST_DUMPED_RECORDS} records: 413.`,
    errors: ['permission.denied', 'organization.snapshot-too-large'],
  })
  snapshot(@Call() call: DriveRequest) {
    return this.api.query(call, DumpState, { production: this.settings.production });
  }

  @Post('reindex')
  @ApiData(either(reindexView, reindexJobView), 'Success; with `async`, the job')
  @Operation({
    id: 'reindexOrganization',
    summary: 'Rebuild the read models from the stream',
    description:
      'Reads and commands continue meanwhile. The rebuilt read models replace the old ones at once; the index ' +
      'of the history is replaced separately. The response follows when both are replaced. If a rebuild is ' +
      'already running, also in another process, the call waits for that one. With `async`, the job is ' +
      'returned immediately and is DONE when both are replaced.',
    errors: ['permission.denied'],
  })
  reindex(@Call() call: DriveRequest, @Body() body: ReindexBody) {
    return this.api.run(call, Reindex, { in_background: body.async });
  }

  @Get('reindex/:job_id')
  @ApiData(reindexJobView)
  @Operation({
    id: 'getReindexJob',
    summary: 'Read the progress of a rebuild',
    description:
      'Any process of the service returns the job; processes other than the rebuilding one lag by up to two ' +
      'seconds. If the rebuilding process ends early, the job becomes FAILED after half a minute. Jobs are ' +
      'kept for one week.',
    errors: ['permission.denied', 'resource.not-found'],
  })
  job(@Call() call: DriveRequest, @Param('job_id', new IdPipe('ReindexJobID_')) job_id: string) {
    return this.api.query(call, GetReindexJob, { job_id });
  }
}
