import type { Tile, TileStore } from '../stores.js';
import { type Background, CacheFile } from './files/background.js';
import { type RecordQuery, records } from './files/database.js';

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
  private readonly one: RecordQuery | undefined;
  private readonly highest: RecordQuery | undefined;

  /** @param background null to open read-only */
  constructor(path: string, background: Background | null) {
    super(path, background, TILES_FILE);
    if (!this.db) return;
    const columns = COLUMNS.replace('tile', 'tile AS "index"');
    const of_level = `SELECT ${columns} FROM tiles WHERE drive_id = ? AND level = ?`;
    this.one = records(this.db, `${of_level} AND tile = ?`);
    this.highest = records(this.db, `${of_level} ORDER BY tile DESC LIMIT 1`);
  }

  async get(drive_id: string, level: number, index: number): Promise<Tile | null> {
    return this.one?.maybe<Tile>(drive_id, level, index) ?? null;
  }

  async last(drive_id: string, level: number): Promise<Tile | null> {
    return this.highest?.maybe<Tile>(drive_id, level) ?? null;
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
}
