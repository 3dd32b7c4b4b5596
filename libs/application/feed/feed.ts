import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Access } from '../../domain/access/access.js';
import { refuseWithout } from '../../domain/access/denial.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { decodeData } from '../../engine/keys/codec.js';
import { isRefused, Unavailable } from '../../engine/writer/call.js';
import type { Drive } from '../../engine/writer/drive.js';
import { Drives } from '../../engine/drives/drives.js';
import { streamOf } from '../../engine/fold/fold.js';
import { TouchedEvents } from '../../engine/past/touched-events.js';
import { Pace } from '../../engine/tasks/turns.js';
import { runForQuery } from '../../engine/tasks/long-query.js';
import { existingEvents } from '../../event-store/existing-events.js';
import type { StoredEvent } from '../../event-store/port.js';
import { presentBody, presentEvent } from '../replay/event-record.js';
import { mayNow } from '../may-now.js';
import { driveQuery } from '../drive-query.js';
import { answerNow, answerOnAll, type Reader } from '../read-record.js';
import { UnreadBytes } from '../unread-bytes.js';

/** Events per read for one listener. */
const PAGE = 50;
/** Unread bytes above which a listener receives no further events until it has read some. */
const UNREAD_BYTES = 50 * 1024;
const HEARTBEAT = ':\n\n';

export interface FeedOptions {
  readonly heartbeat_ms: number;
  /** Maximum unread bytes of one listener; a listener above it is disconnected. */
  readonly unread_bytes?: number;
  /** Maximum unread bytes of all listeners; above it, those with the most are disconnected. */
  readonly all_unread_bytes?: number;
  /** Called with the number of events folded for the listener. */
  readonly folded?: (events: number) => void;
}

const UNREAD = { unread_bytes: 1024 * 1024, all_unread_bytes: 64 * 1024 * 1024 };

interface BeginFeedInput {
  /** Last revision that the listener has received; null for new events only. */
  readonly from: number | null;
}

/** Checks that the caller may listen to a drive; answers the revision of its last event. */
export const BeginFeed = driveQuery<BeginFeedInput, number>(
  'BeginFeed',
  (drives, reader, { from }) =>
    answerOnAll<number>(
      drives,
      reader.drive_id,
      () =>
        answerNow(drives, reader, (context, drive) => {
          const refusal = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
          if (refusal) return refusal;
          // Once open, it could only break off.
          if (drives.damaged.isUnreadable(reader.drive_id)) throw new Unavailable('broken');
          return drive.head.revision;
        }),
      (outcome) => !isRefused(outcome) && from !== null && from > outcome.data,
    ),
);

@Injectable()
export class EventFeeds implements OnModuleDestroy {
  private readonly open = new Set<Feed>();
  /** The open feeds of each drive: an append concerns no others. */
  private readonly by_drive = new Map<string, Set<Feed>>();
  private readonly live: Subscription;
  private readonly touched: TouchedEvents;
  private readonly unread = new UnreadBytes(this.open, {
    bytesOf: ({ stream }) => stream.readableLength,
    cut: (feed) => {
      this.open.delete(feed);
      feed.stream.destroy();
    },
  });
  private is_ending = false;

  constructor(@Inject(Drives) private readonly drives: Drives) {
    this.touched = new TouchedEvents(drives);
    this.live = drives.advances.subscribe(({ drive_id }) => {
      for (const feed of this.by_drive.get(drive_id) ?? []) feed.signal();
    });
  }

  /** A stream of server-sent events after a revision. */
  listen(reader: Reader, from: number, options: FeedOptions): Readable {
    const { all_unread_bytes = UNREAD.all_unread_bytes } = options;
    const feed = new Feed(this.drives, this.touched, reader, from, options, (bytes) =>
      this.unread.pushed(bytes, all_unread_bytes),
    );
    this.add(feed);
    feed.stream.once('close', () => this.remove(feed));
    // Ends a late connection at once; shutdown would otherwise wait for it.
    if (this.is_ending) feed.end();
    else void feed.run();
    return feed.stream;
  }

  private add(feed: Feed): void {
    const { drive_id } = feed;
    this.open.add(feed);
    const feeds = this.by_drive.get(drive_id);
    if (feeds) feeds.add(feed);
    else this.by_drive.set(drive_id, new Set([feed]));
  }

  private remove(feed: Feed): void {
    const { drive_id } = feed;
    this.open.delete(feed);
    const feeds = this.by_drive.get(drive_id);
    feeds?.delete(feed);
    if (feeds?.size === 0) this.by_drive.delete(drive_id);
  }

  get unread_bytes(): number {
    return this.unread.bytes;
  }

  /** Number of listeners. */
  get size(): number {
    return this.open.size;
  }

  /** Ends all feeds; listeners reconnect to another process and resume at their position. */
  end(): void {
    this.is_ending = true;
    for (const feed of this.open) feed.end();
  }

  onModuleDestroy(): void {
    this.live.unsubscribe();
    this.end();
  }
}

/** One listener: sends new events from the store, then sleeps until the drive has more. */
class Feed {
  /** Called at each read of the stream. */
  private read: () => void = () => {};
  readonly stream = new Readable({ read: () => this.read(), highWaterMark: 1024 });
  private readonly stopping = new AbortController();
  /** Yields to the event loop, since a connection formats many events before the first is read. */
  private readonly pace = new Pace();
  private wake: () => void = () => {};
  private has_news = true;

  constructor(
    private readonly drives: Drives,
    private readonly touched: TouchedEvents,
    private readonly reader: Reader,
    /** Last revision sent to the listener. */
    private seen: number,
    private readonly options: FeedOptions,
    /** Called with the number of bytes before each push. */
    private readonly account: (bytes: number) => void,
  ) {
    // The first bytes flush the headers, so that the listener receives them immediately.
    this.stream.push(HEARTBEAT);
    this.stream.once('close', () => this.stop());
    this.stream.once('end', () => this.stop());
  }

  get drive_id(): string {
    return this.reader.drive_id;
  }

  /** Runs until the listener disconnects or loses its permission. */
  run(): Promise<void> {
    const { signal } = this.stopping;
    const folded = this.options.folded ?? (() => {});
    return runForQuery({ signal, begin() {}, folded, end() {} }, () => this.follow());
  }

  private async follow(): Promise<void> {
    try {
      while (!this.stopping.signal.aborted) {
        this.has_news = false;
        if (!(await this.catchUp())) break;
        if (!this.has_news && !(await this.sleep())) {
          if (!(await this.mayListen())) break;
          // Other processes may have appended without a notification to this one.
          const { drive_id, head } = await this.drives.open(this.reader.drive_id);
          await this.drives.readOn(drive_id, head.revision);
          this.push(HEARTBEAT);
        }
      }
      this.stream.push(null);
    } catch (error) {
      // Once it has ended, what is unread can still be read.
      if (!this.stopping.signal.aborted) this.stream.destroy(error as Error);
    }
  }

  /** Sends nothing more; what is unread can still be read. */
  end(): void {
    this.stop();
    this.stream.push(null);
  }

  private stop(): void {
    this.stopping.abort();
    this.wake();
  }

  /** Tells that the drive has new events. */
  signal(): void {
    this.has_news = true;
    this.wake();
  }

  /** True if there are new events, false if a heartbeat is due. */
  private async sleep(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.wake = () => resolve(true);
    const timer = setTimeout(() => resolve(false), this.options.heartbeat_ms);
    timer.unref();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends all events up to the drive's durable head; false once the listener has lost its permission. */
  private async catchUp(): Promise<boolean> {
    const { drive_id } = this.reader;
    for (;;) {
      const drive = await this.durable();
      const { revision } = drive.head;
      if (this.seen >= revision || this.stopping.signal.aborted) return true;
      const stream = streamOf(drive_id);
      const to = Math.min(this.seen + PAGE, revision);
      const page = await existingEvents(this.drives.events, stream, this.seen + 1, to);
      const touched = await this.touched.of(drive_id, this.seen + 1, this.seen + page.length);
      for (const [at, event] of page.entries()) {
        if (!(await this.mayListen())) return false;
        // Taken anew: if it was evicted meanwhile, only the drive in use knows whose data has been erased.
        this.push(textOf(await this.drives.open(drive_id), event, touched[at]!));
        this.seen = event.revision;
        if (!(await this.drained())) return true;
      }
    }
  }

  private mayListen(): Promise<boolean> {
    return mayNow(this.drives, this.reader, (context) =>
      Access.of(context).can('VIEW', 'TABLE_AUDIT'),
    );
  }

  private async durable(): Promise<Drive> {
    const drive = await this.drives.open(this.reader.drive_id);
    await drive.durable();
    return drive;
  }

  /** Disconnects a listener that does not read, before its unread bytes exhaust memory. */
  private push(text: string): void {
    if (this.stopping.signal.aborted) return;
    const { unread_bytes = UNREAD.unread_bytes } = this.options;
    if (this.stream.readableLength > unread_bytes) this.stream.destroy();
    else {
      this.stream.push(text);
      this.account(Buffer.byteLength(text));
    }
  }

  /** Waits while many bytes are unread. After one heartbeat the listener is disconnected. False if it is. */
  private async drained(): Promise<boolean> {
    if (this.pace.is_due) await this.pace.turn();
    if (this.stream.readableLength > UNREAD_BYTES && !this.stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => this.stream.destroy(), this.options.heartbeat_ms);
      timer.unref();
      const look = (): void => {
        if (this.stream.readableLength <= UNREAD_BYTES) resolve();
      };
      // The stream requests more data before it takes the buffered data, so the check runs afterwards.
      this.read = () => queueMicrotask(look);
      const { signal } = this.stopping;
      const leave = (): void => resolve();
      signal.addEventListener('abort', leave);
      look();
      await promise;
      signal.removeEventListener('abort', leave);
      this.read = () => {};
      clearTimeout(timer);
    }
    return !this.stopping.signal.aborted;
  }
}

function textOf(drive: Drive, event: StoredEvent, touched: readonly TouchedKey[]): string {
  const body = decodeData(event.data) as object;
  const data = presentBody(event.type, body, drive.keyring.open);
  const record = JSON.stringify({ ...presentEvent(event, touched), data });
  return `id: ${event.revision}\nevent: ${event.type}\ndata: ${record}\n\n`;
}
