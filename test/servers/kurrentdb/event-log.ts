import { firstShown, limitsIn, NO_LIMITS, type StreamLimits } from './retention.js';

/** An event as a client proposes it. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly content_type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event as the log keeps it. */
export interface LogRecord extends ProposedEvent {
  readonly stream: string;
  readonly revision: number;
  /** Offset in the log: grows strictly, with gaps as wide as the records. */
  readonly position: number;
  readonly created_ms: number;
}

export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists';

/** What became of an append; `current` is the last revision, or -1; no position for nothing or for hidden events. */
export type AppendOutcome =
  | { readonly kind: 'stored'; readonly revision: number; readonly position: number | null }
  | { readonly kind: 'wrong-revision'; readonly current: number }
  | { readonly kind: 'tombstoned' };

/** What a stream shows to readers. */
export type StreamView =
  | { readonly kind: 'records'; readonly records: readonly LogRecord[]; readonly first: number }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'tombstoned' };

const METADATA_TYPE = '$metadata';
const TOMBSTONE_TYPE = '$streamDeleted';
/** `$tb` of a soft-deleted stream: the largest signed 64-bit number. */
const SOFT_DELETED = 2n ** 63n - 1n;
const FIRST_POSITION = 1_312;
const RECORD_OVERHEAD = 96;

interface Stream {
  readonly records: LogRecord[];
  readonly by_id: Map<string, LogRecord>;
  /** What is hidden from readers of the stream, yet stays in `$all`. */
  limits: StreamLimits;
  tombstoned: boolean;
}

/**
 * The rules of the real server over one log in memory: expected revisions, idempotent appends, soft deletes,
 * truncation and tombstones, the latter three being events of the log themselves.
 */
export class EventLog {
  readonly #records: LogRecord[] = [];
  readonly #streams = new Map<string, Stream>();
  readonly #listeners = new Set<() => void>();
  readonly #persist: (records: readonly LogRecord[]) => void;
  /** What a write would store, while it is only planned. */
  #planned: LogRecord[] | null = null;

  /** @param persist makes records durable before anyone sees them */
  constructor(
    stored: Iterable<LogRecord> = [],
    persist: (records: readonly LogRecord[]) => void = () => undefined,
  ) {
    this.#persist = persist;
    for (const record of stored) this.#apply(record);
  }

  /** Real logs begin with events of the system, which nobody asked for and who reads $all unfiltered gets. */
  begin(users: readonly { readonly stream: string; readonly data: string }[] = []): void {
    if (this.#records.length > 0) return;
    this.#write('$$$stats', [event(METADATA_TYPE, '{"$maxAge":86400}')]);
    for (const { stream, data } of users) this.#write(stream, [event('$UserCreated', data)]);
  }

  /** What a write would store and return; nothing is stored. */
  plan<T>(write: () => T): { readonly records: readonly LogRecord[]; readonly result: T } {
    const records: LogRecord[] = [];
    this.#planned = records;
    try {
      return { result: write(), records };
    } finally {
      this.#planned = null;
    }
  }

  /** Shows records that have been planned and are durable elsewhere. */
  apply(records: readonly LogRecord[]): void {
    for (const record of records) this.#apply(record);
    for (const changed of this.#listeners) changed();
  }

  /** All records in order of position. */
  get records(): readonly LogRecord[] {
    return this.#records;
  }

  /** Index in `records` of the first one at `position` or beyond. */
  indexFrom(position: bigint): number {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (BigInt(this.#records[middle]!.position) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  read(name: string): StreamView {
    const stream = this.#streams.get(name);
    // With a stream its metadata is gone, too.
    const described = name.startsWith('$$') ? this.#streams.get(name.slice(2)) : stream;
    if (stream?.tombstoned || described?.tombstoned) return { kind: 'tombstoned' };
    if (!stream || stream.records.length === 0 || isSoftDeleted(stream))
      return { kind: 'not-found' };
    const { records, limits } = stream;
    return { kind: 'records', records, first: firstShown(records, limits, Date.now()) };
  }

  append(
    name: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): AppendOutcome {
    const stream = this.#streams.get(name);
    if (stream?.tombstoned) return { kind: 'tombstoned' };
    const current = (stream?.records.length ?? 0) - 1;
    if (events.length === 0) return { kind: 'stored', revision: current, position: null };

    const decision = decide(stream, expected, events);
    if (decision === 'deleted') return { kind: 'tombstoned' };
    if (decision === 'wrong') return { kind: 'wrong-revision', current };
    if (decision === 'new') {
      const undeletes = isSoftDeleted(stream);
      if (undeletes) this.#writeMetadata(name, BigInt(current + 1));
      this.#write(name, events);
      if (this.#planned) {
        const { position } = this.#planned.at(-1)!;
        return { kind: 'stored', revision: current + events.length, position };
      }
    }
    const { by_id, records, limits } = this.#streams.get(name)!;
    const { revision, position } = by_id.get(events.at(-1)!.id)!;
    // The real server reads the event to find its place, and a hidden one cannot be read.
    const hidden = firstShown(records, limits, Date.now()) > revision;
    return { kind: 'stored', revision, position: hidden ? null : position };
  }

  /** Hides the stream from its readers; an append with NO_STREAM succeeds again and counts on. */
  softDelete(name: string, expected: ExpectedRevision): AppendOutcome {
    return this.#remove(name, expected, () => this.#writeMetadata(name, SOFT_DELETED));
  }

  /** Ends the stream for ever. */
  tombstone(name: string, expected: ExpectedRevision): AppendOutcome {
    return this.#remove(name, expected, () =>
      this.#write(name, [
        { ...event(TOMBSTONE_TYPE, ''), content_type: 'application/octet-stream' },
      ]),
    );
  }

  /** Hides the events of a stream below a revision from its readers. */
  truncate(name: string, first_revision: number): void {
    this.#writeMetadata(name, BigInt(first_revision));
  }

  /** Calls `changed` after every append, until the returned function is called. */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  #remove(name: string, expected: ExpectedRevision, remove: () => void): AppendOutcome {
    const stream = this.#streams.get(name);
    if (stream?.tombstoned) return { kind: 'tombstoned' };
    const current = (stream?.records.length ?? 0) - 1;
    if (!fits(stream, expected)) return { kind: 'wrong-revision', current };
    remove();
    return {
      kind: 'stored',
      revision: current,
      position: (this.#planned ?? this.#records).at(-1)!.position,
    };
  }

  #writeMetadata(name: string, truncate_before: bigint): void {
    this.#write(`$$${name}`, [event(METADATA_TYPE, `{"$tb":${truncate_before}}`)]);
  }

  #write(name: string, events: readonly ProposedEvent[]): void {
    const revision = this.#streams.get(name)?.records.length ?? 0;
    const last = this.#planned?.at(-1) ?? this.#records.at(-1);
    let position = last ? endOf(last) : FIRST_POSITION;
    const created_ms = Date.now();
    const records = events.map((proposed, index) => {
      const record = {
        ...proposed,
        stream: name,
        revision: revision + index,
        position,
        created_ms,
      };
      position = endOf(record);
      return record;
    });
    if (this.#planned) {
      this.#planned.push(...records);
      return;
    }
    this.#persist(records);
    this.apply(records);
  }

  #apply(record: LogRecord): void {
    const stream = this.#stream(record.stream);
    this.#records.push(record);
    stream.records.push(record);
    stream.by_id.set(record.id, record);
    if (record.type === TOMBSTONE_TYPE) stream.tombstoned = true;
    if (record.type === METADATA_TYPE && record.stream.startsWith('$$'))
      this.#stream(record.stream.slice(2)).limits = limitsIn(record.data);
  }

  #stream(name: string): Stream {
    let stream = this.#streams.get(name);
    if (!stream) {
      stream = { records: [], by_id: new Map(), limits: NO_LIMITS, tombstoned: false };
      this.#streams.set(name, stream);
    }
    return stream;
  }
}

/** Whether an append is new, repeats an earlier one, or came too late. */
function decide(
  stream: Stream | undefined,
  expected: ExpectedRevision,
  events: readonly ProposedEvent[],
): 'new' | 'repeated' | 'wrong' | 'deleted' {
  const current = (stream?.records.length ?? 0) - 1;
  if (expected === 'any' || expected === 'stream_exists') {
    if (expected === 'stream_exists' && isSoftDeleted(stream)) return 'deleted';
    const first_unknown = events.findIndex(({ id }) => !stream?.by_id.has(id));
    if (first_unknown === -1) return 'repeated';
    return first_unknown === 0 && fits(stream, expected) ? 'new' : 'wrong';
  }
  const place = expected === 'no_stream' ? -1 : expected;
  if (place < current) {
    // Deleted and truncated events count too: the real server looks into its index, not at what readers see.
    const at_place = stream!.records.slice(place + 1, place + 1 + events.length);
    const differing = events.findIndex(({ id }, index) => at_place[index]?.id !== id);
    if (differing === -1) return 'repeated';
    return differing === 0 && fits(stream, expected) ? 'new' : 'wrong';
  }
  return place === current ? 'new' : 'wrong';
}

function isSoftDeleted(stream: Stream | undefined): boolean {
  return stream?.limits.truncate_before === SOFT_DELETED;
}

function fits(stream: Stream | undefined, expected: ExpectedRevision): boolean {
  const current = (stream?.records.length ?? 0) - 1;
  const absent = current < 0 || isSoftDeleted(stream);
  if (expected === 'any') return true;
  if (expected === 'stream_exists') return !absent;
  if (expected === 'no_stream') return absent;
  return expected === current;
}

function endOf(record: LogRecord): number {
  const { stream, type, data, metadata, position } = record;
  return (
    position + RECORD_OVERHEAD + stream.length + 2 * type.length + data.length + metadata.length
  );
}

function event(type: string, data: string): ProposedEvent {
  return {
    id: crypto.randomUUID(),
    type,
    content_type: 'application/json',
    data: Buffer.from(data),
    metadata: new Uint8Array(),
  };
}
