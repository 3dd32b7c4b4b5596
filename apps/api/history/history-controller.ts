import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Compare } from '../../../libs/application/history/compare.js';
import { GetHistory } from '../../../libs/application/history/history.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiErrors, ApiRead } from '../platform/openapi/openapi-decorators.js';
import { CompareBody } from './compare-body.js';
import { HistoryBody } from './history-body.js';
import { HistoryItemRecord } from './history-records.js';
import { CompareSummaryRecord, DifferenceRecord } from './compare-records.js';

/** What happened in an organization, and what it changed. */
@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class HistoryController {
  constructor(private readonly api: DriveApi) {}

  @Post('history')
  @ApiRead()
  @ApiData({ list: HistoryItemRecord })
  @ApiErrors('permission.denied', 'id.unknown', 'point.out-of-range', 'replay.chain-broken')
  history(@Call() call: DriveRequest, @Body() body: HistoryBody) {
    return this.api.ask(call, GetHistory, body);
  }

  @Post('compare')
  @ApiRead()
  @ApiData({ list: DifferenceRecord, beside: CompareSummaryRecord })
  @ApiErrors('permission.denied', 'point.out-of-range', 'bookmark.not-found', 'replay.chain-broken')
  compare(@Call() call: DriveRequest, @Body() body: CompareBody) {
    const { to = {}, include = [] } = body;
    return this.api.ask(call, Compare, { ...body, to, include });
  }
}
