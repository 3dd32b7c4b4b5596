import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

import type {
  Attempt,
  AttemptPage,
  Delivery,
  JobCounts,
  JobStore,
  NewAttempt,
  NewDelivery,
  OpenReactor,
  QueueBounds,
  ReactorPosition,
} from '../../jobs.js';
import { Claims } from '../../claims.js';
import {
  clampInteger,
  inTransaction,
  openDatabase,
  type Row,
  type RowQuery,
  rows,
} from '../files/database.js';
import { jobsFile } from './jobs-file.js';
import { ATTEMPT, attemptOf, DELIVERY, deliveryOf, REACTOR, reactorOf } from './jobs-rows.js';
import { SqliteRebuildStore } from './rebuilds.js';

/** Lines of drives whose reactor works, or that have none. */
const WORKING = `NOT EXISTS (
  SELECT 1 FROM reactors r WHERE r.drive_id = lines.drive_id AND r.quarantined IS NOT NULL)`;

const lineKey = (drive_id: string, webhook_id: string): string => `${drive_id}\n${webhook_id}`;

/** Jobs in `jobs.db`. */
export class SqliteJobStore implements JobStore {
  readonly rebuilds: SqliteRebuildStore;
  private readonly known_db: DatabaseSync | null;
  private readonly statements = new Map<string, StatementSync>();
  private readonly queries = new Map<string, RowQuery>();
  private readonly claims = new Claims();

  /** Read-only, a missing file means that there are no jobs. */
  constructor(path: string, read_only: boolean) {
    const is_missing = read_only && !existsSync(path);
    this.known_db = is_missing ? null : openDatabase(jobsFile(path, read_only));
    this.rebuilds = new SqliteRebuildStore(read_only ? null : this.known_db);
    if (read_only) return;
    // A commit lost in a power failure only repeats a delivery or a step; `open` is the exception.
    this.db.exec('PRAGMA synchronous = NORMAL');
  }

  async open({ drive_id, revision, event_hash }: ReactorPosition, at_ms: number): Promise<void> {
    this.db.exec('PRAGMA synchronous = FULL');
    try {
      inTransaction(this.db, () => {
        const known = this.one(`SELECT quarantined FROM reactors WHERE drive_id = ?`, drive_id);
        if (known && known[0] === null) {
          this.run('UPDATE reactors SET opened_ms = ? WHERE drive_id = ?', at_ms, drive_id);
          return;
        }
        for (const table of ['deliveries', 'lines'])
          this.run(`DELETE FROM ${table} WHERE drive_id = ?`, drive_id);
        this.run(
          `INSERT OR REPLACE INTO reactors (${REACTOR}) VALUES (?, ?, ?, ?, NULL)`,
          drive_id,
          revision,
          event_hash,
          at_ms,
        );
      });
    } finally {
      this.db.exec('PRAGMA synchronous = NORMAL');
    }
  }

  async reactor(drive_id: string): Promise<OpenReactor | null> {
    const row = this.one(`SELECT ${REACTOR} FROM reactors WHERE drive_id = ?`, drive_id);
    return row ? reactorOf(row) : null;
  }

  async reactors(after_drive_id: string, limit: number): Promise<readonly OpenReactor[]> {
    return this.all(
      `SELECT ${REACTOR} FROM reactors WHERE drive_id > ? ORDER BY drive_id LIMIT ?`,
      after_drive_id,
      clampInteger(limit),
    ).map(reactorOf);
  }

  async standing(limit: number): Promise<readonly OpenReactor[]> {
    return this.all(
      `SELECT ${REACTOR} FROM reactors WHERE quarantined IS NOT NULL LIMIT ?`,
      clampInteger(limit),
    ).map(reactorOf);
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
        to.revision,
        to.event_hash,
        from.drive_id,
        from.revision,
        from.event_hash,
      );
      if (moved === 0) return false;
      for (const delivery of found) this.queue(delivery, bounds);
      return true;
    });
  }

  async enqueue(deliveries: readonly NewDelivery[], bounds: QueueBounds): Promise<void> {
    inTransaction(this.db, () => {
      for (const delivery of deliveries) this.queue(delivery, bounds);
    });
  }

  async due(now_ms: number, limit: number): Promise<readonly Delivery[]> {
    const lines = this.all(
      `SELECT drive_id, webhook_id FROM lines WHERE next_ms <= ? AND ${WORKING}
       ORDER BY next_ms LIMIT ?`,
      now_ms,
      clampInteger(limit + this.claims.size),
    ) as [string, string][];
    return lines
      .filter(
        ([drive_id, webhook_id]) => !this.claims.isTaken(lineKey(drive_id, webhook_id), now_ms),
      )
      .slice(0, limit)
      .map(([drive_id, webhook_id]) => this.first(drive_id, webhook_id));
  }

  async claim(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<Delivery | null> {
    const sql = 'SELECT 1 FROM lines WHERE drive_id = ? AND webhook_id = ? AND next_ms <= ?';
    if (!this.one(sql, drive_id, webhook_id, now_ms)) return null;
    const is_taken = this.claims.take(lineKey(drive_id, webhook_id), now_ms, until_ms);
    return is_taken ? this.first(drive_id, webhook_id) : null;
  }

  async nextDue(after_ms: number): Promise<number | null> {
    const row = this.one(
      `SELECT min(next_ms) FROM lines WHERE next_ms > ? AND ${WORKING}`,
      after_ms,
    );
    const turn_ms = (row?.[0] as number | null | undefined) ?? null;
    const claimed_ms = this.claims.nextEnd(after_ms);
    if (turn_ms === null || claimed_ms === null) return turn_ms ?? claimed_ms;
    return Math.min(turn_ms, claimed_ms);
  }

  async waiting(drive_id: string, webhook_id: string): Promise<QueueBounds> {
    return this.line(drive_id, webhook_id);
  }

  async waitingIn(
    drive_id: string,
    after_nonce: number,
    limit: number,
  ): Promise<readonly Delivery[]> {
    return this.all(
      `SELECT ${DELIVERY} FROM deliveries WHERE drive_id = ? AND nonce > ? ORDER BY nonce LIMIT ?`,
      drive_id,
      clampInteger(after_nonce),
      clampInteger(limit),
    ).map(deliveryOf);
  }

  async postpone(delivery: Delivery, attempt: NewAttempt, next_ms: number): Promise<void> {
    const { drive_id, webhook_id, nonce } = delivery;
    const attempts = delivery.attempts + 1;
    inTransaction(this.db, () => {
      const changed = this.run(
        'UPDATE deliveries SET attempts = ?, first_ms = ifnull(first_ms, ?) WHERE nonce = ?',
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
    this.claims.free(lineKey(drive_id, webhook_id));
  }

  async finish(delivery: Delivery, attempt: NewAttempt): Promise<void> {
    const { drive_id, webhook_id, nonce, sealed } = delivery;
    inTransaction(this.db, () => {
      if (this.run('DELETE FROM deliveries WHERE nonce = ?', nonce) === 0) return;
      this.run(
        `UPDATE lines SET next_ms = ?, count = count - 1, bytes = bytes - ?
         WHERE drive_id = ? AND webhook_id = ?`,
        attempt.at_ms,
        sealed.length,
        drive_id,
        webhook_id,
      );
      this.run(
        'DELETE FROM lines WHERE drive_id = ? AND webhook_id = ? AND count = 0',
        drive_id,
        webhook_id,
      );
      this.note(delivery, nonce, delivery.attempts + 1, attempt);
    });
    this.claims.free(lineKey(drive_id, webhook_id));
  }

  async drop(drive_id: string, webhook_id: string): Promise<void> {
    inTransaction(this.db, () => {
      for (const table of ['deliveries', 'lines'])
        this.run(
          `DELETE FROM ${table} WHERE drive_id = ? AND webhook_id = ?`,
          drive_id,
          webhook_id,
        );
    });
    this.claims.free(lineKey(drive_id, webhook_id));
  }

  async attempts(
    drive_id: string,
    webhook_id: string,
    { direction, limit, after, before }: AttemptPage,
  ): Promise<readonly Attempt[]> {
    const is_up = before !== undefined;
    const ascending = (direction === 'ASC') !== is_up;
    const bound = before ?? after ?? (ascending ? -1 : Infinity);
    const found = this.all(
      `SELECT ${ATTEMPT} FROM attempts
       WHERE drive_id = ? AND webhook_id = ? AND id ${ascending ? '>' : '<'} ?
       ORDER BY id ${ascending ? 'ASC' : 'DESC'} LIMIT ?`,
      drive_id,
      webhook_id,
      clampInteger(bound),
      clampInteger(limit),
    ).map(attemptOf);
    return is_up ? found.toReversed() : found;
  }

  async attemptCount(drive_id: string, webhook_id: string): Promise<number> {
    const counted = 'SELECT count(*) FROM attempts WHERE drive_id = ? AND webhook_id = ?';
    return Number(this.one(counted, drive_id, webhook_id)?.[0] ?? 0);
  }

  async trim(before_ms: number, most_per_webhook: number): Promise<void> {
    inTransaction(this.db, () => {
      this.run('DELETE FROM attempts WHERE at_ms < ?', before_ms);
      const full = this.all(
        `SELECT drive_id, webhook_id FROM attempts GROUP BY drive_id, webhook_id
         HAVING count(*) > ?`,
        most_per_webhook,
      );
      for (const [drive_id, webhook_id] of full as [string, string][])
        this.run(
          `DELETE FROM attempts WHERE drive_id = ?1 AND webhook_id = ?2 AND id <= (
             SELECT id FROM attempts WHERE drive_id = ?1 AND webhook_id = ?2
             ORDER BY id DESC LIMIT 1 OFFSET ?3)`,
          drive_id,
          webhook_id,
          most_per_webhook,
        );
    });
  }

  async counts(): Promise<JobCounts> {
    const count = (sql: string): number => Number(this.one(sql)?.[0] ?? 0);
    return {
      waiting: count('SELECT ifnull(sum(count), 0) FROM lines'),
      quarantined: count("SELECT count(*) FROM attempts WHERE outcome = 'quarantined'"),
      reactors_quarantined: count('SELECT count(*) FROM reactors WHERE quarantined IS NOT NULL'),
    };
  }

  shut(): void {
    this.known_db?.close();
  }

  private get db(): DatabaseSync {
    if (!this.known_db) throw new Error('the jobs are opened read-only');
    return this.known_db;
  }

  private first(drive_id: string, webhook_id: string): Delivery {
    const sql = `SELECT ${DELIVERY} FROM deliveries WHERE drive_id = ? AND webhook_id = ?
                 ORDER BY nonce LIMIT 1`;
    return deliveryOf(this.one(sql, drive_id, webhook_id)!);
  }

  private line(drive_id: string, webhook_id: string): QueueBounds {
    const sql = 'SELECT count, bytes FROM lines WHERE drive_id = ? AND webhook_id = ?';
    const [count = 0, bytes = 0] = (this.one(sql, drive_id, webhook_id) ?? []) as number[];
    return { count, bytes };
  }

  private queue(delivery: NewDelivery, bounds: QueueBounds): void {
    const { drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms } = delivery;
    const line = this.line(drive_id, webhook_id);
    if (line.count >= bounds.count || line.bytes + sealed.length > bounds.bytes) {
      this.note(delivery, null, 0, {
        at_ms: queued_ms,
        status: null,
        latency_ms: 0,
        outcome: 'quarantined',
        reason: 'too much waits for this webhook',
      });
      return;
    }
    this.run(
      `INSERT INTO deliveries
         (drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      drive_id,
      webhook_id,
      delivery_id,
      event,
      revision,
      sealed,
      queued_ms,
    );
    this.run(
      `INSERT INTO lines (drive_id, webhook_id, next_ms, count, bytes) VALUES (?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes`,
      drive_id,
      webhook_id,
      queued_ms,
      sealed.length,
    );
  }

  private note(
    { drive_id, webhook_id, delivery_id, event, revision }: NewDelivery,
    nonce: number | null,
    attempt: number,
    { at_ms, status, latency_ms, outcome, reason }: NewAttempt,
  ): void {
    this.run(
      `INSERT INTO attempts (drive_id, webhook_id, delivery_id, event, revision, nonce, attempt,
         at_ms, status, latency_ms, outcome, reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      drive_id,
      webhook_id,
      delivery_id,
      event,
      revision,
      nonce,
      attempt,
      at_ms,
      status,
      Math.round(latency_ms),
      outcome,
      reason,
    );
  }

  /** Number of rows that a statement changed. */
  private run(sql: string, ...values: SQLInputValue[]): number {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.db.prepare(sql)));
    return Number(statement.run(...values).changes);
  }

  private all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.known_db ? this.query(sql).all(...values) : [];
  }

  private one(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.known_db ? this.query(sql).maybe(...values) : undefined;
  }

  private query(sql: string): RowQuery {
    let query = this.queries.get(sql);
    if (!query) this.queries.set(sql, (query = rows(this.db, sql)));
    return query;
  }
}
