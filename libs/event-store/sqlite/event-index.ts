import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type {
  EventFilter,
  EventIndex,
  IndexedEvent,
  IndexPosition,
  RevisionRange,
} from '../event-index.js';
import type { Background, Extraction, Found, Statement } from './background.js';
import { openCache } from './cache-file.js';
import { clampInteger, type DatabaseFile, rows } from './database.js';

/**
 * Terms of all kinds lie in one table, each with the revisions of the events it is found in. Drives go by
 * numbers; a drive's index is replaced by renaming another one's.
 */
const indexFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  schema_version: 1,
  schema: `
    CREATE TABLE drives (
      drive INTEGER PRIMARY KEY,
      drive_id TEXT NOT NULL UNIQUE,
      revision INTEGER NOT NULL,
      event_hash BLOB NOT NULL
    ) STRICT;
    CREATE TABLE terms (
      drive INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      term TEXT NOT NULL,
      revision INTEGER NOT NULL,
      PRIMARY KEY (drive, kind, term, revision)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reasons (
      drive INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (drive, revision)
    ) STRICT, WITHOUT ROWID;`,
});

/** Kinds of terms, with where they stand in an entry `[revision, type, metadata, resource_ids]`; likely the rarest first. */
const TERMS = {
  resource: { kind: 0, path: [3] },
  correlation: { kind: 1, path: [2, 'correlation_id'] },
  allowed_by: { kind: 2, path: [2, 'allowed_by'] },
  actor: { kind: 3, path: [2, 'actor', 'user_id'] },
  command: { kind: 4, path: [2, 'command'] },
  type: { kind: 5, path: [1] },
} as const;

/** Entries written out before the event loop gets a turn. */
const ENTRIES_PER_TURN = 500;

/** How drives are called whose index was replaced by another. No id begins so. */
const REPLACED = 'replaced ';

const DRIVE = '(SELECT drive FROM drives WHERE drive_id = ?1)';

const ADD_TERM =
  'INSERT OR IGNORE INTO terms (drive, kind, term, revision) VALUES (?1, ?2, ?3, ?4)';
const ADD_REASON = 'INSERT OR IGNORE INTO reasons (drive, reason, revision) VALUES (?1, ?2, ?3)';

/** What is taken in of every entry. */
const FOUND: readonly Found[] = [
  ...Object.values(TERMS).map(({ kind, path }) => ({ sql: ADD_TERM, values: [kind], path })),
  { sql: ADD_REASON, values: [], path: [2, 'reason'] },
];

/** The index of events in a file of its own, `index.db`: a cache like `snapshots.db`, written in the background. */
export class SqliteEventIndex implements EventIndex {
  private readonly db: DatabaseSync | null;

  /** @param background null to open read-only; a missing file then means there is no index */
  constructor(
    private readonly path: string,
    private readonly background: Background | null,
  ) {
    this.db = openCache(indexFile(path, !background));
    this.db?.function('folded', { deterministic: true }, (text) => String(text).toLowerCase());
    if (background) void this.sweep();
  }

  async position(drive_id: string): Promise<IndexPosition | null> {
    const query = 'SELECT revision, event_hash FROM drives WHERE drive_id = ?';
    const row = this.db && rows(this.db, query).maybe(drive_id);
    if (!row) return null;
    const [revision, event_hash] = row as [number, Uint8Array];
    return { revision, event_hash };
  }

  async append(
    drive_id: string,
    events: readonly IndexedEvent[],
    { revision, event_hash }: IndexPosition,
  ): Promise<void> {
    const entries: string[] = [];
    for (const event of events) {
      // Metadata are JSON already, so they are not written anew.
      const { revision: at, type, metadata, resource_ids } = event;
      entries.push(`[${at},${JSON.stringify(type)},${metadata},${JSON.stringify(resource_ids)}]`);
      if (entries.length % ENTRIES_PER_TURN === 0) await nextTurn();
    }
    const json = `[${entries.join()}]`;
    await this.write([
      {
        sql: `INSERT INTO drives (drive_id, revision, event_hash) VALUES (?, ?, ?)
              ON CONFLICT (drive_id) DO UPDATE
              SET revision = excluded.revision, event_hash = excluded.event_hash
              WHERE excluded.revision >= drives.revision`,
        values: [drive_id, revision, event_hash],
      },
      {
        json,
        owner: { sql: 'SELECT drive FROM drives WHERE drive_id = ?', values: [drive_id] },
        each: FOUND,
      },
    ]);
  }

  async find(
    drive_id: string,
    filter: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<readonly number[]> {
    const { sql, values } = selection(drive_id, filter, range);
    const query = `SELECT DISTINCT revision ${sql} ORDER BY revision ${direction} LIMIT ?`;
    return this.db
      ? rows(this.db, query)
          .all(...values, limit)
          .map(([found]) => Number(found))
      : [];
  }

  async count(drive_id: string, filter: EventFilter, range: RevisionRange): Promise<number> {
    const { sql, values } = selection(drive_id, filter, range);
    const query = `SELECT count(DISTINCT revision) ${sql}`;
    return this.db ? Number(rows(this.db, query).get(...values)[0]) : 0;
  }

  async replace(drive_id: string, by_drive_id: string): Promise<void> {
    await this.write([
      // Deleting a long drive's terms takes seconds: they only get out of the way.
      {
        sql: `UPDATE drives SET drive_id = '${REPLACED}' || drive WHERE drive_id = ?`,
        values: [drive_id],
      },
      {
        sql: 'UPDATE drives SET drive_id = ? WHERE drive_id = ?',
        values: [drive_id, by_drive_id],
      },
    ]);
    void this.sweep();
  }

  async drop(drive_id: string): Promise<void> {
    await this.write(dropping(drive_id));
  }

  close(): void {
    this.db?.close();
  }

  /** Deletes what was replaced, at leisure; what is left when the process ends goes at the next start. */
  private async sweep(): Promise<void> {
    try {
      const query = `SELECT drive_id FROM drives WHERE drive_id GLOB '${REPLACED}*'`;
      const left = rows(this.db!, query).all();
      for (const [drive_id] of left) await this.write(dropping(String(drive_id)));
    } catch {
      // It takes room and harms nothing.
    }
  }

  private write(statements: readonly (Statement | Extraction)[]): Promise<void> {
    if (!this.background)
      return Promise.reject(new Error('the index of events is opened read-only'));
    return this.background.run(this.path, statements);
  }
}

function dropping(drive_id: string): Statement[] {
  return [
    { sql: `DELETE FROM terms WHERE drive = ${DRIVE}`, values: [drive_id] },
    { sql: `DELETE FROM reasons WHERE drive = ${DRIVE}`, values: [drive_id] },
    { sql: 'DELETE FROM drives WHERE drive_id = ?1', values: [drive_id] },
  ];
}

/** FROM and WHERE of a search. The first condition is walked through, the others are looked up. */
function selection(
  drive_id: string,
  filter: EventFilter,
  { from, to }: RevisionRange,
): { sql: string; values: SQLInputValue[] } {
  const { command, correlation_id, allowed_by, reason } = filter;
  const terms = [
    { kind: TERMS.resource.kind, among: filter.resource_ids },
    {
      kind: TERMS.correlation.kind,
      among: correlation_id === undefined ? undefined : [correlation_id],
    },
    { kind: TERMS.allowed_by.kind, among: allowed_by === undefined ? undefined : [allowed_by] },
    { kind: TERMS.actor.kind, among: filter.actors },
    { kind: TERMS.command.kind, among: command === undefined ? undefined : [command] },
    // Every event has a type, so that is where a search without any other condition walks.
    { kind: TERMS.type.kind, among: filter.types },
  ].filter(({ among }) => among !== undefined);
  const [walked = { kind: TERMS.type.kind, among: undefined }, ...looked_up] = terms;
  const conditions = ['drive = (SELECT drive FROM drives WHERE drive_id = ?)', 'kind = ?'];
  const values: SQLInputValue[] = [drive_id, walked.kind];
  if (walked.among) {
    conditions.push(`term IN (${marks(walked.among)})`);
    values.push(...walked.among);
  }
  conditions.push('revision BETWEEN ? AND ?');
  values.push(clampInteger(from), clampInteger(to));
  for (const { kind, among } of looked_up) {
    conditions.push(
      `EXISTS (SELECT 1 FROM terms AS other WHERE other.drive = terms.drive AND other.kind = ?
       AND other.term IN (${marks(among!)}) AND other.revision = terms.revision)`,
    );
    values.push(kind, ...among!);
  }
  if (reason !== undefined) {
    conditions.push(
      `EXISTS (SELECT 1 FROM reasons WHERE reasons.drive = terms.drive
       AND reasons.revision = terms.revision AND instr(folded(reason), ?) > 0)`,
    );
    values.push(reason.toLowerCase());
  }
  return { sql: `FROM terms WHERE ${conditions.join(' AND ')}`, values };
}

function marks(among: readonly string[]): string {
  return among.map(() => '?').join();
}
