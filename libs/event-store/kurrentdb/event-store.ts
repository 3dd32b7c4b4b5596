import type { KurrentDBClient } from '@kurrent/kurrentdb-client';

import { checkAppend, DEFAULT_MAX_APPEND_BYTES, repeatedAppend } from '../append-rules.js';
import { lastAtOrBefore } from '../find-by-time.js';
import {
  AppendOutcomeUnknown,
  NO_STREAM,
  type Appended,
  type Direction,
  type EventStore,
  type FoldableEvent,
  ForeignEvent,
  type NewEvent,
  type Retention,
  type StoredEvent,
  type StreamHead,
  StoreRefused,
  type Subscription,
} from '../port.js';
import { timeOfEvent } from '../existing-events.js';
import { FACTORY_STREAM } from '../reads.js';
import { Subscriptions } from '../subscription.js';
import { type Answer, Appender } from './appender.js';
import { Backoff, within } from './cluster/deadline.js';
import { LiveSignal, StreamWatch } from './live.js';
import { NativeReaders } from './cluster/native-readers.js';
import { isTransient, LAST, Reader } from './reader.js';
import { Refusals } from './cluster/refusals.js';
import { type RawEvent, fromKurrent, positionOf, retentionIn, toKurrent } from './stored-form.js';

export interface KurrentBounds {
  /** Maximum time of an append, or of the next part of a read, in ms; default 5 s. */
  readonly deadline_ms?: number;
  /** Maximum metadata and data of one append; default 512 KiB (the server takes 1 MiB). */
  readonly max_append_bytes?: number;
}

const DEFAULT_DEADLINE_MS = 5_000;

/** Maximum size of a page for folding in memory. */
const FOLDABLE_BYTES = 8 * 1024 * 1024;

/** Maximum time for the client to end its streams, ms. */
const DISPOSE_MS = 500;

/** Events in a KurrentDB or EventStoreDB (22.6 or later). */
export class KurrentEventStore implements EventStore {
  /** Each read has a fixed cost: with pages of 1,000 it is as high as that of their events. */
  readonly fold_page = 4_000;
  private readonly reader: Reader;
  private readonly appender: Appender;
  private readonly subscriptions = new Subscriptions();
  private readonly live: LiveSignal;
  private readonly max_append_bytes: number;
  private readonly under_way = new Set<Promise<unknown>>();
  private readonly beginning = new Map<string, Promise<void>>();
  private readonly foreign = new Set<string>();
  private readonly watches = new Set<StreamWatch>();
  private closing: Promise<void> | undefined;

  /**
   * The store owns the client and disposes of it.
   * @param doubt called when a read or an append is not answered
   */
  constructor(
    private readonly client: KurrentDBClient,
    bounds: KurrentBounds = {},
    natives: NativeReaders = new NativeReaders(() => client.rustClient),
    doubt: () => void = () => {},
    refusals: Refusals = new Refusals(),
  ) {
    const deadline_ms = bounds.deadline_ms ?? DEFAULT_DEADLINE_MS;
    this.reader = new Reader(natives, deadline_ms, doubt, refusals);
    this.appender = new Appender(client, deadline_ms, doubt, refusals);
    this.live = new LiveSignal(client, this.subscriptions.committed, doubt);
    this.max_append_bytes = bounds.max_append_bytes ?? DEFAULT_MAX_APPEND_BYTES;
  }

  /** {@inheritDoc EventStore.append} StreamDeleted if NO_STREAM would continue after a deleted stream's end. */
  async append(
    stream: string,
    expected_revision: number,
    events: readonly NewEvent[],
  ): Promise<Appended> {
    if (this.closing) throw new Error('the event store is closed');
    checkAppend(stream, expected_revision, events, this.max_append_bytes);
    const appending = this.appendOrThrow(stream, expected_revision, events, events.map(toKurrent));
    this.under_way.add(appending);
    try {
      const appended = await appending;
      this.live.announce(appended.last_position);
      return appended;
    } finally {
      this.under_way.delete(appending);
    }
  }

  async readStream(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    const found = await this.readRaw(stream, from, direction, limit);
    return found.map(fromKurrent);
  }

  async readFoldable(
    stream: string,
    from: number,
    limit: number,
  ): Promise<readonly FoldableEvent[]> {
    if (limit < 1 || from > Number.MAX_SAFE_INTEGER) return [];
    const kept = { most_bytes: FOLDABLE_BYTES, made: fromKurrent };
    return this.reader.streamAs(kept, stream, BigInt(Math.max(0, from)), 'forward', limit);
  }

  async readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    return (await this.readOn(after, limit)).events;
  }

  async lastPosition(): Promise<number> {
    const last = await this.reader.last();
    return last ? positionOf(last) : -1;
  }

  subscribeAll(
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed?: (error: unknown) => void,
  ): Subscription {
    if (this.closing) throw new Error('the event store is closed');
    this.live.start();
    const { live } = this;
    const backoff = new Backoff();
    let read_to_end_in = -1;
    const read = async (
      seen: number,
      limit: number,
      stopping: AbortSignal,
    ): Promise<readonly StoredEvent[]> => {
      if (live.epoch === read_to_end_in && live.last_position <= seen) return [];
      while (!stopping.aborted) {
        const { epoch, last_position } = live;
        try {
          const { events, reached } = await this.readOn(seen, limit);
          if (events.length > 0) {
            backoff.reset();
            return events;
          }
          // Announced before the server shows it: it will not be announced again.
          if (reached >= last_position) {
            read_to_end_in = epoch;
            return [];
          }
        } catch (error) {
          // Permanent errors are reported.
          if (!isTransient(error) || error instanceof StoreRefused) throw error;
        }
        await backoff.wait(stopping);
      }
      return [];
    };
    return this.subscriptions.start(read, after, handle, failed);
  }

  async findRevisionByTime(stream: string, at_ms: number): Promise<number> {
    const head = await this.head(stream);
    return lastAtOrBefore(at_ms, head?.revision ?? -1, (revision) =>
      timeOfEvent(this, stream, revision),
    );
  }

  async head(stream: string): Promise<StreamHead | null> {
    const [last] = await this.readStream(stream, Infinity, 'backward', 1);
    return last ?? null;
  }

  /** Requests everything that an append needs: the metadata of a new stream is read first. */
  async checkAppends(): Promise<void> {
    await this.reader.metadata(FACTORY_STREAM);
    await this.appender.check(FACTORY_STREAM);
  }

  async retention(stream: string): Promise<Retention | null> {
    return retentionIn(await this.reader.metadata(stream));
  }

  async watchStreams(changed: (stream: string) => void): Promise<Subscription> {
    const seen = await this.lastPosition();
    if (this.closing) throw new Error('the event store is closed');
    const watch = new StreamWatch(this.reader, this.live, changed, seen);
    this.watches.add(watch);
    const stop = async (): Promise<void> => {
      this.watches.delete(watch);
      await watch.stop();
    };
    return { stop };
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await Promise.all([
      Promise.allSettled(this.under_way),
      this.live.stop(),
      this.subscriptions.stopAll(),
      ...[...this.watches].map((watch) => watch.stop()),
    ]);
    // It waits for every stream to finish, and forever for an append stream that the server has ended.
    await within(this.client.dispose(), DISPOSE_MS).catch(() => {});
  }

  /** `readAll`, with the highest position read, including foreign events. */
  private async readOn(
    after: number,
    limit: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly reached: number }> {
    const events: StoredEvent[] = [];
    let reached = after;
    while (events.length < limit) {
      // One more than requested: reads begin at the position itself.
      const asked = limit - events.length + 1;
      const page = await this.reader.all(reached, asked);
      const fresh = page.filter((raw) => positionOf(raw) > reached);
      for (const raw of fresh.slice(0, limit - events.length)) {
        const event = this.own(raw);
        if (event) events.push(event);
        reached = positionOf(raw);
      }
      if (page.length < asked || fresh.length === 0) break;
    }
    return { events, reached };
  }

  private async appendOrThrow(
    stream: string,
    expected_revision: number,
    events: readonly NewEvent[],
    data: ReturnType<typeof toKurrent>[],
  ): Promise<Appended> {
    await this.mayBegin(stream, expected_revision);
    const last_revision = expected_revision + events.length;
    const answer = await this.appender.append(stream, expected_revision, data);
    if (answer.is_taken && answer.last_revision === last_revision && answer.last_position !== null)
      return { last_revision, last_position: answer.last_position };
    try {
      return await this.compare(stream, expected_revision, events, answer);
    } catch (error) {
      // This append or an earlier one may have stored the events.
      if (!isTransient(error)) throw error;
      const message = `stream ${stream}: no answer to an append`;
      throw new AppendOutcomeUnknown(message, { cause: error });
    }
  }

  /** Resolves an append by comparing it with the stream. */
  private async compare(
    stream: string,
    expected_revision: number,
    events: readonly NewEvent[],
    answer: Answer,
  ): Promise<Appended> {
    const last_revision = expected_revision + events.length;
    // The stored events decide: perhaps they are the same, from an earlier attempt. A server may also take the stored
    // part of an append for the whole, or not know the position.
    const stored = await this.readRaw(stream, expected_revision + 1, 'forward', events.length);
    const places = stored.map((raw) => [raw.id, positionOf(raw)] as const);
    const actual_revision = answer.is_taken
      ? ((await this.head(stream))?.revision ?? NO_STREAM)
      : answer.actual_revision;
    try {
      const last_position = repeatedAppend(
        stream,
        expected_revision,
        actual_revision,
        events,
        places,
      );
      return { last_revision, last_position };
    } catch (error) {
      if (!answer.is_taken || answer.last_revision < last_revision) throw error;
      throw new AppendOutcomeUnknown(
        `stream ${stream}: the server stored an append but does not show it`,
        { cause: error },
      );
    }
  }

  /**
   * Checks whether a new stream's name was deleted before; later appends to it keep their order behind the check.
   * @throws StreamDeleted
   */
  private async mayBegin(stream: string, expected_revision: number): Promise<void> {
    const begins = expected_revision === NO_STREAM;
    let look = this.beginning.get(stream);
    if (!look && begins) {
      look = this.reader.refuseDeleted(stream).finally(() => this.beginning.delete(stream));
      this.beginning.set(stream, look);
    }
    try {
      await look;
    } catch (error) {
      if (begins) throw error;
    }
  }

  private async readRaw(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<RawEvent[]> {
    if (limit < 1) return [];
    if (direction === 'forward')
      return from > Number.MAX_SAFE_INTEGER
        ? []
        : this.reader.stream(stream, BigInt(Math.max(0, from)), direction, limit);
    if (from < 0) return [];
    if (from > Number.MAX_SAFE_INTEGER) return this.reader.stream(stream, LAST, direction, limit);
    const found = await this.reader.stream(stream, BigInt(from), direction, limit);
    // From beyond the end the server may find nothing in its range.
    return found.length > 0 ? found : this.beforeBeyond(stream, from, limit);
  }

  /** The last events, if the whole stream is before a revision. */
  private async beforeBeyond(stream: string, from: number, limit: number): Promise<RawEvent[]> {
    const found = await this.reader.stream(stream, LAST, 'backward', limit);
    return found[0] && found[0].revision <= BigInt(from) ? found : [];
  }

  /** The event, or null for a foreign one: stream watchers are notified, and other readers are not affected. */
  private own(raw: RawEvent): StoredEvent | null {
    if (raw.streamId !== 'factory' && !raw.streamId.startsWith('drive-')) return null;
    try {
      return fromKurrent(raw);
    } catch (error) {
      if (!(error instanceof ForeignEvent)) throw error;
      const { stream } = error;
      if (this.watches.size === 0 && !this.foreign.has(stream)) process.emitWarning(error.message);
      this.foreign.add(stream);
      for (const watch of this.watches) watch.note(stream);
      return null;
    }
  }
}
