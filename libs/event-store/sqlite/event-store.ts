import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { checkAppend, DEFAULT_MAX_APPEND_BYTES } from '../append-rules.js';
import { lastAtOrBefore } from '../find-by-time.js';
import {
  type Appended,
  AppendOutcomeUnknown,
  type Direction,
  type EventStore,
  type FoldableEvent,
  type FoldablePage,
  type NewEvent,
  type PreparedParts,
  StoreUnavailable,
  type StoredEvent,
  type StreamHead,
  type Subscription,
} from '../port.js';
import { Subscriptions } from '../subscription.js';
import {
  clampInteger,
  IN_MEMORY,
  openDatabase,
  rows,
  truncateLog,
  type RowQuery,
} from './files/database.js';
import { EventWriter, type PendingAppend } from './event-writer.js';
import { checkRoom } from './files/folder-files.js';
import {
  eventsFile,
  type EventRow,
  FOLDABLE_COLUMNS,
  type FoldableRow,
  FROM_REVISION,
  namesById,
  OF_STREAM,
  READ_COLUMNS,
} from './events-file.js';
import { type CommitSync, LogSync } from './files/log-sync.js';
import { PageReader } from './files/page-reader.js';

/** Beyond it, pending appends are spread over several transactions, so that none blocks the process for long. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

/** Room beyond the append itself, for the indexes of its file and for concurrent writes. */
const ROOM_TO_SPARE_BYTES = 1024 * 1024;

/** Events to the end of a stream, and events of a page, from which the reading thread is worth its messages. */
const FAR_FROM_END = 10_000;
const LARGE_PAGE = 256;

interface SqliteEventStoreOptions {
  readonly path: string;
  readonly read_only?: boolean;
  /** Maximum metadata and data of one append; default 512 KiB. */
  readonly max_append_bytes?: number;
  /** Called after each commit with the approximate growth of the write-ahead log in bytes. */
  readonly grown?: (bytes: number) => void;
  /** Syncs commits to the disk; by default the file's log. */
  readonly disk?: CommitSync;
}

/**
 * Events in one SQLite file. Appends of all streams that arrive during a sync are committed together: one sync for
 * all of them, while the process keeps working. They are visible only after that; readers do not wait for it.
 */
export class SqliteEventStore implements EventStore {
  private readonly path: string;
  private readonly db: DatabaseSync;
  private readonly writer: EventWriter | null;
  private readonly subscriptions = new Subscriptions();
  private readonly max_append_bytes: number;
  private readonly grown: (bytes: number) => void;
  /** Null like the writer, and in memory. */
  private readonly disk: CommitSync | null;
  private pending: PendingAppend[] = [];
  /** A committed group that is being synced; the next one waits for it. */
  private writing: Promise<void> | undefined;
  /** Position of the last event that is shown: what is being synced is behind it. */
  private shown_position: number;
  /** The disk has failed. The content of the file on it is unknown, even if it accepts the next commit. */
  private failure: StoreUnavailable | undefined;
  private closing: Promise<void> | undefined;

  private readonly streamNames: (id: number) => string;
  private readonly typeNames: (id: number) => string;
  private readonly forward: RowQuery;
  private readonly backward: RowQuery;
  private readonly foldable: RowQuery;
  private readonly everything: RowQuery;
  private readonly highest: RowQuery;
  private readonly time: RowQuery;
  private readonly last: RowQuery;
  /** Null in memory, which no other thread can read. */
  private readonly reader: PageReader | null;

  constructor(options: SqliteEventStoreOptions) {
    const { path, read_only = false } = options;
    this.path = path;
    this.max_append_bytes = options.max_append_bytes ?? DEFAULT_MAX_APPEND_BYTES;
    this.grown = options.grown ?? (() => {});
    const db = (this.db = openDatabase(eventsFile(path, read_only)));
    // Answers depend on `disk`; SQLite itself then syncs only where its files need it.
    if (!read_only) db.exec('PRAGMA synchronous = NORMAL');
    this.writer = read_only ? null : new EventWriter(db);
    const is_in_memory = path === IN_MEMORY;
    this.disk = read_only || is_in_memory ? null : (options.disk ?? new LogSync(path));
    this.streamNames = namesById(rows(db, 'SELECT name FROM streams WHERE id = ?'));
    this.typeNames = namesById(rows(db, 'SELECT name FROM types WHERE id = ?'));
    this.forward = rows(db, `SELECT ${READ_COLUMNS} ${FROM_REVISION}`);
    this.foldable = rows(db, `SELECT ${FOLDABLE_COLUMNS} ${FROM_REVISION}`);
    const to = `${OF_STREAM} AND revision <= ? AND position <= ? ORDER BY revision DESC LIMIT ?`;
    this.backward = rows(db, `SELECT ${READ_COLUMNS} FROM events WHERE ${to}`);
    this.everything = rows(
      db,
      `SELECT ${READ_COLUMNS} FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`,
    );
    this.highest = rows(db, 'SELECT coalesce(max(position), -1) FROM events');
    this.time = rows(db, `SELECT timestamp_ms FROM events WHERE ${OF_STREAM} AND revision = ?`);
    this.last = rows(db, `SELECT revision FROM events WHERE ${to}`);
    this.reader = is_in_memory ? null : new PageReader(path);
    // Whatever a process left in the file is there.
    this.shown_position = read_only ? Number.MAX_SAFE_INTEGER : this.highestPosition();
  }

  /** True if no event is stored. Only valid while no append is in progress. */
  get is_empty(): boolean {
    return this.highestPosition() < 0;
  }

  /** True if an event of this type was stored once. */
  hasType(type: string): boolean {
    return rows(this.db, 'SELECT 1 FROM types WHERE name = ?').maybe(type) !== undefined;
  }

  /** {@inheritDoc EventStore.append} A read-only store rejects. */
  async append(
    stream: string,
    expected_revision: number,
    events: readonly NewEvent[],
  ): Promise<Appended> {
    if (!this.writer) throw new Error('the event store is opened read-only');
    if (this.closing) throw new Error('the event store is closed');
    const bytes = checkAppend(stream, expected_revision, events, this.max_append_bytes);
    return new Promise((resolve, reject) => {
      if (this.pending.length === 0 && !this.writing) setImmediate(() => this.flush());
      this.pending.push({ stream, expected_revision, events, bytes, resolve, reject });
    });
  }

  async readStream(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    const query = direction === 'forward' ? this.forward : this.backward;
    return this.events(query, stream, clampInteger(from), this.upTo(), atLeastNone(limit));
  }

  async readFoldable(
    stream: string,
    from: number,
    limit: number,
  ): Promise<readonly FoldableEvent[]> {
    const events: FoldableEvent[] = [];
    const asked = [stream, clampInteger(from), this.upTo(), atLeastNone(limit)] as const;
    for (const row of this.foldable.all(...asked) as unknown as FoldableRow[])
      events.push({
        revision: row[0],
        event_id: row[1],
        type: this.typeNames(row[2]),
        timestamp_ms: row[3],
        data: row[4],
        hash: Buffer.from(row[5], 'hex'),
      });
    return events;
  }

  async readPrepared(
    stream: string,
    from: number,
    limit: number,
    { genesis, subtrees, metadata }: PreparedParts,
  ): Promise<FoldablePage | null> {
    if (!this.reader || limit < LARGE_PAGE) return null;
    // The thread also sees commits that are not on the disk yet.
    const up_to = this.upTo();
    const last = this.last.maybe(stream, Number.MAX_SAFE_INTEGER, up_to, 1);
    if (!last || Number(last[0]) - from < FAR_FROM_END) return null;
    const wanted = { genesis: genesis && Buffer.from(genesis).toString('hex'), subtrees, metadata };
    return this.reader.read({ stream, from, limit, up_to, ...wanted }, this.typeNames);
  }

  async readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.events(this.everything, clampInteger(after), this.upTo(), atLeastNone(limit));
  }

  async lastPosition(): Promise<number> {
    return Math.min(this.upTo(), this.highestPosition());
  }

  /** {@inheritDoc EventStore.subscribeAll} Throws if read-only: commits of other processes are not announced. */
  subscribeAll(
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed?: (error: unknown) => void,
  ): Subscription {
    if (!this.writer) throw new Error('a read-only event store has no live events');
    if (this.closing) throw new Error('the event store is closed');
    return this.subscriptions.start(
      (seen, limit) => this.readAll(seen, limit),
      after,
      handle,
      failed,
    );
  }

  async findRevisionByTime(stream: string, at_ms: number): Promise<number> {
    const last = this.lastOf(stream);
    return lastAtOrBefore(at_ms, last?.revision ?? -1, (revision) =>
      Number(this.time.get(stream, revision)[0]),
    );
  }

  async head(stream: string): Promise<StreamHead | null> {
    return this.lastOf(stream) ?? null;
  }

  async checkAppends(bytes: number): Promise<void> {
    if (!this.writer) throw new Error('the event store is opened read-only');
    while (this.writing) await this.writing;
    if (this.failure) throw this.failure;
    // An append goes to the log first and to the file later: there must be room for both, and a reserve.
    if (this.disk) await checkRoom(`${this.path}-room`, 2 * bytes + ROOM_TO_SPARE_BYTES);
    this.writer.touch();
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    // Pending appends are already scheduled.
    while (this.pending.length > 0 || this.writing) await (this.writing ?? nextTurn());
    await this.subscriptions.stopAll();
    await this.reader?.close();
    if (this.writer && !this.failure) truncateLog(this.db);
    await this.disk?.close();
    this.db.close();
  }

  /** Position of the last event that may be shown. @throws StoreUnavailable once the disk has failed */
  private upTo(): number {
    if (this.failure) throw this.failure;
    return this.shown_position;
  }

  private highestPosition(): number {
    return Number(this.highest.get()[0]);
  }

  private lastOf(stream: string): StoredEvent | undefined {
    return this.events(this.backward, stream, Number.MAX_SAFE_INTEGER, this.upTo(), 1)[0];
  }

  private flush(): void {
    if (this.writing || this.pending.length === 0) return;
    this.writing = this.writeGroup().finally(() => {
      this.writing = undefined;
      // Deferred: what the answered append next then belongs to the same group.
      if (this.pending.length > 0) setImmediate(() => this.flush());
    });
  }

  private async writeGroup(): Promise<void> {
    const { group, bytes } = this.takeGroup();
    if (this.failure) return rejectAll(group, this.failure);
    const committed = this.writer!.write(group);
    if (!committed) return;
    let last_position: number;
    try {
      last_position = this.highestPosition();
      await this.disk?.sync();
    } catch (cause) {
      this.failure = diskFailure(this.path, cause);
      process.emitWarning(this.failure.message);
      return rejectAll(group, this.failure);
    }
    this.shown_position = last_position;
    committed.answer();
    this.subscriptions.committed.raise();
    // Each stream touches a page of the index, each commit some inner pages (4 KiB each).
    this.grown(bytes + (group.length + 4) * 4096);
  }

  private takeGroup(): { group: readonly PendingAppend[]; bytes: number } {
    let bytes = 0;
    let count = 0;
    while (count < this.pending.length && bytes <= MAX_GROUP_BYTES) {
      bytes += this.pending[count]!.bytes;
      count += 1;
    }
    const group = this.pending.slice(0, count);
    this.pending = this.pending.slice(count);
    return { group, bytes };
  }

  private events(query: RowQuery, ...values: (string | number)[]): StoredEvent[] {
    const events: StoredEvent[] = [];
    for (const row of query.all(...values) as unknown as EventRow[]) {
      events.push({
        stream: this.streamNames(row[1]),
        revision: row[2],
        position: row[0],
        event_id: row[3],
        type: this.typeNames(row[4]),
        version: row[5],
        timestamp_ms: row[6],
        metadata: row[7],
        data: row[8],
        hash: Buffer.from(row[9], 'hex'),
      });
    }
    return events;
  }
}

function diskFailure(path: string, cause: unknown): StoreUnavailable {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailable(
    `the disk failed to store a write to ${path} (${reason}): restart the service once the disk works`,
    { cause },
  );
}

function rejectAll(group: readonly PendingAppend[], cause: Error): void {
  const unknown = new AppendOutcomeUnknown(
    `the append may or may not be stored: ${cause.message}`,
    { cause },
  );
  for (const { reject } of group) reject(unknown);
}

/** To SQLite a negative limit would mean no limit. */
const atLeastNone = (limit: number): number => Math.max(0, clampInteger(limit));
