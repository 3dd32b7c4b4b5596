import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as after } from 'node:timers/promises';

import {
  assertKeys,
  assertMasterKey,
  checkMasterKey,
  MASTER_KEY_CHECK,
  masterKeyCheck,
  unwrapKey,
  wrapKey,
} from '../key-wrap.js';
import type { KeyVault } from '../stores.js';
import {
  inTransaction,
  type RowQuery,
  rows,
  truncateLog,
  truncateLogAtOnce,
} from './files/database.js';

/** Keys unwrapped between two yields to the event loop: an organization has one per person. */
const KEYS_PER_TURN = 200;

/** Longest wait for readers in other processes, and the pause between two looks at them. */
const READERS_WAIT_MS = 5_000;
const READERS_PAUSE_MS = 50;

type KeyRow = [key_id: string, wrapped: Uint8Array];

/** Keys in `side.db`, wrapped under the master key. */
export class SqliteKeyVault implements KeyVault {
  private readonly one: RowQuery;
  private readonly live: RowQuery;
  private readonly insert: StatementSync;
  private readonly bury: StatementSync;

  /** @throws WrongMasterKey at once, before the first key is needed */
  constructor(
    private readonly db: DatabaseSync,
    private readonly master_key: Uint8Array,
    private readonly read_only: boolean,
  ) {
    assertMasterKey(master_key);
    this.one = rows(db, 'SELECT wrapped FROM keys WHERE drive_id = ? AND key_id = ?');
    this.live = rows(
      db,
      `SELECT key_id, wrapped FROM keys
       WHERE drive_id = ? AND key_id > ? AND wrapped IS NOT NULL ORDER BY key_id LIMIT ?`,
    );
    // A tombstone is a row too: it prevents reuse of a destroyed id.
    this.insert = db.prepare(
      'INSERT INTO keys (drive_id, key_id, wrapped) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.bury = db.prepare(
      `INSERT INTO keys (drive_id, key_id, wrapped) VALUES (?, ?, NULL)
       ON CONFLICT DO UPDATE SET wrapped = NULL`,
    );
    this.checkMasterKey();
    // A crash between a destruction and its truncation leaves the key in the log.
    if (!read_only) truncateLog(db);
  }

  async get(drive_id: string, key_id: string): Promise<Uint8Array | null | undefined> {
    const wrapped = this.one.maybe(drive_id, key_id)?.[0] as Uint8Array | null | undefined;
    return wrapped && unwrapKey(this.master_key, drive_id, key_id, wrapped);
  }

  async all(drive_id: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = new Map<string, Uint8Array>();
    for (let last = ''; ;) {
      const found = this.live.all(drive_id, last, KEYS_PER_TURN) as unknown as KeyRow[];
      for (const [key_id, wrapped] of found)
        keys.set(key_id, unwrapKey(this.master_key, drive_id, key_id, wrapped));
      if (found.length < KEYS_PER_TURN) return keys;
      [last] = found.at(-1)!;
      await nextTurn();
    }
  }

  async put(drive_id: string, keys: ReadonlyMap<string, Uint8Array>): Promise<readonly string[]> {
    this.writable();
    if (keys.size === 0) return [];
    assertKeys(keys);
    const existed: string[] = [];
    inTransaction(this.db, () => {
      for (const [key_id, key] of keys) {
        const wrapped = wrapKey(this.master_key, drive_id, key_id, key);
        if (this.insert.run(drive_id, key_id, wrapped).changes === 0) existed.push(key_id);
      }
    });
    return existed;
  }

  /**
   * {@inheritDoc KeyVault.destroy}
   * @throws Error if a reader prevents emptying the log: the keys are unusable but their wrapped bytes may still be
   *   in `side.db-wal`; destroy them again
   */
  async destroy(drive_id: string, key_ids: readonly string[]): Promise<void> {
    this.writable();
    if (key_ids.length === 0) return;
    inTransaction(this.db, () => {
      for (const key_id of key_ids) this.bury.run(drive_id, key_id);
    });
    const until = performance.now() + READERS_WAIT_MS;
    while (!truncateLogAtOnce(this.db)) {
      if (performance.now() > until)
        throw new Error(
          'the keys are destroyed, but their wrapped bytes may still be in side.db-wal',
        );
      await after(READERS_PAUSE_MS);
    }
  }

  private checkMasterKey(): void {
    const row = rows(this.db, 'SELECT wrapped FROM vault WHERE name = ?').maybe(MASTER_KEY_CHECK);
    if (row) checkMasterKey(this.master_key, row[0] as Uint8Array, 'side.db');
    else if (!this.read_only)
      this.db
        .prepare('INSERT INTO vault (name, wrapped) VALUES (?, ?)')
        .run(MASTER_KEY_CHECK, masterKeyCheck(this.master_key));
  }

  private writable(): void {
    if (this.read_only) throw new Error('the key vault is opened read-only');
  }
}
