import type { DatabaseSync } from 'node:sqlite';
import type { Tile, TileStore } from '../stores.js';
import type { Background } from './files/background.js';
import { openCache, type DatabaseFile, type Row, type RowQuery, rows } from './files/database.js';

const tilesFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  schema_version: 1,
  schema: `
    CREATE TABLE tiles (
      drive_id TEXT NOT NULL,
      level INTEGER NOT NULL,
      tile INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      event_hash BLOB NOT NULL,
      hashes BLOB NOT NULL,
      PRIMARY KEY (drive_id, level, tile)
    ) STRICT;`,
  // A tile has 8 KiB.
  pragmas: 'PRAGMA page_size = 16384;',
});

const COLUMNS = 'drive_id, level, tile, revision, event_hash, hashes';

/** Tiles in their own file, `tiles.db`: a cache like `snapshots.db`, written in the background. */
export class SqliteTileStore implements TileStore {
  private readonly db: DatabaseSync | null;
  private readonly one: RowQuery | undefined;
  private readonly highest: RowQuery | undefined;

  /** @param background null to open read-only; a missing file then means there are no tiles */
  constructor(
    private readonly path: string,
    private readonly background: Background | null,
  ) {
    const db = (this.db = openCache(tilesFile(path, !background)));
    if (!db) return;
    const of_level = `SELECT ${COLUMNS} FROM tiles WHERE drive_id = ? AND level = ?`;
    this.one = rows(db, `${of_level} AND tile = ?`);
    this.highest = rows(db, `${of_level} ORDER BY tile DESC LIMIT 1`);
  }

  async get(drive_id: string, level: number, index: number): Promise<Tile | null> {
    return tileOf(this.one?.maybe(drive_id, level, index));
  }

  async last(drive_id: string, level: number): Promise<Tile | null> {
    return tileOf(this.highest?.maybe(drive_id, level));
  }

  async put(tiles: readonly Tile[]): Promise<void> {
    await this.write(
      tiles.map(({ drive_id, level, index, revision, event_hash, hashes }) => ({
        sql: `INSERT INTO tiles (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
              ON CONFLICT DO UPDATE SET revision = excluded.revision,
              event_hash = excluded.event_hash, hashes = excluded.hashes
              WHERE length(excluded.hashes) >= length(tiles.hashes)`,
        values: [drive_id, level, index, revision, event_hash, hashes],
      })),
    );
  }

  async drop(drive_id: string): Promise<void> {
    await this.write([{ sql: 'DELETE FROM tiles WHERE drive_id = ?', values: [drive_id] }]);
  }

  close(): void {
    this.db?.close();
  }

  private write(statements: Parameters<Background['run']>[1]): Promise<void> {
    if (!this.background) return Promise.reject(new Error('the tiles are opened read-only'));
    return this.background.run(this.path, statements);
  }
}

function tileOf(row: Row | undefined): Tile | null {
  if (!row) return null;
  const [drive_id, level, index, revision, event_hash, hashes] = row as [
    string,
    number,
    number,
    number,
    Uint8Array,
    Uint8Array,
  ];
  return { drive_id, level, index, revision, event_hash, hashes };
}
