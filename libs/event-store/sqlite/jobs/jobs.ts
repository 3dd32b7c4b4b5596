import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  LONGEST_WAIT_MS,
  type Attempt,
  type AttemptPage,
  type Delivery,
  type JobCounts,
  type JobStore,
  type NewAttempt,
  type NewDelivery,
  type OpenReactor,
  type QueueBounds,
  type ReactorPosition,
  notAttempted,
  tooMuch,
} from '../../jobs.js';
import { clampInteger, inTransaction, openDatabase, prepared, records } from '../files/database.js';
import { hasContent } from '../files/folder-files.js';
import { isDamaged } from '../files/unusable.js';
import { ATTEMPT, DELIVERY, jobsFile, REACTOR } from './jobs-file.js';
import { SqliteRebuildStore } from './rebuilds.js';
import { trimAttempts } from './trim-attempts.js';

/** Lines of drives whose reactor works, or that have none. */
const WORKING = `NOT EXISTS (
  SELECT 1 FROM reactors r WHERE r.drive_id = lines.drive_id AND r.quarantined IS NOT NULL)`;

/** Turns that are due at `?1`. */
const DUE_RANGES = ['next_ms <= ?1', `next_ms > ?1 + ${LONGEST_WAIT_MS}`];

/** Deliveries dropped between two turns of the event loop. */
const DROPPED_PER_TURN = 200;

type LineName = Pick<NewDelivery, 'drive_id' | 'webhook_id'>;

const lineKey = ({ drive_id, webhook_id }: LineName): string => `${drive_id}\n${webhook_id}`;

function readable(path: string): DatabaseSync | null {
  try {
    return hasContent(path) ? openDatabase(jobsFile(path, true)) : null;
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/** Jobs in `jobs.db`. */
export class SqliteJobStore implements JobStore {
  readonly rebuilds: SqliteRebuildStore;
  private readonly known_db: DatabaseSync | null;
  /**
   * Ends of the turns that this process holds, ms, by line. No other process writes to the file, so they need not be
   * stored.
   */
  private readonly claims = new Map<string, number>();

  /** Read-only, a missing or damaged file means that there are no jobs: the rest can be read without them. */
  constructor(path: string, read_only: boolean) {
    this.known_db = read_only ? readable(path) : openDatabase(jobsFile(path, false));
    this.rebuilds = new SqliteRebuildStore(read_only ? null : this.known_db);
    if (read_only) return;
    // A commit lost in a power failure only repeats a delivery or a step; `open` is the exception.
    this.db.exec('PRAGMA synchronous = NORMAL');
    this.skipNonces(Date.now());
  }

  async open({ drive_id, revision, event_hash }: ReactorPosition, at_ms: number): Promise<void> {
    this.db.exec('PRAGMA synchronous = FULL');
    try {
      inTransaction(this.db, () => {
        const sql_known = 'SELECT quarantined FROM reactors WHERE drive_id = ?';
        const known = this.record<Pick<OpenReactor, 'quarantined'>>(sql_known, drive_id);
        if (known?.quarantined === null) {
          this.run('UPDATE reactors SET opened_ms = ? WHERE drive_id = ?', at_ms, drive_id);
          return;
        }
        for (const table of ['deliveries', 'lines'])
          this.run(`DELETE FROM ${table} WHERE drive_id = ?`, drive_id);
        const sql = `INSERT OR REPLACE INTO reactors (${REACTOR}) VALUES (?, ?, ?, ?, NULL)`;
        this.run(sql, drive_id, revision, event_hash, at_ms);
      });
    } finally {
      this.db.exec('PRAGMA synchronous = NORMAL');
    }
  }

  async reactor(drive_id: string): Promise<OpenReactor | null> {
    return this.record(`SELECT ${REACTOR} FROM reactors WHERE drive_id = ?`, drive_id);
  }

  async reactors(after_drive_id: string, limit: number): Promise<readonly OpenReactor[]> {
    return this.records(
      `SELECT ${REACTOR} FROM reactors WHERE drive_id > ? ORDER BY drive_id LIMIT ?`,
      after_drive_id,
      clampInteger(limit),
    );
  }

  async quarantinedReactors(limit: number): Promise<readonly OpenReactor[]> {
    return this.records(
      `SELECT ${REACTOR} FROM reactors WHERE quarantined IS NOT NULL LIMIT ?`,
      clampInteger(limit),
    );
  }

  async quarantine(drive_id: string, reason: string): Promise<void> {
    this.run('UPDATE reactors SET quarantined = ? WHERE drive_id = ?', reason, drive_id);
  }

  async close(drive_id: string, opened_before_ms: number): Promise<void> {
    this.run(
      'DELETE FROM reactors WHERE drive_id = ? AND opened_ms < ?',
      drive_id,
      opened_before_ms,
    );
  }

  async advance(
    from: ReactorPosition,
    to: ReactorPosition,
    found: readonly NewDelivery[],
    bounds: QueueBounds,
  ): Promise<boolean> {
    return inTransaction(this.db, () => {
      const moved = this.run(
        `UPDATE reactors SET revision = ?, event_hash = ?
         WHERE drive_id = ? AND revision = ? AND event_hash = ? AND quarantined IS NULL`,
        ...[to.revision, to.event_hash, from.drive_id, from.revision, from.event_hash],
      );
      if (moved === 0) return false;
      for (const delivery of found) this.queue(delivery, bounds);
      return true;
    });
  }

  async enqueue(deliveries: readonly NewDelivery[], bounds: QueueBounds): Promise<number> {
    return inTransaction(
      this.db,
      () => deliveries.filter((delivery) => this.queue(delivery, bounds)).length,
    );
  }

  async due(
    now_ms: number,
    limit: number,
    not_of: readonly string[] = [],
  ): Promise<readonly Delivery[]> {
    const most = clampInteger(limit + this.claims.size);
    const others = JSON.stringify(not_of);
    // Two searches: with OR in one, SQLite reads all lines.
    const lines = DUE_RANGES.flatMap((range) =>
      this.records<LineName>(
        `SELECT drive_id, webhook_id FROM lines WHERE ${range} AND ${WORKING}
           AND drive_id NOT IN (SELECT value FROM json_each(?2))
         ORDER BY next_ms LIMIT ?3`,
        ...[now_ms, others, most],
      ),
    );
    return lines
      .filter((line) => !this.isTaken(line, now_ms))
      .slice(0, limit)
      .map(({ drive_id, webhook_id }) => this.first(drive_id, webhook_id)!);
  }

  async claim(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<Delivery | null> {
    const sql = `SELECT 1 FROM lines WHERE drive_id = ?2 AND webhook_id = ?3 AND (${DUE_RANGES.join(' OR ')})`;
    if (!this.record(sql, now_ms, drive_id, webhook_id)) return null;
    if (this.isTaken({ drive_id, webhook_id }, now_ms)) return null;
    this.claims.set(lineKey({ drive_id, webhook_id }), until_ms);
    return this.first(drive_id, webhook_id);
  }

  async nextDue(after_ms: number): Promise<number | null> {
    const sql = `SELECT min(next_ms) AS turn_ms FROM lines WHERE next_ms > ? AND ${WORKING}`;
    const turn_ms = this.record<{ turn_ms: number | null }>(sql, after_ms)?.turn_ms ?? null;
    const ends = [...this.claims.values()].filter((end_ms) => end_ms > after_ms);
    const next_ms = Math.min(turn_ms ?? Infinity, ...ends);
    return next_ms === Infinity ? null : next_ms;
  }

  async waitingIn(
    drive_id: string,
    after_nonce: number,
    limit: number,
  ): Promise<readonly Delivery[]> {
    return this.records(
      `SELECT ${DELIVERY} FROM deliveries WHERE drive_id = ? AND nonce > ? ORDER BY nonce LIMIT ?`,
      drive_id,
      clampInteger(after_nonce),
      clampInteger(limit),
    );
  }

  async postpone(delivery: Delivery, attempt: NewAttempt, next_ms: number): Promise<void> {
    const { drive_id, webhook_id, nonce } = delivery;
    const attempts = delivery.attempts + 1;
    inTransaction(this.db, () => {
      const changed = this.run(
        `UPDATE deliveries SET attempts = ?1, first_ms = min(ifnull(first_ms, ?2), ?2)
         WHERE nonce = ?3`,
        attempts,
        attempt.at_ms,
        nonce,
      );
      if (changed === 0) return;
      this.run(
        'UPDATE lines SET next_ms = ? WHERE drive_id = ? AND webhook_id = ?',
        next_ms,
        drive_id,
        webhook_id,
      );
      this.note(delivery, nonce, attempts, attempt);
    });
    this.claims.delete(lineKey({ drive_id, webhook_id }));
  }

  async finish(delivery: Delivery, attempt: NewAttempt): Promise<void> {
    this.end(delivery, delivery.attempts + 1, attempt);
  }

  async dismiss(delivery: Delivery, at_ms: number, reason: string): Promise<void> {
    const { drive_id, webhook_id, nonce } = delivery;
    const is_first = this.first(drive_id, webhook_id)?.nonce === nonce;
    this.end(delivery, 0, notAttempted(at_ms, reason), is_first ? at_ms : null);
  }

  async drop(drive_id: string, webhook_id: string): Promise<void> {
    while (this.dropSome(drive_id, webhook_id)) await nextTurn();
    this.claims.delete(lineKey({ drive_id, webhook_id }));
  }

  async attempts(
    drive_id: string,
    webhook_id: string,
    { direction, limit, after, before }: AttemptPage,
  ): Promise<readonly Attempt[]> {
    const is_up = before !== undefined;
    const ascending = (direction === 'ASC') !== is_up;
    const bound = before ?? after ?? (ascending ? -1 : Infinity);
    const found = this.records<Attempt>(
      `SELECT ${ATTEMPT} FROM attempts
       WHERE drive_id = ? AND webhook_id = ? AND id ${ascending ? '>' : '<'} ?
       ORDER BY id ${ascending ? 'ASC' : 'DESC'} LIMIT ?`,
      drive_id,
      webhook_id,
      clampInteger(bound),
      clampInteger(limit),
    );
    return is_up ? found.toReversed() : found;
  }

  async attemptCount(drive_id: string, webhook_id: string): Promise<number> {
    const condition = 'FROM attempts WHERE drive_id = ? AND webhook_id = ?';
    return this.count(`count(*) AS count ${condition}`, drive_id, webhook_id);
  }

  async trim(before_ms: number, most_per_webhook: number): Promise<void> {
    await trimAttempts(this.db, before_ms, most_per_webhook);
  }

  async counts(): Promise<JobCounts> {
    const reactors = 'FROM reactors WHERE quarantined IS NOT NULL';
    return {
      waiting: this.count('ifnull(sum(count), 0) AS count FROM lines'),
      quarantined: this.count("count(*) AS count FROM attempts WHERE outcome = 'quarantined'"),
      reactors_quarantined: this.count(`count(*) AS count ${reactors}`),
    };
  }

  shut(): void {
    this.known_db?.close();
  }

  private get db(): DatabaseSync {
    if (!this.known_db) throw new Error('the jobs are opened read-only');
    return this.known_db;
  }

  /** @param turn_ms the webhook's next turn; null: as before */
  private end(
    delivery: Delivery,
    number: number,
    attempt: NewAttempt,
    turn_ms: number | null = attempt.at_ms,
  ): void {
    const { drive_id, webhook_id, nonce, sealed } = delivery;
    inTransaction(this.db, () => {
      if (this.run('DELETE FROM deliveries WHERE nonce = ?', nonce) === 0) return;
      this.run(
        `UPDATE lines SET next_ms = ifnull(?, next_ms), count = count - 1, bytes = bytes - ?
         WHERE drive_id = ? AND webhook_id = ?`,
        turn_ms,
        sealed.length,
        drive_id,
        webhook_id,
      );
      this.run(
        'DELETE FROM lines WHERE drive_id = ? AND webhook_id = ? AND count = 0',
        drive_id,
        webhook_id,
      );
      this.note(delivery, nonce, number, attempt);
    });
    if (turn_ms !== null) this.claims.delete(lineKey({ drive_id, webhook_id }));
  }

  /**
   * The line goes with its last deliveries: if a drop breaks off, the others become due, which repeats it.
   * @returns whether deliveries may be left
   */
  private dropSome(drive_id: string, webhook_id: string): boolean {
    return inTransaction(this.db, () => {
      const dropped = this.run(
        `DELETE FROM deliveries WHERE nonce IN (
           SELECT nonce FROM deliveries WHERE drive_id = ? AND webhook_id = ?
           ORDER BY nonce LIMIT ${DROPPED_PER_TURN})`,
        drive_id,
        webhook_id,
      );
      if (dropped === DROPPED_PER_TURN) return true;
      this.run('DELETE FROM lines WHERE drive_id = ? AND webhook_id = ?', drive_id, webhook_id);
      return false;
    });
  }

  private first(drive_id: string, webhook_id: string): Delivery | null {
    const sql = `SELECT ${DELIVERY} FROM deliveries WHERE drive_id = ? AND webhook_id = ?
                 ORDER BY nonce LIMIT 1`;
    return this.record<Delivery>(sql, drive_id, webhook_id);
  }

  private line(drive_id: string, webhook_id: string): QueueBounds {
    const sql = 'SELECT count, bytes FROM lines WHERE drive_id = ? AND webhook_id = ?';
    return this.record<QueueBounds>(sql, drive_id, webhook_id) ?? { count: 0, bytes: 0 };
  }

  /** @returns whether it is within the bounds */
  private queue(delivery: NewDelivery, bounds: QueueBounds): boolean {
    const { drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms } = delivery;
    const line = this.line(drive_id, webhook_id);
    if (line.count >= bounds.count || line.bytes + sealed.length > bounds.bytes) {
      this.note(delivery, null, 0, tooMuch(queued_ms));
      return false;
    }
    this.run(
      `INSERT INTO deliveries
         (drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms],
    );
    this.run(
      `INSERT INTO lines (drive_id, webhook_id, next_ms, count, bytes) VALUES (?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes`,
      drive_id,
      webhook_id,
      queued_ms,
      sealed.length,
    );
    return true;
  }

  private note(
    { drive_id, webhook_id, delivery_id, event, revision }: NewDelivery,
    nonce: number | null,
    attempt: number,
    { at_ms, status, latency_ms, outcome, reason }: NewAttempt,
  ): void {
    const of_delivery = [drive_id, webhook_id, delivery_id, event, revision, nonce, attempt];
    this.run(
      `INSERT INTO attempts (drive_id, webhook_id, delivery_id, event, revision, nonce, attempt,
         at_ms, status, latency_ms, outcome, reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[...of_delivery, at_ms, status, Math.round(latency_ms), outcome, reason],
    );
  }

  /** Leaves out the nonces up to a number: above those of a store that was lost, or restored from a backup. */
  private skipNonces(last: number): void {
    const changed = this.run(
      "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'deliveries'",
      last,
    );
    if (changed === 0)
      this.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('deliveries', ?)", last);
  }

  private isTaken(line: LineName, now_ms: number): boolean {
    const end_ms = this.claims.get(lineKey(line)) ?? -Infinity;
    return end_ms > now_ms && end_ms <= now_ms + LONGEST_WAIT_MS;
  }

  /** Number of rows that a statement changed. */
  private run(sql: string, ...values: SQLInputValue[]): number {
    return Number(prepared(this.db, sql).run(...values).changes);
  }

  private count(selected: string, ...values: SQLInputValue[]): number {
    return this.record<{ count: number }>(`SELECT ${selected}`, ...values)?.count ?? 0;
  }

  private records<Selected extends object>(sql: string, ...values: SQLInputValue[]): Selected[] {
    return this.known_db ? records(this.known_db, sql).all(...values) : [];
  }

  private record<Selected extends object>(
    sql: string,
    ...values: SQLInputValue[]
  ): Selected | null {
    return this.records<Selected>(sql, ...values)[0] ?? null;
  }
}
