import type { SQLInputValue } from 'node:sqlite';
import type { Tile, TileStore } from '../stores.js';
import { type Background, CacheFile } from './files/background.js';
import { records } from './files/database.js';

const TILES_FILE = {
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
};

const COLUMNS = 'drive_id, level, tile, revision, event_hash, hashes';

/** Tiles in their own file, `tiles.db`: a cache like `snapshots.db`, written in the background. */
export class SqliteTileStore extends CacheFile implements TileStore {
  /** @param background null to open read-only */
  constructor(path: string, background: Background | null) {
    super(path, background, TILES_FILE);
  }

  get(drive_id: string, level: number, index: number): Promise<Tile | null> {
    return this.tile('AND tile = ?', [drive_id, level, index]);
  }

  last(drive_id: string, level: number): Promise<Tile | null> {
    return this.tile('ORDER BY tile DESC LIMIT 1', [drive_id, level]);
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

  /** @param which which of a level's tiles, in SQL */
  private async tile(which: string, values: readonly SQLInputValue[]): Promise<Tile | null> {
    const db = await this.connection();
    const columns = COLUMNS.replace('tile', 'tile AS "index"');
    const query = `SELECT ${columns} FROM tiles WHERE drive_id = ? AND level = ? ${which}`;
    return db && records(db, query).maybe<Tile>(...values);
  }
}
