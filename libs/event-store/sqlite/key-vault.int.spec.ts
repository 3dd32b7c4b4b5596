import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { loadMasterKey, openSqliteStores, WrongMasterKey, type SqliteStores } from './index.js';
import { MASTER_KEY, removeFolder, temporaryFolder } from './temporary-folder.contract.js';

/** All bytes of a folder's files; by another process, since closing a file here would drop SQLite's locks. */
const bytesOf = (folder: string): Buffer =>
  execFileSync(
    'cat',
    readdirSync(folder).map((file) => join(folder, file)),
    {
      maxBuffer: 2 ** 28,
    },
  );

describe('keys in the data folder', () => {
  let data_dir: string;
  let stores: SqliteStores;
  beforeEach(() => {
    data_dir = temporaryFolder();
    stores = openSqliteStores({ data_dir, master_key: MASTER_KEY });
  });
  afterEach(async () => {
    await stores.close();
    removeFolder(data_dir);
  });
  const wrappedOf = (key_id: string): Buffer => {
    const db = new DatabaseSync(join(data_dir, 'side.db'), { readOnly: true });
    const row = db.prepare('SELECT wrapped FROM keys WHERE key_id = ?').get(key_id);
    db.close();
    return Buffer.from(row!['wrapped'] as Uint8Array);
  };

  it('never stand in the files in clear', async () => {
    const key = randomBytes(32);
    await stores.side.keys.put('drive', new Map([['drive', key]]));
    expect(bytesOf(data_dir).includes(wrappedOf('drive'))).toBe(true);
    expect(bytesOf(data_dir).includes(key)).toBe(false);
    await stores.close();
    expect(bytesOf(data_dir).includes(key)).toBe(false);
  });

  it('are gone from the files once destroyed, wrapped too, and the others are not', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `subject-${i}`);
    await stores.side.keys.put('drive', new Map(ids.map((id) => [id, randomBytes(32)])));
    const wrapped = ids.map(wrappedOf);
    const before = bytesOf(data_dir);
    expect(wrapped.every((bytes) => before.includes(bytes))).toBe(true);
    await stores.side.keys.destroy('drive', ids.slice(100, 200));
    const after = bytesOf(data_dir);
    expect(wrapped.map((bytes) => after.includes(bytes))).toEqual(
      ids.map((_, i) => i < 100 || i >= 200),
    );
  });

  it('are destroyed once no reader of another process needs the log; nobody else waits meanwhile', async () => {
    await stores.side.keys.put('drive', new Map([['subject', randomBytes(32)]]));
    const wrapped = wrappedOf('subject');
    const reader = new DatabaseSync(join(data_dir, 'side.db'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM keys').get();
    const destroying = stores.side.keys.destroy('drive', ['subject']);
    const first = await Promise.race([destroying.then(() => 'destroyed'), nextTurn('a turn')]);
    expect(first).toBe('a turn');
    reader.close();
    await destroying;
    expect(bytesOf(data_dir).includes(wrapped)).toBe(false);
  });

  it('do not open at another place than theirs', async () => {
    await stores.side.keys.put('drive', new Map([['a', randomBytes(32)]]));
    const db = new DatabaseSync(join(data_dir, 'side.db'));
    db.exec(`INSERT INTO keys SELECT 'other', key_id, wrapped FROM keys`);
    db.close();
    await expect(stores.side.keys.get('other', 'a')).rejects.toThrow('does not open');
  });

  it('are refused at the opening under another master key', async () => {
    await stores.close();
    const master_key = new Uint8Array(32).fill(2);
    expect(() => openSqliteStores({ data_dir, master_key })).toThrow(WrongMasterKey);
    stores = openSqliteStores({ data_dir, master_key: MASTER_KEY });
  });
});

describe('the master key', () => {
  let data_dir: string;
  beforeEach(() => {
    data_dir = temporaryFolder();
  });
  afterEach(() => removeFolder(data_dir));

  it('is made at the first start in a file for its owner alone, and is the same ever after', () => {
    const key = loadMasterKey(join(data_dir, 'new'));
    expect(key).toHaveLength(32);
    expect(loadMasterKey(join(data_dir, 'new'))).toEqual(key);
    expect(readdirSync(join(data_dir, 'new'))).toEqual(['master.key']);
    expect(statSync(join(data_dir, 'new', 'master.key')).mode & 0o777).toBe(0o600);
    expect(loadMasterKey(join(data_dir, 'other'))).not.toEqual(key);
  });

  it('is taken from the configuration in hexadecimal or base64, and no file is made', () => {
    const key = randomBytes(32);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect([...loadMasterKey(data_dir, key.toString(encoding))]).toEqual([...key]);
    }
    expect(readdirSync(data_dir)).toEqual([]);
  });

  it('is refused when it is no key, without being shown', () => {
    const wrong = randomBytes(31).toString('hex');
    expect(() => loadMasterKey(data_dir, wrong)).toThrow('not 32 bytes');
    expect(() => loadMasterKey(data_dir, wrong)).not.toThrow(wrong);
  });

  it('is refused from a file that is damaged or open to other users', () => {
    const path = join(data_dir, 'master.key');
    writeFileSync(path, 'short', { mode: 0o600 });
    expect(() => loadMasterKey(data_dir)).toThrow('does not hold a master key');
    writeFileSync(path, randomBytes(32).toString('base64'));
    chmodSync(path, 0o644);
    expect(() => loadMasterKey(data_dir)).toThrow('chmod 600');
  });
});
