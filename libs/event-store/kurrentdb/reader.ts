import { BACKWARDS, END, FORWARDS, START } from '@kurrent/kurrentdb-client';

import { StreamDeleted, type Direction } from '../port.js';
import { drain, NoAnswer, NodeLeft, within } from './cluster/deadline.js';
import type { Native, NativeReaders } from './cluster/native-readers.js';
import { Refusals, type Right } from './cluster/refusals.js';
import { withDoubt } from './cluster/serving-node.js';
import type { RawEvent } from './stored-form.js';

/** Streams of this service, and possibly others: the server filters fast only by prefixes. */
export const PREFIXES = ['drive-', 'factory'];

/** Their metadata streams. */
export const METADATA_PREFIXES = ['$$drive-', '$$factory'];

/** Revision for backward reads from the end. */
export const LAST = END;

/** `$tb` of a softly deleted stream: all its events are truncated. */
const ALL_CUT_OFF = /"\$tb":\s*9223372036854775807\b/;

/** Result of a read: the first events up to `most_bytes`, at least one, each converted by `made`. */
interface Kept<T> {
  readonly most_bytes: number;
  made(raw: RawEvent): T;
}

/** Everything, as it is stored. */
const WHOLE: Kept<RawEvent> = { most_bytes: Infinity, made: (raw) => raw };

/** Options of every read. */
type Common = NativeReaders['credentials'] & { requiresLeader: true; resolvesLink: false };

/** Begins a read. */
type Read = (native: Native, common: Common) => ReturnType<Native['readStream']>;

const readLast: Read = (native, common) =>
  native.readAll({ ...common, fromPosition: END, direction: BACKWARDS, maxCount: 1n });

/**
 * Bounded reads from the leader. Each is read to its end, even if its caller no longer waits: interrupted reads make
 * later ones stall.
 */
export class Reader {
  constructor(
    private readonly natives: NativeReaders,
    private readonly deadline_ms: number,
    /** Called when a read is not answered: the node may be silent for all callers. */
    private readonly doubt: () => void = () => {},
    private readonly refusals: Refusals = new Refusals(),
  ) {}

  /**
   * At most `limit` ≥ 1 events; none for an unknown stream.
   * @throws StreamDeleted, StoreUnavailable; other errors of the client
   */
  stream(
    stream: string,
    from: bigint | typeof LAST,
    direction: Direction,
    limit: number,
  ): Promise<RawEvent[]> {
    return this.streamAs(WHOLE, stream, from, direction, limit);
  }

  /** The same, each event converted as it arrives: the server sends on meanwhile. */
  async streamAs<T>(
    kept: Kept<T>,
    stream: string,
    from: bigint | typeof LAST,
    direction: Direction,
    limit: number,
  ): Promise<T[]> {
    const found = await this.streamIfAny(kept, stream, from, direction, limit);
    if (!found) await this.refuseDeleted(stream);
    // The stream exists, but its very beginning or end is empty: all events are truncated.
    else if (found.length === 0 && (from === 0n || from === LAST)) throw new StreamDeleted(stream);
    return found ?? [];
  }

  /**
   * At most `limit` ≥ 1 events of streams by prefix from a position on (inclusive), in order; -1 is the beginning.
   */
  all(from: number, limit: number, prefixes = PREFIXES): Promise<RawEvent[]> {
    const at = BigInt(from);
    const read: Read = (native, common) =>
      native.readAll({
        ...common,
        fromPosition: from < 0 ? START : { commit: at, prepare: at },
        direction: FORWARDS,
        maxCount: BigInt(limit),
        filter: { filterOn: 'streamName', prefixes },
      });
    return this.collect('all', read, WHOLE);
  }

  /** The last event of all streams. */
  async last(): Promise<RawEvent | undefined> {
    const [last] = await this.collect('all', readLast, WHOLE);
    return last;
  }

  /**
   * A deleted stream looks like one that never existed, and an append would continue its revisions.
   * @throws StreamDeleted
   */
  async refuseDeleted(stream: string): Promise<void> {
    if (ALL_CUT_OFF.test(await this.metadata(stream))) throw new StreamDeleted(stream);
  }

  /**
   * A stream's metadata as stored; empty if there is none.
   * @throws StreamDeleted: the metadata of a stream with a tombstone is deleted too
   */
  async metadata(stream: string): Promise<string> {
    const metadata_stream = `$$${stream}`;
    try {
      const [last] = (await this.streamIfAny(WHOLE, metadata_stream, LAST, 'backward', 1)) ?? [];
      return last ? Buffer.from(last.data).toString() : '';
    } catch (error) {
      if (!(error instanceof StreamDeleted)) throw error;
      throw new StreamDeleted(stream, { cause: error }, true);
    }
  }

  /** Null for an unknown stream. */
  private async streamIfAny<T>(
    kept: Kept<T>,
    stream: string,
    from: bigint | typeof LAST,
    direction: Direction,
    limit: number,
  ): Promise<T[] | null> {
    try {
      const right = stream.startsWith('$$') ? 'metadata' : 'streams';
      const read: Read = (native, common) =>
        native.readStream(stream, {
          ...common,
          fromRevision: from,
          direction: direction === 'forward' ? FORWARDS : BACKWARDS,
          maxCount: BigInt(limit),
        });
      return await this.collect(right, read, kept);
    } catch (error) {
      const name = nameOf(error);
      if (name === 'StreamNotFoundError') return null;
      if (name === 'StreamDeletedError') throw new StreamDeleted(stream, { cause: error }, true);
      throw error;
    }
  }

  /**
   * The events of a read. If its node does not lead any more, the next one is asked, once; if it does not answer, each
   * next one until the deadline: a new reader may find the same node first.
   */
  private async collect<T>(right: Right, read: Read, kept: Kept<T>): Promise<T[]> {
    const until = performance.now() + this.deadline_ms;
    for (let is_second = false; ; is_second = true) {
      const { current } = this.natives;
      try {
        return await this.collectFrom(current, read, kept);
      } catch (error) {
        if (error instanceof NodeLeft && performance.now() < until) continue;
        if (nameOf(error) === 'AccessDeniedError') throw await this.refusals.denied(right, error);
        if (!isTransient(error)) throw error;
        this.natives.failed(current);
        if (nameOf(error) === 'NotLeaderError' && !is_second) continue;
        throw await this.refusals.unavailable('the event store cannot be read', error);
      }
    }
  }

  private async collectFrom<T>(native: Native, read: Read, kept: Kept<T>): Promise<T[]> {
    const { natives } = this;
    const { left } = natives;
    const common = { ...natives.credentials, requiresLeader: true, resolvesLink: false } as const;
    const iterator = read(native, common)[Symbol.asyncIterator]();
    const doubt = (): void => {
      this.doubt();
      void natives.doubt(native);
    };
    const events: T[] = [];
    let bytes = 0;
    let failure: { readonly error: unknown } | null = null;
    for (;;) {
      const next = iterator.next();
      const answer = withDoubt(within(next, this.deadline_ms, left), doubt);
      const page = await answer.catch((error: unknown) => {
        if (error instanceof NoAnswer) void drain(iterator, next);
        throw error;
      });
      if (page.done && failure) throw failure.error;
      if (page.done) return events;
      for (const { event } of page.value) {
        if (!event || failure || bytes > kept.most_bytes) continue;
        bytes += event.data.length + event.metadata.length;
        try {
          events.push(kept.made(event));
        } catch (error) {
          failure = { error };
        }
      }
    }
  }
}

const TRANSIENT = [
  'StoreUnavailable',
  'UnavailableError',
  'DeadlineExceededError',
  'NotLeaderError',
  'NoAnswer',
];

/** True if the same read may succeed later. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.includes(nameOf(error));
}

/** Errors of the native reader differ only by name. */
function nameOf(error: unknown): string {
  return String((error as { name?: unknown } | null)?.name);
}
