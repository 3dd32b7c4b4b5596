import { hash } from 'node:crypto';

import type { NonceStore } from '../stores.js';
import { Cache, type DatabaseFile, inTransaction, prepared } from './files/database.js';

const noncesFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  schema_version: 1,
  schema: `
    CREATE TABLE nonces (digest BLOB PRIMARY KEY, expires_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX nonces_expires ON nonces (expires_ms);`,
  // A request would wait for the disk, for a token that is valid for a minute at most.
  connected: (db) => {
    if (!read_only) db.exec('PRAGMA synchronous = OFF');
  },
});

/** Used nonces, in their own file, `nonces.db`: they outlive the process, not a loss of power. */
export class SqliteNonceStore implements NonceStore {
  private readonly cache: Cache;

  constructor(path: string, read_only: boolean) {
    this.cache = new Cache(noncesFile(path, read_only));
  }

  async use(key: string, expires_ms: number, now_ms: number): Promise<boolean> {
    const db = this.cache.writable();
    return inTransaction(db, () => {
      prepared(db, 'DELETE FROM nonces WHERE expires_ms < ?').run(now_ms);
      const insert = prepared(db, 'INSERT INTO nonces VALUES (?, ?) ON CONFLICT DO NOTHING');
      const { changes } = insert.run(hash('sha256', key, 'buffer'), expires_ms);
      return Number(changes) === 1;
    });
  }

  close(): void {
    this.cache.close();
  }
}
