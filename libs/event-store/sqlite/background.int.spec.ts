import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { event } from '../contract-support.contract.js';
import { Background, Checkpoints } from './background.js';
import { SqliteEventStore } from './event-store.js';
import { removeFolder, temporaryFolder } from './temporary-folder.contract.js';

describe('the database thread', () => {
  let folder: string;
  let path: string;
  let store: SqliteEventStore;
  let background: Background;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, 'events.db');
    store = new SqliteEventStore({ path });
    background = new Background();
  });
  afterEach(async () => {
    await background.close();
    await store.close();
    removeFolder(folder);
  });

  it('moves the log into the file beside the writer, who goes on meanwhile', async () => {
    for (let revision = -1; revision < 9; revision += 1) {
      await store.append('drive-a', revision, [event({ data: 'x'.repeat(200_000) })]);
    }
    expect(statSync(path).size).toBeLessThan(10 * 200_000);
    const checkpoint = background.checkpoint(path);
    await store.append('drive-a', 9, [event()]);
    await checkpoint;
    expect(statSync(path).size).toBeGreaterThan(10 * 200_000);
    expect((await store.head('drive-a'))?.revision).toBe(10);
  });

  it('is asked for a checkpoint when enough has grown, and not again until that is done', async () => {
    const asked: string[] = [];
    let finish!: () => void;
    const slow = {
      checkpoint: (of: string) => {
        asked.push(of);
        return new Promise<void>((resolve) => (finish = resolve));
      },
    } as unknown as Background;
    const checkpoints = new Checkpoints(slow, path, 100);
    checkpoints.grown(60);
    expect(asked).toEqual([]);
    checkpoints.grown(60);
    checkpoints.grown(500);
    expect(asked).toEqual([path]);
    finish();
    await new Promise(setImmediate);
    checkpoints.grown(1);
    expect(asked).toEqual([path, path]);
  });

  it('takes a list apart, leaving out what is not there', async () => {
    const owner = { sql: 'SELECT ?', values: [100] };
    const sql = 'INSERT INTO streams (id, name) VALUES (?1 + ?3, ?2)';
    const entries = [[3, { a: 'three' }], [4, { a: null }], [5, {}], [6], [7, { a: ['seven'] }]];
    const each = [{ sql, values: [], path: [1, 'a'] }];
    await background.run(path, [{ json: JSON.stringify(entries), owner, each }]);
    const db = new DatabaseSync(path);
    expect(db.prepare('SELECT id, name FROM streams ORDER BY id').all()).toEqual([
      expect.objectContaining({ id: 103, name: 'three' }),
      expect.objectContaining({ id: 107, name: 'seven' }),
    ]);
    db.close();
  });

  it('undoes a transaction that fails, says why and goes on with the next', async () => {
    const add = { sql: "INSERT INTO types (name) VALUES ('A')", values: [] };
    await expect(background.run(path, [add, add])).rejects.toThrow('UNIQUE');
    await background.run(path, [add]);
    await background.close();
    await background.checkpoint(path);
  });
});
