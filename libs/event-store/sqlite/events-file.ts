import type { DatabaseFile, Row, RowQuery } from './files/database.js';

/** Maximum cached names; beyond it the cache is cleared, which costs a query per name. */
const MAX_KNOWN_NAMES = 100_000;

/**
 * `events.db`: stream names and event types are stored once. Rows are never updated or deleted, so positions,
 * assigned by the only writer in commit order, have neither gaps nor late arrivals.
 */
export const eventsFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  schema_version: 1,
  schema: `
    CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE types (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE events (
      position INTEGER PRIMARY KEY,
      stream_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      event_id TEXT NOT NULL,
      type_id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      timestamp_ms INTEGER NOT NULL,
      metadata TEXT NOT NULL,
      data TEXT NOT NULL,
      hash BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX events_by_stream ON events (stream_id, revision);`,
  // Checkpoints run in their own thread; long folds read the file through memory mapping (up to SQLite's limit),
  // without a system call for each page.
  pragmas: `
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA cache_size = -65536;
    PRAGMA mmap_size = 2147418112;`,
});

export const EVENT_COLUMNS =
  'position, stream_id, revision, event_id, type_id, version, timestamp_ms, metadata, data, hash';

/**
 * Columns of an event for reading, in the order of {@link EventRow}. The hash is read as text: node:sqlite creates an
 * ArrayBuffer for every blob, which took longer than all other columns together.
 */
export const READ_COLUMNS = EVENT_COLUMNS.replace(/hash$/, 'hex(hash)');

/** Columns for folding, in the order of `FoldableRow`. */
export const FOLDABLE_COLUMNS = 'revision, event_id, type_id, timestamp_ms, data, hex(hash)';

/** Condition for the events of the stream with a name. */
export const OF_STREAM = 'stream_id = (SELECT id FROM streams WHERE name = ?)';

/** Rest of a query: events of a stream from a revision on, up to a position, at most so many. */
export const FROM_REVISION = `FROM events WHERE ${OF_STREAM}
  AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?`;

export type FoldableRow = Row &
  readonly [
    revision: number,
    event_id: string,
    type_id: number,
    timestamp_ms: number,
    data: string,
    hash_hex: string,
  ];

export type EventRow = Row &
  readonly [
    position: number,
    stream_id: number,
    revision: number,
    event_id: string,
    type_id: number,
    version: number,
    timestamp_ms: number,
    metadata: string,
    data: string,
    hash_hex: string,
  ];

/** Finds names by their ids, each with one query. */
export function namesById(query: RowQuery): (id: number) => string {
  const names = new Map<number, string>();
  return (id) => {
    let name = names.get(id);
    if (name === undefined) {
      name = String(query.get(id)[0]);
      if (names.size >= MAX_KNOWN_NAMES) names.clear();
      names.set(id, name);
    }
    return name;
  };
}
