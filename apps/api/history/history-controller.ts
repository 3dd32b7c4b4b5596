import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Compare } from '../../../libs/application/history/compare.js';
import { GetHistory } from '../../../libs/application/history/history.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
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
  @Operation({
    summary: 'Who did what, when',
    description:
      'All filters that are given must hold. Newest first unless asked otherwise. A resource is followed ' +
      'through superswaps, also by a former id; so is an actor. A caller who may read a record may read its history, ' +
      'redacted as the record is for them; everything else takes the owner or VIEW on AUDIT. Notices to the ' +
      'inbox are found by their type or their InboxNotifID. For holders of VIEW on AUDIT an id, a request, or a ' +
      'name of an event or a command that never was is 404 `id.unknown`, naming the field; others get what they ' +
      'get for records that they may not see.',
    errors: ['permission.denied', 'id.unknown', 'point.out-of-range', 'replay.chain-broken'],
  })
  history(@Call() call: DriveRequest, @Body() body: HistoryBody) {
    return this.api.ask(call, GetHistory, body);
  }

  @Post('compare')
  @ApiRead()
  @ApiData({ list: DifferenceRecord, beside: CompareSummaryRecord })
  @Operation({
    summary: 'What changed between two points of the past',
    description:
      'Owner, or VIEW on AUDIT. A row for every record that differs, with the fields of its own that do: names ' +
      'joined from other records do not count. Secrets are masked, erased persons stay erased. `from` may be ' +
      'the later point: then the rows tell how to get back. A record that came and went in between has no row.',
    errors: [
      'permission.denied',
      'point.out-of-range',
      'bookmark.not-found',
      'replay.chain-broken',
    ],
  })
  compare(@Call() call: DriveRequest, @Body() body: CompareBody) {
    const { to = {}, include = [] } = body;
    return this.api.ask(call, Compare, { ...body, to, include });
  }
}
