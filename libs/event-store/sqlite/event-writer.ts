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

/** Result of a committed group: its appends are answered when the commit is on the disk. */
interface CommittedGroup {
  answer(): void;
}

/** Writes groups of appends, each group in one transaction. The only writer of its file. */
export class EventWriter {
  private readonly begin: StatementSync;
  private readonly commit: StatementSync;
  private readonly insert: StatementSync;
  private readonly insertStream: StatementSync;
  private readonly insertType: StatementSync;
  private readonly streamByName: RowQuery;
  private readonly typeByName: RowQuery;
  private readonly idsFrom: RowQuery;
  private readonly version: RowQuery;
  /** Of types that were stored before; empty after a rollback, which may remove a type. */
  private readonly type_ids = new Map<string, number>();

  constructor(private readonly db: DatabaseSync) {
    this.begin = db.prepare('BEGIN IMMEDIATE');
    this.commit = db.prepare('COMMIT');
    // SQLite assigns the position after the last one.
    this.insert = db.prepare(
      `INSERT INTO events (${EVENT_COLUMNS}) VALUES (NULL,?,?,?,?,?,?,?,?,?)`,
    );
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
    this.version = rows(db, 'PRAGMA user_version');
  }

  /**
   * Commits the group. An append that is refused or fails does not affect the others; if the outcome of the commit
   * itself is unknown, all are rejected. Null if none is to be answered.
   */
  write(group: readonly PendingAppend[]): CommittedGroup | null {
    try {
      this.endTransaction();
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
      this.endTransaction();
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
    const row = this.streamByName.maybe(stream);
    const stream_id = row && Number(row[0]);
    const actual = Number(row?.[1] ?? -1);
    if (actual !== expected_revision) {
      try {
        const appended = this.repeated(append, stream_id, actual);
        return () => resolve(appended);
      } catch (error) {
        if (error instanceof WrongExpectedRevision) return () => reject(error);
        throw error;
      }
    }
    const last_position = this.store(stream_id ?? this.create(stream), actual + 1, events);
    const appended = { last_revision: expected_revision + events.length, last_position };
    return () => resolve(appended);
  }

  private repeated(
    { stream, expected_revision, events }: PendingAppend,
    stream_id: number | undefined,
    actual_revision: number,
  ): Appended {
    const stored =
      stream_id === undefined
        ? []
        : this.idsFrom.all(stream_id, expected_revision + 1, events.length);
    const last_position = repeatedAppend(
      stream,
      expected_revision,
      actual_revision,
      events,
      stored as unknown as (readonly [string, number])[],
    );
    return { last_revision: expected_revision + events.length, last_position };
  }

  /** Stores events from a revision on. @returns the position of the last one */
  private store(stream_id: number, first_revision: number, events: readonly NewEvent[]): number {
    let position = 0;
    for (const [at, event] of events.entries()) {
      const { lastInsertRowid } = this.insert.run(
        stream_id,
        first_revision + at,
        event.event_id,
        this.typeId(event.type),
        event.version,
        event.timestamp_ms,
        event.metadata,
        event.data,
        event.hash,
      );
      position = Number(lastInsertRowid);
    }
    return position;
  }

  private create(name: string): number {
    return Number(this.insertStream.run(name).lastInsertRowid);
  }

  private typeId(name: string): number {
    let id = this.type_ids.get(name);
    if (id === undefined) {
      const row = this.typeByName.maybe(name);
      id = Number(row ? row[0] : this.insertType.run(name).lastInsertRowid);
      this.type_ids.set(name, id);
    }
    return id;
  }

  private undo(): void {
    this.type_ids.clear();
    try {
      this.endTransaction();
    } catch {
      // The next write retries, and is rejected if it cannot.
    }
  }

  /** Rolls back; some errors (such as a full disk) have already ended the transaction. */
  private endTransaction(): void {
    if (this.db.isTransaction) this.db.exec('ROLLBACK');
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
