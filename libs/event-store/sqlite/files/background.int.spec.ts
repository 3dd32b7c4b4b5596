import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { event } from '../../contract-support.contract.js';
import { Background, Checkpoints, type Prepare, threadRoutine } from './background.js';
import { SqliteEventStore } from '../event-store.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.contract.js';

function digested(text: string): string {
  return hash('sha256', text);
}

function addNames(prepare: Prepare, { names }: { names: readonly string[] }): void {
  for (const name of names) prepare('INSERT INTO streams (name) VALUES (?)').run(digested(name));
}

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

  it('runs a function with those it uses, in the transaction of the statements', async () => {
    const add = { routine: threadRoutine(addNames, [digested]), argument: { names: ['a', 'b'] } };
    await background.run(path, [add]);
    const fails = { sql: 'INSERT INTO streams (name) VALUES (NULL)', values: [] };
    const addMore = { ...add, argument: { names: ['c'] } };
    await expect(background.run(path, [addMore, fails])).rejects.toThrow('NOT NULL');
    const db = new DatabaseSync(path);
    const names = db.prepare('SELECT name FROM streams ORDER BY id').all();
    expect(names.map(({ name }) => name)).toEqual(['a', 'b'].map(digested));
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
