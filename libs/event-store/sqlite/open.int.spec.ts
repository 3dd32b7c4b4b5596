import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { event, events, idsOf } from '../contract-support.contract.js';
import { indexText } from '../event-index.js';
import { AppendTooLarge, NO_STREAM, type StoredEvent } from '../port.js';
import { DataFolderInUse, openSqliteStores, type SqliteStores } from './index.js';
import { MASTER_KEY, removeFolder, temporaryFolder } from './temporary-folder.contract.js';

describe('the embedded stores', () => {
  let data_dir: string;
  const opened: SqliteStores[] = [];
  const open = (options: { read_only?: boolean; max_append_bytes?: number } = {}) => {
    const stores = openSqliteStores({ data_dir, master_key: MASTER_KEY, ...options });
    opened.push(stores);
    return stores;
  };
  const tamper = (file: string, sql: string) => {
    const db = new DatabaseSync(join(data_dir, file));
    db.exec(sql);
    db.close();
  };

  beforeEach(() => {
    data_dir = join(temporaryFolder(), 'data');
  });
  afterEach(async () => {
    for (const stores of opened.splice(0)) await stores.close();
    removeFolder(join(data_dir, '..'));
  });

  it('make their folder and files for their owner alone', async () => {
    open();
    expect(statSync(data_dir).mode & 0o777).toBe(0o700);
    for (const file of ['events.db', 'side.db', 'snapshots.db', 'jobs.db']) {
      expect(statSync(join(data_dir, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('show everything again after closing and opening, and go on where they were', async () => {
    const first = open();
    const written = events(3);
    await first.events.append('drive-a', NO_STREAM, written);
    const last = await first.events.append('drive-b', NO_STREAM, events(2));
    const drive_key = new Uint8Array(32).fill(5);
    await first.side.keys.put('a', new Map([['drive', drive_key]]));
    await first.side.keys.destroy('a', ['gone']);
    await first.side.presence.save('a', new Map([['u', 7]]));
    const at = { drive_id: 'a', revision: 2, state_version: 'v1' };
    await first.side.snapshots.put({ ...at, event_hash: drive_key, body: drive_key });
    const closing = first.events.append('drive-a', 2, events(1));
    await first.close();
    await closing;

    const second = open();
    const read = await second.events.readStream('drive-a', 0, 'forward', 10);
    expect(idsOf(read.slice(0, 3))).toEqual(idsOf(written));
    expect(read).toHaveLength(4);
    expect([...((await second.side.keys.get('a', 'drive')) ?? [])]).toEqual([...drive_key]);
    await second.side.keys.put('a', new Map([['gone', drive_key]]));
    expect(await second.side.keys.get('a', 'gone')).toBeNull();
    expect(await second.side.presence.load('a')).toEqual(new Map([['u', 7]]));
    expect(await second.side.snapshots.latest('a', 'v1', 9)).toMatchObject(at);
    expect(await second.events.append('drive-a', 3, events(1))).toEqual({
      last_revision: 4,
      last_position: last.last_position + 2,
    });
  });

  it('leave no log and no lock behind when closed', async () => {
    const stores = open();
    await stores.events.append('drive-a', NO_STREAM, events(3));
    await stores.close();
    expect(readdirSync(data_dir).filter((file) => /-(wal|shm|journal)$/.test(file))).toEqual([]);
  });

  it('refuse a second writer by the name of the folder until the first is closed', async () => {
    const first = open();
    expect(() => open()).toThrow(DataFolderInUse);
    expect(() => open()).toThrow(data_dir);
    await first.close();
    const second = open();
    await second.events.append('drive-a', NO_STREAM, events(1));
  });

  it('open read-only beside a writer, see its commits and write nothing', async () => {
    const writer = open();
    await writer.events.append('drive-a', NO_STREAM, events(1));
    const reader = open({ read_only: true });
    await writer.events.append('drive-a', 0, events(1));
    await writer.side.keys.put('a', new Map([['drive', MASTER_KEY]]));
    expect((await reader.events.head('drive-a'))?.revision).toBe(1);
    expect(await reader.side.keys.get('a', 'drive')).toBeDefined();
    await expect(reader.events.append('drive-a', 1, events(1))).rejects.toThrow('read-only');
    expect(() => reader.events.subscribeAll(-1, () => {})).toThrow('read-only');
    await expect(reader.side.keys.put('a', new Map([['b', MASTER_KEY]]))).rejects.toThrow(
      'read-only',
    );
    await expect(reader.side.keys.destroy('a', ['drive'])).rejects.toThrow('read-only');
    await expect(reader.side.snapshots.drop('a', [1])).rejects.toThrow('read-only');
  });

  it('open read-only nothing that is not there', () => {
    expect(() => open({ read_only: true })).toThrow('does not exist');
  });

  it('refuse files of a newer version of the service, but begin snapshots anew', async () => {
    const first = open();
    const bytes = new Uint8Array(32);
    const at = { drive_id: 'a', revision: 2, state_version: 'v1' };
    await first.side.snapshots.put({ ...at, event_hash: bytes, body: bytes });
    await first.close();
    tamper('snapshots.db', 'PRAGMA user_version = 99');
    const second = open();
    expect(await second.side.snapshots.list('a')).toEqual([]);
    await second.close();
    for (const file of ['side.db', 'events.db']) {
      tamper(file, 'PRAGMA user_version = 99');
      expect(() => open()).toThrow('written by a newer version');
      expect(() => open({ read_only: true })).toThrow('written by a newer version');
    }
  });

  it('begin an index of an older version of the service anew, and read-only have none', async () => {
    const first = open();
    const position = { revision: 0, event_hash: new Uint8Array(32) };
    const text = () => indexText([{ revision: 0, type: 'T', metadata: '{}', resource_ids: [] }]);
    await first.side.index.append('a', text(), position);
    await first.close();
    tamper('index.db', 'PRAGMA user_version = 1; DROP TABLE recent');
    expect(await open({ read_only: true }).side.index.position('a')).toBeNull();
    const second = open();
    expect(await second.side.index.position('a')).toBeNull();
    await second.side.index.append('a', text(), position);
    expect(await second.side.index.position('a')).toMatchObject({ revision: 0 });
  });

  it('take the bound of an append from their options', async () => {
    const { events: store } = open({ max_append_bytes: 10 });
    const append = store.append('drive-a', NO_STREAM, [
      event({ metadata: '{}', data: '123456789' }),
    ]);
    await expect(append).rejects.toThrow(AppendTooLarge);
  });

  it('reject every append of a commit that fails, store none of it and stay usable', async () => {
    const { events: store } = open();
    await store.append('drive-a', NO_STREAM, events(1));
    const seen: StoredEvent[] = [];
    store.subscribeAll(-1, (batch) => void seen.push(...batch));
    // A constraint that SQLite checks at COMMIT only.
    tamper(
      'events.db',
      `CREATE TABLE parent (id INTEGER PRIMARY KEY);
       CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
       CREATE TRIGGER break_commit AFTER INSERT ON events BEGIN INSERT INTO child VALUES (1); END`,
    );
    const results = await Promise.allSettled([
      store.append('drive-a', 0, events(2)),
      store.append('drive-new', NO_STREAM, events(1)),
    ]);
    for (const result of results) {
      expect(String((result as PromiseRejectedResult).reason)).toMatch(/nothing of it is stored/);
    }
    expect((await store.head('drive-a'))?.revision).toBe(0);
    expect(await store.head('drive-new')).toBeNull();

    tamper('events.db', 'DROP TRIGGER break_commit; DROP TABLE child; DROP TABLE parent');
    await store.append('drive-new', NO_STREAM, events(1));
    expect(await store.append('drive-a', 0, events(2))).toMatchObject({ last_revision: 2 });
    await store.close();
    expect(seen.map(({ stream, revision }) => `${stream} ${revision}`)).toContain('drive-a 0');
  });

  it('store more waiting appends than one transaction takes, also when closed meanwhile', async () => {
    const { events: store } = open();
    const large = [event({ data: 'x'.repeat(400_000) })];
    const appends = Array.from({ length: 50 }, (_, i) =>
      store.append(`drive-${i}`, NO_STREAM, large),
    );
    await appends[0];
    await store.close();
    const positions = (await Promise.all(appends)).map(({ last_position }) => last_position);
    expect(positions).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });
});
