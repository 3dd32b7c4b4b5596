import type { DatabaseFile } from '../files/database.js';

/**
 * `jobs.db`: positions of reactors, pending deliveries, attempts. A separate file, so that its many small writes
 * never block a key or an event. Deliveries may hold data that people want erased, so deleted data is overwritten.
 */
export const jobsFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  pragmas: 'PRAGMA secure_delete = ON;',
  schema_version: 1,
  schema: `
    CREATE TABLE reactors (
      drive_id TEXT PRIMARY KEY,
      revision INTEGER NOT NULL,
      event_hash BLOB NOT NULL,
      opened_ms INTEGER NOT NULL,
      quarantined TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE deliveries (
      nonce INTEGER PRIMARY KEY AUTOINCREMENT,
      drive_id TEXT NOT NULL,
      webhook_id TEXT NOT NULL,
      delivery_id TEXT NOT NULL,
      event TEXT NOT NULL,
      revision INTEGER,
      sealed TEXT NOT NULL,
      queued_ms INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      first_ms INTEGER
    ) STRICT;
    CREATE INDEX deliveries_line ON deliveries (drive_id, webhook_id, nonce);
    CREATE TABLE lines (
      drive_id TEXT NOT NULL,
      webhook_id TEXT NOT NULL,
      next_ms INTEGER NOT NULL,
      count INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (drive_id, webhook_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX lines_next ON lines (next_ms);
    CREATE TABLE attempts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      drive_id TEXT NOT NULL,
      webhook_id TEXT NOT NULL,
      delivery_id TEXT NOT NULL,
      event TEXT NOT NULL,
      revision INTEGER,
      nonce INTEGER,
      attempt INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      status INTEGER,
      latency_ms INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      reason TEXT
    ) STRICT;
    CREATE INDEX attempts_line ON attempts (drive_id, webhook_id, id);
    CREATE INDEX attempts_time ON attempts (at_ms);
    CREATE INDEX attempts_quarantined ON attempts (outcome) WHERE outcome = 'quarantined';`,
});

/** The columns of OpenReactor, Delivery and Attempt. */
export const REACTOR = 'drive_id, revision, event_hash, opened_ms, quarantined';
export const DELIVERY =
  'drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms, nonce, attempts, first_ms';
export const ATTEMPT =
  'id, delivery_id, event, revision, nonce, attempt, at_ms, status, latency_ms, outcome, reason';
