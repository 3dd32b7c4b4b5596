import { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { filter, type Subscription } from 'rxjs';
import { Access } from '../../domain/access/access.js';
import type { TouchedKey } from '../../domain/kernel/journal.js';
import { decodeData } from '../../engine/codec.js';
import type { Drive } from '../../engine/drive.js';
import { Drives } from '../../engine/drives.js';
import type { Advance } from '../../engine/engine-options.js';
import { streamOf } from '../../engine/fold.js';
import { visitEvents } from '../../engine/span.js';
import type { StoredEvent } from '../../event-store/port.js';
import { presentBody, presentEvent } from '../replay/event-record.js';
import { mayNow } from '../may-now.js';
import type { Reader } from '../read-record.js';

/** Events read for a listener at a time. */
const PAGE = 50;
/** What a listener may leave unread, bytes; one that is further behind is disconnected. */
const MOST_UNREAD_BYTES = 1024 * 1024;
const HEARTBEAT = ':\n\n';

export interface FeedOptions {
  readonly heartbeat_ms: number;
}

/** The live feeds of this process. */
@Injectable()
export class EventFeeds implements OnModuleDestroy {
  private readonly open = new Set<Readable>();

  constructor(@Inject(Drives) private readonly drives: Drives) {}

  /** A stream of server-sent events after a revision. */
  listen(reader: Reader, from: number, { heartbeat_ms }: FeedOptions): Readable {
    const feed = new Feed(this.drives, reader, from, heartbeat_ms);
    this.open.add(feed.stream);
    feed.stream.once('close', () => this.open.delete(feed.stream));
    void feed.run();
    return feed.stream;
  }

  /** How many listeners there are. */
  get size(): number {
    return this.open.size;
  }

  /** Ends all feeds; their listeners go on elsewhere from where they stood. */
  end(): void {
    for (const stream of this.open) stream.push(null);
  }

  onModuleDestroy(): void {
    this.end();
  }
}

/** One listener: reads on from the store, and sleeps until the drive has moved. */
class Feed {
  readonly stream = new Readable({ read() {}, highWaterMark: 1024 });
  private readonly stopping = new AbortController();
  private readonly live: Subscription;
  private wake: () => void = () => {};
  private has_news = true;

  constructor(
    private readonly drives: Drives,
    private readonly reader: Reader,
    /** Last revision that the listener has. */
    private seen: number,
    private readonly heartbeat_ms: number,
  ) {
    const { drive_id } = reader;
    this.live = drives.advances
      .pipe(filter((advance: Advance) => advance.drive_id === drive_id))
      .subscribe(() => this.signal());
    // The headers go out with the first bytes: whoever listens is to know at once.
    this.stream.push(HEARTBEAT);
    this.stream.once('close', () => this.stop());
    this.stream.once('end', () => this.stop());
  }

  /** Runs until the listener goes, or may not listen any more. */
  async run(): Promise<void> {
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
    const timer = setTimeout(() => resolve(false), this.heartbeat_ms);
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
      const drive = await this.settled();
      const { revision } = drive.head;
      if (this.seen >= revision || this.stopping.signal.aborted) return true;
      const stream = streamOf(drive_id);
      const limit = Math.min(PAGE, revision - this.seen);
      const page = await this.drives.events.readStream(stream, this.seen + 1, 'forward', limit);
      const touched = await this.touchedBy(page);
      for (const [at, event] of page.entries()) {
        if (!(await this.mayListen())) return false;
        this.push(textOf(drive, event, touched[at]!));
        this.seen = event.revision;
        if (this.stopping.signal.aborted) return true;
      }
      await this.drained();
    }
  }

  private async touchedBy(page: readonly StoredEvent[]): Promise<TouchedKey[][]> {
    const touched: TouchedKey[][] = [];
    const revisions = page.map(({ revision }) => revision);
    await visitEvents(this.drives, this.reader.drive_id, revisions, (_, __, changes) => {
      touched.push(changes.map(({ definition, id }) => ({ family: definition.name, id })));
    });
    return touched;
  }

  private mayListen(): Promise<boolean> {
    return mayNow(this.drives, this.reader, (context) =>
      Access.of(context).can('VIEW', 'TABLE_AUDIT'),
    );
  }

  private async settled(): Promise<Drive> {
    const drive = await this.drives.open(this.reader.drive_id);
    await drive.settled();
    return drive;
  }

  /** A listener that reads nothing must not fill the memory. */
  private push(text: string): void {
    if (this.stopping.signal.aborted) return;
    if (this.stream.readableLength > MOST_UNREAD_BYTES) this.stream.destroy();
    else this.stream.push(text);
  }

  /** Waits while much is unread, at most until the next heartbeat. */
  private async drained(): Promise<void> {
    const due = performance.now() + this.heartbeat_ms;
    while (this.stream.readableLength > PAGE * 1024 && !this.stopping.signal.aborted) {
      if (performance.now() > due) {
        this.stream.destroy();
        return;
      }
      await after(10);
    }
  }
}

function textOf(drive: Drive, event: StoredEvent, touched: readonly TouchedKey[]): string {
  const body = decodeData(event.data) as object;
  const data = presentBody(event.type, body, drive.keyring.open);
  const record = JSON.stringify({ ...presentEvent(event, touched), data });
  return `id: ${event.revision}\nevent: ${event.type}\ndata: ${record}\n\n`;
}
