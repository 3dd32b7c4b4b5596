import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { filter, type Subscription } from 'rxjs';
import { Access } from '../../domain/access/access.js';
import { refuseWithout } from '../../domain/access/denial.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { decodeData } from '../../engine/keys/codec.js';
import type { Drive } from '../../engine/writer/drive.js';
import { Drives } from '../../engine/drives/drives.js';
import type { Advance } from '../../engine/drives/engine-options.js';
import { streamOf } from '../../engine/fold/fold.js';
import { TouchedEvents } from '../../engine/past/touched-events.js';
import { Pace } from '../../engine/tasks/turns.js';
import { runForQuery } from '../../engine/tasks/long-query.js';
import type { StoredEvent } from '../../event-store/port.js';
import { presentBody, presentEvent } from '../replay/event-record.js';
import { mayNow } from '../may-now.js';
import { driveQuery } from '../drive-query.js';
import { answerNow, type Reader } from '../read-record.js';

/** Events read for a listener at a time. */
const PAGE = 50;
/** With more than this unread, a listener gets no further events before it has read. */
const UNREAD_BYTES = 50 * 1024;
const HEARTBEAT = ':\n\n';

export interface FeedOptions {
  readonly heartbeat_ms: number;
  /** What a listener may leave unread, bytes; one that is further behind is disconnected. */
  readonly unread_bytes?: number;
  /** What all listeners together may; those that leave most are disconnected. */
  readonly all_unread_bytes?: number;
  /** Told how many events were folded for the listener. */
  readonly folded?: (events: number) => void;
}

const UNREAD = { unread_bytes: 1024 * 1024, all_unread_bytes: 64 * 1024 * 1024 };

/** Whether the caller may listen to a drive; the answer is the revision of its last event. */
export const BeginFeed = driveQuery<null, number>('BeginFeed', (drives, reader) =>
  answerNow(
    drives,
    reader,
    (context, drive) => refuseWithout(context, 'VIEW', 'TABLE_AUDIT') ?? drive.head.revision,
  ),
);

/** The live feeds of this process. */
@Injectable()
export class EventFeeds implements OnModuleDestroy {
  private readonly open = new Set<Readable>();
  private readonly touched: TouchedEvents;
  private pushed_bytes = 0;
  private is_ending = false;

  constructor(@Inject(Drives) private readonly drives: Drives) {
    this.touched = new TouchedEvents(drives);
  }

  /** A stream of server-sent events after a revision. */
  listen(reader: Reader, from: number, options: FeedOptions): Readable {
    const { all_unread_bytes = UNREAD.all_unread_bytes } = options;
    const feed = new Feed(this.drives, this.touched, reader, from, options, (bytes) =>
      this.account(bytes, all_unread_bytes),
    );
    this.open.add(feed.stream);
    feed.stream.once('close', () => this.open.delete(feed.stream));
    // A shutdown would wait for the connection of a caller who came too late.
    if (this.is_ending) feed.stream.push(null);
    else void feed.run();
    return feed.stream;
  }

  /** What listeners have left unread, bytes. */
  get unread_bytes(): number {
    let bytes = 0;
    for (const { readableLength } of this.open) bytes += readableLength;
    return bytes;
  }

  /** Notes bytes that a listener may not have read, and keeps to the budget of all. */
  private account(bytes: number, most_bytes: number): void {
    this.pushed_bytes += bytes;
    // What was pushed since the last look is the most that can be unread.
    if (this.pushed_bytes <= most_bytes) return;
    this.pushed_bytes = this.unread_bytes;
    if (this.pushed_bytes <= most_bytes) return;
    for (const stream of [...this.open].sort((a, b) => b.readableLength - a.readableLength)) {
      if (this.pushed_bytes <= most_bytes) return;
      this.pushed_bytes -= stream.readableLength;
      this.open.delete(stream);
      stream.destroy();
    }
  }

  /** How many listeners there are. */
  get size(): number {
    return this.open.size;
  }

  /** Ends all feeds; their listeners go on elsewhere from where they stood. */
  end(): void {
    this.is_ending = true;
    for (const stream of this.open) stream.push(null);
  }

  onModuleDestroy(): void {
    this.end();
  }
}

/** One listener: reads on from the store, and sleeps until the drive has moved. */
class Feed {
  /** Told of each reading by the stream. */
  private read: () => void = () => {};
  readonly stream = new Readable({ read: () => this.read(), highWaterMark: 1024 });
  private readonly stopping = new AbortController();
  /** Connections take much before anything is unread: making it must not hold up others. */
  private readonly pace = new Pace();
  private readonly live: Subscription;
  private wake: () => void = () => {};
  private has_news = true;

  constructor(
    private readonly drives: Drives,
    private readonly touched: TouchedEvents,
    private readonly reader: Reader,
    /** Last revision that the listener has. */
    private seen: number,
    private readonly options: FeedOptions,
    /** Told of bytes before they can be read. */
    private readonly account: (bytes: number) => void,
  ) {
    const { drive_id } = reader;
    this.live = drives.advances
      .pipe(filter((advance: Advance) => advance.drive_id === drive_id))
      .subscribe(() => this.signal());
    // The headers are sent with the first bytes, so that the listener gets them at once.
    this.stream.push(HEARTBEAT);
    this.stream.once('close', () => this.stop());
    this.stream.once('end', () => this.stop());
  }

  /** Runs until the listener goes, or may not listen any more. */
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
          // Others may have written to the store, and nobody told this process.
          await (await this.drives.open(this.reader.drive_id)).follow();
          this.push(HEARTBEAT);
        }
      }
      this.stream.push(null);
    } catch (error) {
      this.stream.destroy(error as Error);
    }
  }

  private stop(): void {
    this.live.unsubscribe();
    this.stopping.abort();
    this.wake();
  }

  private signal(): void {
    this.has_news = true;
    this.wake();
  }

  /** True if there is news, false if a heartbeat is due. */
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

  /** Sends all events up to the drive's durable end; false once the listener may not have one. */
  private async catchUp(): Promise<boolean> {
    const { drive_id } = this.reader;
    for (;;) {
      const drive = await this.durable();
      const { revision } = drive.head;
      if (this.seen >= revision || this.stopping.signal.aborted) return true;
      const stream = streamOf(drive_id);
      const limit = Math.min(PAGE, revision - this.seen);
      const page = await this.drives.events.readStream(stream, this.seen + 1, 'forward', limit);
      const touched = await this.touched.of(drive_id, this.seen + 1, this.seen + page.length);
      for (const [at, event] of page.entries()) {
        if (!(await this.mayListen())) return false;
        this.push(textOf(drive, event, touched[at]!));
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

  /** A listener that reads nothing must not fill the memory. */
  private push(text: string): void {
    if (this.stopping.signal.aborted) return;
    const { unread_bytes = UNREAD.unread_bytes } = this.options;
    if (this.stream.readableLength > unread_bytes) this.stream.destroy();
    else {
      this.stream.push(text);
      this.account(Buffer.byteLength(text));
    }
  }

  /** Waits while much is unread, at most as long as a heartbeat; false once the listener has gone. */
  private async drained(): Promise<boolean> {
    if (this.pace.is_due) await this.pace.turn();
    if (this.stream.readableLength > UNREAD_BYTES && !this.stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => this.stream.destroy(), this.options.heartbeat_ms);
      timer.unref();
      const look = (): void => {
        if (this.stream.readableLength <= UNREAD_BYTES) resolve();
      };
      // Requests more before what is there is taken: only then little is left.
      this.read = () => queueMicrotask(look);
      this.stopping.signal.addEventListener('abort', () => resolve(), { once: true });
      look();
      await promise;
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
