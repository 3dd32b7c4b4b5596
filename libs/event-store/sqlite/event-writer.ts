import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { repeatedAppend } from '../append-rules.js';
import {
  AppendOutcomeUnknown,
  WrongExpectedRevision,
  type Appended,
  type NewEvent,
} from '../port.js';
import { rows, type RowQuery } from './files/database.js';
import { EVENT_COLUMNS } from './events-file.js';
import { isInputOutput } from './files/unusable.js';

/** An append waiting for the next group commit. */
export interface PendingAppend {
  readonly stream: string;
  readonly expected_revision: number;
  readonly events: readonly NewEvent[];
  /** Size of metadata and data. */
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

interface KnownStream {
  readonly id: number;
  revision: number;
}

/** Maximum cached last revisions of streams; beyond it the cache is cleared, which costs a query per stream. */
const MAX_KNOWN_STREAMS = 100_000;

/** Result of a committed group: its appends are answered when the commit is on the disk. */
interface CommittedGroup {
  answer(): void;
}

/** Writes groups of appends, each group in one transaction. The only writer of its file. */
export class EventWriter {
  private readonly streams = new Map<string, KnownStream>();
  private readonly types = new Map<string, number>();
  private next_position: number;
  /** The last group was rolled back: cached data of the file may be wrong. */
  private undone = false;

  private readonly begin: StatementSync;
  private readonly commit: StatementSync;
  private readonly insert: StatementSync;
  private readonly insertStream: StatementSync;
  private readonly insertType: StatementSync;
  private readonly streamByName: RowQuery;
  private readonly typeByName: RowQuery;
  private readonly idsFrom: RowQuery;
  private readonly lastPosition: RowQuery;
  private readonly version: RowQuery;

  constructor(private readonly db: DatabaseSync) {
    this.begin = db.prepare('BEGIN IMMEDIATE');
    this.commit = db.prepare('COMMIT');
    this.insert = db.prepare(`INSERT INTO events (${EVENT_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?)`);
    this.insertStream = db.prepare('INSERT INTO streams (name) VALUES (?)');
    this.insertType = db.prepare('INSERT INTO types (name) VALUES (?)');
    this.streamByName = rows(
      db,
      `SELECT id, (SELECT revision FROM events WHERE stream_id = streams.id ORDER BY revision DESC LIMIT 1)
       FROM streams WHERE name = ?`,
    );
    this.typeByName = rows(db, 'SELECT id FROM types WHERE name = ?');
    this.idsFrom = rows(
      db,
      `SELECT event_id, position FROM events WHERE stream_id = ? AND revision >= ?
       ORDER BY revision LIMIT ?`,
    );
    this.lastPosition = rows(db, 'SELECT coalesce(max(position), 0) FROM events');
    this.version = rows(db, 'PRAGMA user_version');
    this.next_position = this.positionAfterLast();
  }

  /**
   * Commits the group. An append that is refused or fails does not affect the others; if the outcome of the commit
   * itself is unknown, all are rejected. Null if none is to be answered.
   */
  write(group: readonly PendingAppend[]): CommittedGroup | null {
    try {
      if (this.undone) this.recover();
      this.begin.run();
      const answers = group.map((append) => this.writeOne(append));
      this.commit.run();
      return inOne(answers);
    } catch (error) {
      this.undo();
      if (group.length > 1 && !isInputOutput(error)) return this.writeEach(group);
      const failure = appendFailure(error);
      for (const append of group) append.reject(failure);
      return null;
    }
  }

  /** Writes appends of a group of which one failed, each in its own transaction. */
  private writeEach(group: readonly PendingAppend[]): CommittedGroup | null {
    const written = group.map((append) => this.write([append])).filter((one) => one !== null);
    return written.length > 0 ? inOne(written.map(({ answer }) => answer)) : null;
  }

  /** Commits an empty change. @throws the reason why the file cannot be written */
  touch(): void {
    try {
      if (this.undone) this.recover();
      const [version] = this.version.get();
      this.db.exec(`PRAGMA user_version = ${Number(version)}`);
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  /** Writes one append into the open transaction. @returns answers it, once the commit is on the disk */
  private writeOne(append: PendingAppend): () => void {
    const { stream, expected_revision, events, resolve, reject } = append;
    const known = this.known(stream);
    const actual = known?.revision ?? -1;
    if (actual !== expected_revision) {
      try {
        const appended = this.repeated(append, known, actual);
        return () => resolve(appended);
      } catch (error) {
        if (error instanceof WrongExpectedRevision) return () => reject(error);
        throw error;
      }
    }
    this.store(known ?? this.create(stream), events);
    const last_position = this.next_position - 1;
    const appended = { last_revision: expected_revision + events.length, last_position };
    return () => resolve(appended);
  }

  private repeated(
    { stream, expected_revision, events }: PendingAppend,
    known: KnownStream | undefined,
    actual_revision: number,
  ): Appended {
    const stored = known ? this.idsFrom.all(known.id, expected_revision + 1, events.length) : [];
    const last_position = repeatedAppend(
      stream,
      expected_revision,
      actual_revision,
      events,
      stored as unknown as (readonly [string, number])[],
    );
    return { last_revision: expected_revision + events.length, last_position };
  }

  private store(stream: KnownStream, events: readonly NewEvent[]): void {
    for (const event of events) {
      this.insert.run(
        this.next_position,
        stream.id,
        stream.revision + 1,
        event.event_id,
        this.typeId(event.type),
        event.version,
        event.timestamp_ms,
        event.metadata,
        event.data,
        event.hash,
      );
      this.next_position += 1;
      stream.revision += 1;
    }
  }

  private known(name: string): KnownStream | undefined {
    const known = this.streams.get(name);
    if (known) return known;
    const row = this.streamByName.maybe(name);
    return row && this.remember(name, { id: Number(row[0]), revision: Number(row[1] ?? -1) });
  }

  private create(name: string): KnownStream {
    const id = Number(this.insertStream.run(name).lastInsertRowid);
    return this.remember(name, { id, revision: -1 });
  }

  private remember(name: string, stream: KnownStream): KnownStream {
    if (this.streams.size >= MAX_KNOWN_STREAMS) this.streams.clear();
    this.streams.set(name, stream);
    return stream;
  }

  private typeId(name: string): number {
    let id = this.types.get(name);
    if (id === undefined) {
      const row = this.typeByName.maybe(name);
      id = Number(row ? row[0] : this.insertType.run(name).lastInsertRowid);
      this.types.set(name, id);
    }
    return id;
  }

  private undo(): void {
    this.undone = true;
    try {
      // Some errors (such as a full disk) have already ended the transaction.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
    } catch {
      // The next write retries, and is rejected if it cannot.
    }
  }

  private recover(): void {
    if (this.db.isTransaction) this.db.exec('ROLLBACK');
    this.forget();
    this.undone = false;
  }

  private forget(): void {
    this.streams.clear();
    this.types.clear();
    this.next_position = this.positionAfterLast();
  }

  private positionAfterLast(): number {
    return Number(this.lastPosition.get()[0]) + 1;
  }
}

function inOne(answers: readonly (() => void)[]): CommittedGroup {
  return {
    answer: () => {
      for (const answer of answers) answer();
    },
  };
}

/**
 * An input/output error may follow the commit record: after a crash the record might count, so the outcome is
 * unknown. Every other error precedes it.
 */
function appendFailure(cause: unknown): Error {
  const reason = String((cause as { message?: unknown } | null)?.message ?? cause);
  return isInputOutput(cause)
    ? new AppendOutcomeUnknown(`the append may or may not be stored: ${reason}`, { cause })
    : new Error(`the append failed and nothing of it is stored: ${reason}`, { cause });
}
