import { Controller, Get, Inject, StreamableFile, UseGuards } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { BeginFeed, EventFeeds } from '../../../libs/application/feed/feed.js';
import { dataOf } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { LongQueries } from '../drive/long-queries.js';
import { ApiError } from '../platform/errors.js';
import { Operation } from '../platform/openapi/openapi-decorators.js';
import { Settings } from '../platform/settings/settings.js';

const FROM = /^(?:-1|\d{1,15})$/;
/** What a listener that reconnects sends. */
const RECONNECTION = 'last-event-id';

@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class FeedController {
  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(EventFeeds) private readonly feeds: EventFeeds,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(LongQueries) private readonly questions: LongQueries,
  ) {}

  /** Not `@Sse()`: Nest writes whatever an observable emits, and a slow listener's unread bytes must be bounded. */
  @Get('events')
  @ApiResponse({
    status: 200,
    description: 'The feed; a comment every 15 s as heartbeat',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiQuery({
    name: 'from',
    required: false,
    description: 'The last revision that the listener has; -1: none. Absent: from now on',
    schema: { type: 'integer', minimum: -1 },
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'As `from`, and before it' })
  @Operation({
    summary: 'Every event as it happens',
    description:
      'Server-sent events: `id` is the revision, `event` the type, `data` the event record. `from` or ' +
      'Last-Event-ID resume after that revision (-1: from the start), else the feed begins now. Needs ' +
      'VIEW on AUDIT, asked before every event and heartbeat; without it the feed ends. A listener that ' +
      'reads too slowly is disconnected and resumes by id.',
    errors: ['permission.denied'],
  })
  async events(@Call() call: DriveRequest) {
    const known = knownRevision(call);
    const head = await dataOf(call.reply, this.queries.execute(new BeginFeed(call, null)));
    const from = known ?? (head as number);
    if (from > (head as number)) throw invalid(call, 'is beyond the last event');
    const giveBack = this.questions.openFeed(call);
    void call.reply.header('Cache-Control', 'no-store');
    const { feed_heartbeat_ms, feed_unread_bytes, feeds_unread_bytes } = this.settings;
    const stream = this.feeds.listen(call, from, {
      heartbeat_ms: feed_heartbeat_ms,
      unread_bytes: feed_unread_bytes,
      all_unread_bytes: feeds_unread_bytes,
      folded: (events) => this.questions.folded(call, events),
    });
    stream.once('close', giveBack);
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }
}

/** The last revision that the listener has, by query or header; the header is of a reconnection. */
function knownRevision(call: DriveRequest): number | undefined {
  const { headers, query } = call.reply.request;
  const given = headers[RECONNECTION] || (query as { from?: unknown }).from;
  if (given === undefined || given === '') return undefined;
  if (typeof given !== 'string' || !FROM.test(given))
    throw invalid(call, 'must be a revision, or -1');
  return Number(given);
}

function invalid({ reply }: DriveRequest, reason: string): ApiError {
  const is_header = Boolean(reply.request.headers[RECONNECTION]);
  const named = is_header ? 'header Last-Event-ID' : 'query parameter from';
  return ApiError.of('request.invalid', {
    message: `The ${named} ${reason}.`,
    details: [{ pointer: '', reason: `${named} ${reason}` }],
  });
}
