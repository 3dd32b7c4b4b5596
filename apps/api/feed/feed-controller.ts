import { Get, Inject, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { BeginFeed, EventFeeds } from '../../../libs/application/feed/feed.js';
import { dataOf } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { LongQueries } from '../drive/long-queries.js';
import { guardError } from '../refusals.js';
import { ApiError } from '../platform/errors.js';
import { Operation } from '../platform/openapi/openapi-decorators.js';
import { Settings } from '../platform/settings/settings.js';
import { DriveController } from '../drive/drive-controller.js';

const FROM = /^(?:-1|\d{1,15})$/;
/** Header that a reconnecting listener sends. */
const RECONNECTION = 'last-event-id';

@DriveController('organization', 'live events')
export class FeedController {
  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(EventFeeds) private readonly feeds: EventFeeds,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(LongQueries) private readonly long_queries: LongQueries,
  ) {}

  /** Does not use `@Sse()`, because Nest does not limit the unread bytes of a slow listener. */
  @Get('events')
  @ApiResponse({
    status: 200,
    description: 'The event stream, with a comment every 15 s as heartbeat',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiQuery({
    name: 'from',
    required: false,
    description: 'Last revision that the listener has received; -1: none. Absent: new events only',
    schema: { type: 'integer', minimum: -1 },
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Same as `from`; takes precedence over it',
  })
  @Operation({
    id: 'streamEvents',
    summary: 'Stream events as they are stored',
    description:
      'Server-sent events: `id` is the revision, `event` the type, `data` the event record. With `from` or ' +
      'Last-Event-ID, the feed resumes after that revision (-1: at the first event); otherwise it starts with ' +
      'new events. Requires VIEW on AUDIT, which is checked before every event and heartbeat; the feed ends ' +
      'when the permission is lost. A listener that reads too slowly is disconnected and can resume by id. A ' +
      'revision beyond the last event is refused as `feed.beyond-last-event`: the listener has events that are no ' +
      'longer in the organization, as after a restore of a backup. It must read its data again and resume without ' +
      'a revision.',
    errors: ['permission.denied', 'feed.beyond-last-event'],
  })
  async events(@Call() call: DriveRequest) {
    const known = knownRevision(call);
    const beginning = new BeginFeed(call, { from: known });
    const head = (await dataOf(call.reply, this.queries.execute(beginning))) as number;
    const from = known ?? head;
    if (from > head)
      throw guardError('feed.beyond-last-event', `The ${namedIn(call)} is beyond the last event.`);
    const release = this.long_queries.openFeed(call);
    void call.reply.header('Cache-Control', 'no-store');
    const { feed_heartbeat_ms, feed_unread_bytes, feeds_unread_bytes } = this.settings;
    const stream = this.feeds.listen(call, from, {
      heartbeat_ms: feed_heartbeat_ms,
      unread_bytes: feed_unread_bytes,
      all_unread_bytes: feeds_unread_bytes,
      folded: (events) => this.long_queries.folded(call, events),
    });
    stream.once('close', release);
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }
}

/** The last revision that the listener has received, from the header (reconnection) or the query; null if absent. */
function knownRevision(call: DriveRequest): number | null {
  const { headers, query } = call.reply.request;
  const given = headers[RECONNECTION] || (query as { from?: unknown }).from;
  if (given === undefined || given === '') return null;
  if (typeof given !== 'string' || !FROM.test(given))
    throw invalid(call, 'must be a revision, or -1');
  return Number(given);
}

function namedIn({ reply }: DriveRequest): string {
  return reply.request.headers[RECONNECTION] ? 'header Last-Event-ID' : 'query parameter from';
}

function invalid(call: DriveRequest, reason: string): ApiError {
  const named = namedIn(call);
  return ApiError.of('request.invalid', {
    message: `The ${named} ${reason}.`,
    details: [{ pointer: '', reason: `${named} ${reason}` }],
  });
}
