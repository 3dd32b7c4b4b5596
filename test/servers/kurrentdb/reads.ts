import type { Metadata, ServerErrorResponse, ServerWritableStream } from '@grpc/grpc-js';
import { once } from 'node:events';

import type { Access } from './access.js';
import type { EventLog, LogRecord } from './event-log.js';
import type { Faults } from './faults.js';
import { at, eventMessage, identifier, notReady, streamName, tombstoned } from './messages.js';
import { ReadReq, ReadResp, type messages } from './protocol.js';
import type { Writer } from './writer.js';

/** Events looked at between two checkpoints, where the client names no window. */
const DEFAULT_WINDOW = 32;

type Call = ServerWritableStream<messages.ReadReq, messages.ReadResp>;
type Matches = (record: LogRecord) => boolean;

/** Where the records of a read lie: an index each, and which of them a reader may see. */
interface Source {
  readonly records: readonly LogRecord[];
  /** Records of a stream below are hidden. */
  readonly first: number;
}

/** The call that reads, once or for ever. */
export class ReadHandlers {
  reads = 0;
  subscriptions = 0;
  /** Ends each running subscription with an error. */
  readonly running = new Set<(error: ServerErrorResponse) => void>();

  constructor(
    private readonly log: EventLog,
    private readonly faults: Faults,
    private readonly writer: Writer,
    private readonly access: Access,
  ) {}

  readonly read = (call: Call): void => {
    const options = call.request.getOptions()!;
    const stream = options.hasAll() ? '$all' : streamName(options.getStream()!);
    const refusal =
      this.access.unauthenticated(call.metadata) ??
      this.writer.refusal(requiresLeader(call.metadata)) ??
      this.access.refusal(call.metadata, 'read', stream);
    if (refusal) {
      call.emit('error', refusal);
      return;
    }
    const handled = options.hasSubscription()
      ? this.#subscribe(call, options)
      : this.#readOnce(call, options);
    // A call that has been cancelled meanwhile has nobody to tell.
    handled.catch((error: unknown) => call.cancelled || call.emit('error', error));
  };

  async #readOnce(call: Call, options: messages.ReadReq.Options): Promise<void> {
    this.reads += 1;
    await this.faults.delay();
    const source = this.#source(options);
    if (source === 'tombstoned') throw tombstoned(streamName(options.getStream()!));
    if (source === 'not-found') {
      const stream = identifier(streamName(options.getStream()!));
      const missing = new ReadResp.StreamNotFound().setStreamIdentifier(stream);
      call.write(new ReadResp().setStreamNotFound(missing));
    } else {
      const backward = options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS;
      await this.#send(call, source, this.#startOfRead(options, source, backward), {
        step: backward ? -1 : 1,
        count: BigInt(options.getCount()),
        matches: matcher(options),
      });
    }
    call.end();
  }

  async #send(
    call: Call,
    { records, first }: Source,
    start: number,
    { step, count, matches }: { step: 1 | -1; count: bigint; matches: Matches },
  ): Promise<void> {
    let sent = 0n;
    // Events stored after the read has begun are not its business.
    const end = records.length;
    for (let index = start; index >= first && index < end && sent < count; index += step) {
      const record = records[index]!;
      if (!matches(record)) continue;
      await write(call, eventMessage(record));
      sent += 1n;
      if (call.cancelled) return;
    }
  }

  async #subscribe(call: Call, options: messages.ReadReq.Options): Promise<void> {
    this.subscriptions += 1;
    const subscription_id = crypto.randomUUID();
    const confirmation = new ReadResp.SubscriptionConfirmation().setSubscriptionId(subscription_id);
    let wake: () => void = () => undefined;
    const stop_listening = this.log.listen(() => wake());
    let failed: ServerErrorResponse | null = null;
    const fail = (error: ServerErrorResponse) => {
      failed = error;
      wake();
    };
    this.running.add(fail);
    call.on('cancelled', () => wake());
    try {
      let next = this.#startOfSubscription(options);
      await write(call, new ReadResp().setConfirmation(confirmation));
      const run = new SubscriptionRun(call, options, this.faults);
      for (let caught_up = false; ;) {
        const source = this.#source(options);
        if (source === 'tombstoned') throw tombstoned(streamName(options.getStream()!));
        if (source !== 'not-found') next = await run.deliver(source, next, () => failed);
        if (failed) throw failed;
        if (call.cancelled) return;
        if (source !== 'not-found' && next < source.records.length) continue;
        if (!caught_up) await write(call, new ReadResp().setCaughtUp(new ReadResp.CaughtUp()));
        caught_up = true;
        await new Promise<void>((resolve) => {
          wake = resolve;
          const now = this.#source(options);
          if (failed || call.cancelled || (typeof now === 'object' && next < now.records.length))
            resolve();
        });
      }
    } finally {
      stop_listening();
      this.running.delete(fail);
    }
  }

  #source(options: messages.ReadReq.Options): Source | 'not-found' | 'tombstoned' {
    if (options.hasAll()) return { records: this.log.records, first: 0 };
    const view = this.log.read(streamName(options.getStream()!));
    return view.kind === 'records' ? view : view.kind;
  }

  /** A position forward means the event there, backward the one before it. */
  #startOfRead(options: messages.ReadReq.Options, { records, first }: Source, backward: boolean) {
    const start = options.getStream() ?? options.getAll()!;
    if (start.hasStart()) return first;
    if (start.hasEnd()) return backward ? records.length - 1 : records.length;
    const stream = options.getStream();
    if (stream) {
      const revision = Number(stream.getRevision());
      return backward ? Math.min(revision, records.length - 1) : Math.max(revision, first);
    }
    const position = BigInt(options.getAll()!.getPosition()!.getCommitPosition());
    return this.log.indexFrom(position) - (backward ? 1 : 0);
  }

  /** A subscription begins after the place it is given. */
  #startOfSubscription(options: messages.ReadReq.Options): number {
    const start = options.getStream() ?? options.getAll()!;
    if (start.hasStart()) return 0;
    const stream = options.getStream();
    if (stream) {
      if (!start.hasEnd()) return Number(stream.getRevision()) + 1;
      const source = this.#source(options);
      return typeof source === 'object' ? source.records.length : 0;
    }
    if (start.hasEnd()) return this.log.records.length;
    const position = BigInt(options.getAll()!.getPosition()!.getCommitPosition());
    return this.log.indexFrom(position + 1n);
  }
}

/** Sends one subscription what it has not seen, with checkpoints between if it filters. */
class SubscriptionRun {
  readonly #matches: Matches;
  readonly #checkpoint_every: number;
  #considered = 0;

  constructor(
    private readonly call: Call,
    options: messages.ReadReq.Options,
    private readonly faults: Faults,
  ) {
    this.#matches = matcher(options);
    const filter = options.getFilter();
    const window = filter?.hasMax() ? filter.getMax() : DEFAULT_WINDOW;
    this.#checkpoint_every = filter
      ? window * Math.max(1, filter.getCheckpointintervalmultiplier())
      : Infinity;
  }

  /** Delivers up to what is stored now; returns the index of the next record. */
  async deliver(
    { records, first }: Source,
    start: number,
    failed: () => ServerErrorResponse | null,
  ): Promise<number> {
    let index = Math.max(start, first);
    const end = records.length;
    if (index >= end) return index;
    await this.faults.delay();
    const ahead = this.faults.checkpoints_ahead && this.#checkpoint_every < Infinity;
    if (ahead) await this.#checkpoint(records[end - 1]!);
    for (; index < end && !this.call.cancelled && !failed(); index += 1) {
      const record = records[index]!;
      if (this.#matches(record)) {
        await write(this.call, eventMessage(record));
        if (this.faults.subscriptionFails()) throw notReady();
      }
      this.#considered += 1;
      if (this.#considered % this.#checkpoint_every === 0) await this.#checkpoint(record);
    }
    return index;
  }

  async #checkpoint({ position }: LogRecord): Promise<void> {
    await write(this.call, new ReadResp().setCheckpoint(at(new ReadResp.Checkpoint(), position)));
  }
}

function requiresLeader(metadata: Metadata): boolean {
  return String(metadata.get('requires-leader')[0]).toLowerCase() === 'true';
}

function matcher(options: messages.ReadReq.Options): Matches {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const by_type = filter.hasEventType();
  const expression = (by_type ? filter.getEventType() : filter.getStreamIdentifier())!;
  const prefixes = expression.getPrefixList();
  const regex = new RegExp(expression.getRegex());
  return (record) => {
    const text = by_type ? record.type : record.stream;
    if (prefixes.length > 0) return prefixes.some((prefix) => text.startsWith(prefix));
    return regex.test(text);
  };
}

/** Writes and, if the client reads slowly, waits until it has room or is gone. */
async function write(call: Call, response: messages.ReadResp): Promise<void> {
  if (call.cancelled || call.write(response)) return;
  const given_up = new AbortController();
  const { signal } = given_up;
  await Promise.race([once(call, 'drain', { signal }), once(call, 'cancelled', { signal })]);
  given_up.abort();
}
