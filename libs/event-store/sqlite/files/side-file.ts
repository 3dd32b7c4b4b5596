import type { DatabaseFile } from './database.js';

/**
 * `side.db`: keys (null once destroyed) and presence. secure_delete overwrites deleted data, so that a destroyed key
 * is removed from the file.
 */
export const sideFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  schema_version: 1,
  schema: `
    CREATE TABLE vault (name TEXT PRIMARY KEY, wrapped BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE keys (
      drive_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      wrapped BLOB,
      PRIMARY KEY (drive_id, key_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE presence (
      drive_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      seen_ms INTEGER NOT NULL,
      PRIMARY KEY (drive_id, user_id)
    ) STRICT, WITHOUT ROWID;`,
  pragmas: 'PRAGMA secure_delete = ON;',
});
