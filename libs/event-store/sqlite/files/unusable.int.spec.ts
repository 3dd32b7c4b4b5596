import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { events } from '../../contract-support.contract.js';
import { NO_STREAM, EventsUnusable, StoreUnusable } from '../../port.js';
import { loadMasterKey, openSqliteStores, UnusableKey } from '../index.js';
import { openFailure } from './unusable.js';
import { MASTER_KEY, removeFolder, temporaryFolder } from '../temporary-folder.contract.js';

const NOBODY = 65_534;

describe('files of the stores that cannot be used', () => {
  let folder: string;
  let data_dir: string;
  const path = (file: string) => join(data_dir, file);
  const open = () => openSqliteStores({ data_dir, master_key: MASTER_KEY });
  /** What is thrown where the permissions of files count, which they do not for root. */
  const thrownUnprivileged = (work: () => unknown): Error => {
    const is_root = process.geteuid!() === 0;
    if (is_root) {
      chownSync(folder, NOBODY, NOBODY);
      chownSync(data_dir, NOBODY, NOBODY);
      for (const file of readdirSync(data_dir)) chownSync(path(file), NOBODY, NOBODY);
      process.seteuid!(NOBODY);
    }
    try {
      work();
    } catch (error) {
      return error as Error;
    } finally {
      if (is_root) process.seteuid!(0);
    }
    throw new Error('nothing was thrown');
  };

  beforeEach(async () => {
    folder = temporaryFolder();
    data_dir = join(folder, 'data');
    const stores = open();
    for (let nth = 0; nth < 40; nth++)
      await stores.events.append(`drive-${nth}`, NO_STREAM, events(20));
    await stores.side.keys.put('a', new Map([['drive', new Uint8Array(32)]]));
    await stores.close();
  });
  afterEach(() => {
    for (const file of readdirSync(data_dir)) chmodSync(path(file), 0o700);
    removeFolder(folder);
  });

  it.each(['events.db', 'side.db', 'jobs.db', 'lock.db', 'snapshots.db'])(
    '%s that may not be opened is named, with what to do',
    (file) => {
      chmodSync(path(file), 0o000);
      const error = thrownUnprivileged(open);
      expect(error).toBeInstanceOf(StoreUnusable);
      expect(error.message).toMatch(
        / cannot be opened \(.+\): give the data folder and its files to /,
      );
      expect(error.message).toContain(path(file));
    },
  );

  it('a master key that may not be read, or is a folder, is named', () => {
    const key = path('master.key');
    loadMasterKey(folder);
    rmSync(path('events.db'));
    rmSync(path('side.db'));
    loadMasterKey(data_dir);
    chmodSync(key, 0o000);
    const error = thrownUnprivileged(() => loadMasterKey(data_dir));
    expect(error).toBeInstanceOf(UnusableKey);
    expect(error.message).toBe(
      `${key} cannot be read (permission denied); restore the master key, accessible only to its owner`,
    );
    rmSync(key);
    mkdirSync(key);
    expect(() => loadMasterKey(data_dir)).toThrow(`${key} cannot be read (it is a folder)`);
  });

  it.each(['events.db', 'side.db'])('a lost master key is not made anew beside %s', (file) => {
    rmSync(path(file === 'events.db' ? 'side.db' : 'events.db'));
    expect(() => loadMasterKey(data_dir)).toThrow(UnusableKey);
    expect(existsSync(path('master.key'))).toBe(false);
    expect(loadMasterKey(data_dir, 'ab'.repeat(32))).toHaveLength(32);
  });

  it('a database of another program is not used, and stays as it is', async () => {
    const foreign = new DatabaseSync(path('foreign.db'));
    foreign.exec('CREATE TABLE theirs (value TEXT)');
    foreign.close();
    renameSync(path('foreign.db'), path('events.db'));
    const before = readFileSync(path('events.db'));
    expect(open).toThrow(StoreUnusable);
    expect(open).toThrow(`${path('events.db')} is a database of another program`);
    expect(readFileSync(path('events.db'))).toEqual(before);
  });

  it('an empty cache is none for a reader', async () => {
    for (const file of ['snapshots.db', 'tiles.db', 'index.db', 'expiries.db', 'nonces.db'])
      truncateSync(path(file));
    const reader = openSqliteStores({ data_dir, master_key: MASTER_KEY, read_only: true });
    expect(await reader.side.index.position('a')).toBeNull();
    expect(await reader.side.snapshots.list('a')).toEqual([]);
    await reader.close();
  });

  it('a file system that is read-only is named', () => {
    const { message } = openFailure('/data/lock.db', { code: 'EROFS' }) as Error;
    expect(message).toBe(
      '/data/lock.db cannot be written (its file system is read-only): mount it for writing, or set DATA_DIR to another folder',
    );
  });

  it('a page that is damaged is met when it is read, and its file named', async () => {
    const { size } = statSync(path('events.db'));
    const file = openSync(path('events.db'), 'r+');
    // Far from the first and the last page, which opening looks at.
    const middle = Math.floor(size / 2 / 4096) * 4096;
    writeSync(file, Buffer.alloc(3 * 4096, 'x'), 0, undefined, middle);
    closeSync(file);
    const stores = open();
    const reading = stores.events.readAll(-1, 10_000);
    await expect(reading).rejects.toBeInstanceOf(EventsUnusable);
    await expect(reading).rejects.toThrow(`${path('events.db')} is damaged or not a database`);
    await stores.close().catch(() => {});
  });

  it('side.db is made anew beside events.db without events only', async () => {
    rmSync(path('side.db'));
    expect(open).toThrow(/side\.db is missing or empty, and without its keys/);
    rmSync(path('events.db'));
    await open().close();
    rmSync(path('side.db'));
    await open().close();
  });
});
