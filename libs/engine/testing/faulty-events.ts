import type {
  Appended,
  Direction,
  EventStore,
  FoldableEvent,
  NewEvent,
  StoredEvent,
  Subscription,
} from '../../event-store/port.js';

/** One append as the engine asked for it. */
interface AskedAppend {
  readonly stream: string;
  readonly expected_revision: number;
  readonly events: readonly NewEvent[];
}

/** What happens to an append instead of, before or after `store` (which really appends). */
export type AppendFault = (
  store: () => Promise<Appended>,
  asked: AskedAppend,
) => Promise<Appended> | Appended;

/** A read in place of the store's own. */
type ReadFault = (
  read: () => Promise<readonly StoredEvent[]>,
  from: number,
) => Promise<readonly StoredEvent[]>;

/** An event store that does what it is told to the next appends and reads, and notes what it was asked. */
export class FaultyEvents implements EventStore {
  readonly asked: AskedAppend[] = [];
  readonly retention?: NonNullable<EventStore['retention']>;
  readonly watchStreams?: NonNullable<EventStore['watchStreams']>;
  private readonly append_faults: AppendFault[] = [];
  private readonly read_faults: ReadFault[] = [];
  private readonly fold_faults: ReadFault[] = [];

  /** `store`: the well-behaved one beneath. */
  constructor(readonly store: EventStore) {
    if (!store.retention || !store.watchStreams) return;
    this.retention = store.retention.bind(store);
    this.watchStreams = store.watchStreams.bind(store);
  }

  /** Faults of the next appends, one each. */
  onAppend(...faults: readonly AppendFault[]): void {
    this.append_faults.push(...faults);
  }

  /** Faults of the next reads of a stream, one each. */
  onRead(...faults: readonly ReadFault[]): void {
    this.read_faults.push(...faults);
  }

  /** Faults of the next reads for folding, one each. */
  onFold(...faults: readonly ReadFault[]): void {
    this.fold_faults.push(...faults);
  }

  async append(
    stream: string,
    expected_revision: number,
    events: readonly NewEvent[],
  ): Promise<Appended> {
    const asked = { stream, expected_revision, events };
    this.asked.push(asked);
    const store = () => this.store.append(stream, expected_revision, events);
    const fault = this.append_faults.shift();
    return fault ? fault(store, asked) : store();
  }

  readStream(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    const read = () => this.store.readStream(stream, from, direction, limit);
    const fault = this.read_faults.shift();
    return fault ? fault(read, from) : read();
  }

  readFoldable(stream: string, from: number, limit: number): Promise<readonly FoldableEvent[]> {
    const read = () => this.readStream(stream, from, 'forward', limit);
    const fault = this.fold_faults.shift();
    return fault ? fault(read, from) : read();
  }

  readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.store.readAll(after, limit);
  }

  lastPosition(): Promise<number> {
    return this.store.lastPosition();
  }

  subscribeAll(
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed?: (error: unknown) => void,
  ): Subscription {
    return this.store.subscribeAll(after, handle, failed);
  }

  findRevisionByTime(stream: string, at_ms: number): Promise<number> {
    return this.store.findRevisionByTime(stream, at_ms);
  }

  /** Says whether appends would succeed, as told. */
  takes_appends: boolean | undefined;

  async checkAppends(bytes: number): Promise<void> {
    const takes = this.takes_appends ?? this.append_faults.length === 0;
    if (!takes) throw new Error('appends would fail');
    await this.store.checkAppends?.(bytes);
  }

  head(stream: string) {
    return this.store.head(stream);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** A promise with its handles, and a second one that tells when somebody began to wait for it. */
export class Gate {
  private readonly opened = Promise.withResolvers<void>();
  private readonly arrival = Promise.withResolvers<void>();

  /** Resolves when somebody has come to the gate. */
  get reached(): Promise<void> {
    return this.arrival.promise;
  }

  /** Waits until the gate is opened. */
  pass(): Promise<void> {
    this.arrival.resolve();
    return this.opened.promise;
  }

  /** A fault that lets what it holds go on when the gate is opened. */
  readonly hold = async <T>(goOn: () => Promise<T>): Promise<T> => {
    await this.pass();
    return goOn();
  };

  open(): void {
    this.opened.resolve();
  }
}
