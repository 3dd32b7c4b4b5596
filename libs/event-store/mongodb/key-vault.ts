import type { Collection, Db } from 'mongodb';

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
import { insertMissing } from '../../mongodb/put.js';
import { rowId, sideCollection, upserting } from './rows.js';

interface KeyRow {
  readonly _id: string;
  readonly drive_id: string;
  readonly key_id: string;
  /** Null for a destroyed key: its id is never reused. */
  readonly wrapped: Uint8Array | null;
}

/**
 * Keys in the collection `side_keys`, wrapped under the master key. A destroyed key is removed from the documents; a
 * replica set's oplog may hold its wrapped bytes until they are overwritten.
 */
export class MongoKeyVault implements KeyVault {
  private readonly keys: Collection<KeyRow>;

  private constructor(
    private readonly db: Db,
    private readonly master_key: Uint8Array,
  ) {
    this.keys = sideCollection(db, 'keys');
  }

  /** @throws WrongMasterKey at once, before the first key is needed */
  static async open(db: Db, master_key: Uint8Array, read_only: boolean): Promise<MongoKeyVault> {
    assertMasterKey(master_key);
    const vault = new MongoKeyVault(db, master_key);
    await vault.checkMasterKey(read_only);
    if (!read_only) await vault.keys.createIndex({ drive_id: 1 });
    return vault;
  }

  async get(drive_id: string, key_id: string): Promise<Uint8Array | null | undefined> {
    const row = await this.keys.findOne({ _id: rowId(drive_id, key_id) });
    return row?.wrapped ? this.unwrap({ ...row, wrapped: row.wrapped }) : row?.wrapped;
  }

  async all(drive_id: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = new Map<string, Uint8Array>();
    for await (const row of this.keys.find({ drive_id }))
      if (row.wrapped) keys.set(row.key_id, this.unwrap({ ...row, wrapped: row.wrapped }));
    return keys;
  }

  async put(drive_id: string, keys: ReadonlyMap<string, Uint8Array>): Promise<readonly string[]> {
    assertKeys(keys);
    const existed = await insertMissing(
      this.keys,
      [...keys].map(([key_id, key]) => ({
        _id: rowId(drive_id, key_id),
        drive_id,
        key_id,
        wrapped: wrapKey(this.master_key, drive_id, key_id, key),
      })),
    );
    return existed.map(({ key_id }) => key_id);
  }

  async destroy(drive_id: string, key_ids: readonly string[]): Promise<void> {
    for (const key_id of key_ids) {
      const gone = { $set: { drive_id, key_id, wrapped: null } };
      await upserting(() =>
        this.keys.updateOne({ _id: rowId(drive_id, key_id) }, gone, { upsert: true }),
      );
    }
  }

  private unwrap(row: KeyRow & { readonly wrapped: Uint8Array }): Uint8Array {
    return unwrapKey(this.master_key, row.drive_id, row.key_id, row.wrapped);
  }

  private async checkMasterKey(read_only: boolean): Promise<void> {
    const vault = sideCollection<{ _id: string; wrapped: Uint8Array }>(this.db, 'vault');
    const _id = MASTER_KEY_CHECK;
    let check = await vault.findOne({ _id });
    if (!check) {
      // A backup may have been of the keys alone.
      const key = await this.keys.findOne({ wrapped: { $ne: null } });
      if (key?.wrapped) checkMasterKey(this.master_key, key.wrapped, 'MongoDB', key);
      if (read_only) return;
      // If several processes open a new database concurrently, the first one's value stays.
      await insertMissing(vault, [{ _id, wrapped: masterKeyCheck(this.master_key) }]);
      check = (await vault.findOne({ _id }))!;
    }
    checkMasterKey(this.master_key, check.wrapped, 'MongoDB');
  }
}
