import { Body, Post } from '@nestjs/common';
import {
  Compare,
  compareSummaryView,
  recordDifferenceView,
} from '../../../libs/application/history/compare.js';
import {
  eventTimelineView,
  GetEventTimeline,
} from '../../../libs/application/history/event-timeline.js';
import { GetHistory, historyItemView } from '../../../libs/application/history/history.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiData, ApiRead, Operation, page } from '../platform/openapi/openapi-decorators.js';
import { DriveController } from '../drive/drive-controller.js';
import { CompareBody } from './compare-body.js';
import { HistoryBody, TimelineBody } from './history-body.js';

/** The events of an organization, their number over time, and the changes between two points. */
@DriveController('organization', 'history')
export class HistoryController {
  constructor(private readonly api: DriveApi) {}

  @Post('history')
  @ApiRead()
  @ApiData(page(historyItemView))
  @Operation({
    id: 'listHistory',
    summary: 'List events: who did what, and when',
    description:
      'Events must match all filters. Newest first by default. Resources and actors are followed through ' +
      'superswaps, also by a former id. A caller who may read a record may read its history, with the same ' +
      'fields redacted; all other history requires owner or VIEW on AUDIT. Inbox notices are found by type or ' +
      'InboxNotifID. For callers with VIEW on AUDIT, an id, request id, event type or command that never ' +
      'existed is 404 `id.unknown` with the name of the field; for other callers it is treated like a record ' +
      'they may not see.',
    errors: ['permission.denied', 'id.unknown', 'point.out-of-range', 'replay.chain-broken'],
  })
  history(@Call() call: DriveRequest, @Body() body: HistoryBody) {
    return this.api.query(call, GetHistory, body);
  }

  @Post('timeline')
  @ApiRead()
  @ApiData(eventTimelineView)
  @Operation({
    id: 'countEvents',
    summary: 'Count events over time',
    description:
      'Requires owner, or VIEW on AUDIT. Divides a range of the history into buckets of equal length and counts ' +
      'the events that match all filters; the filters are those of history. `types` counts the events of the ' +
      'range by type, also types that are not asked for.',
    errors: ['permission.denied', 'id.unknown', 'point.out-of-range', 'replay.chain-broken'],
  })
  timeline(@Call() call: DriveRequest, @Body() body: TimelineBody) {
    return this.api.query(call, GetEventTimeline, body);
  }

  @Post('compare')
  @ApiRead()
  @ApiData(page(recordDifferenceView, compareSummaryView))
  @Operation({
    id: 'comparePoints',
    summary: 'Compare the records at two points',
    description:
      'Requires owner, or VIEW on AUDIT. Each record that differs has a row with its changed fields; names ' +
      'joined from other records are ignored, and so is what an item has from its folder (its path, and that it is ' +
      'deleted): the row of the folder has it. Fields are those of the stored record, as in `record_proof`. Secrets are masked, and erased data stays erased. If `from` is ' +
      'the later point, the rows describe the reverse change. A record that was created and deleted between ' +
      'the points has no row.',
    errors: [
      'permission.denied',
      'point.out-of-range',
      'bookmark.not-found',
      'replay.chain-broken',
    ],
  })
  compare(@Call() call: DriveRequest, @Body() body: CompareBody) {
    const { to = {}, include = [] } = body;
    return this.api.query(call, Compare, { ...body, to, include });
  }
}
