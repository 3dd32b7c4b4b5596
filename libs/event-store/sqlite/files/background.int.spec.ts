import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { event } from '../../contract-support.contract.js';
import { indexText } from '../../event-index.js';
import { SqliteEventIndex } from '../event-index/event-index.js';
import { SqliteEventStore } from '../event-store.js';
import { Background, Checkpoints } from './background.js';
import { isDiskFailure } from './unusable.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.contract.js';

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

  it('adds events to an index in the transaction of the statements', async () => {
    const of_index = join(folder, 'index.db');
    const index = new SqliteEventIndex(of_index, background);
    const metadata = '{"actor":null,"command":"SPAWN","reason":"a start"}';
    const text = indexText([{ revision: 0, type: 'A', metadata, resource_ids: [] }]);
    const position = { revision: 0, event_hash: new Uint8Array(32) };
    const add = { index: { drive_id: 'drive-a', text, ...position } };
    const fails = { sql: 'INSERT INTO drives (drive_id) VALUES (NULL)', values: [] };
    await expect(background.change(of_index, [add, fails])).rejects.toThrow('NOT NULL');
    expect(await index.position('drive-a')).toBeNull();
    await background.change(of_index, [add]);
    expect(await index.position('drive-a')).toEqual(position);
    const whole = { from: 0, to: 9 };
    expect(await index.find('drive-a', { reason: 'START' }, whole, 'ASC', 10)).toEqual([0]);
    index.close();
  });

  it('says of a failure what SQLite says, with its code', async () => {
    const large = { sql: 'INSERT INTO types (name) VALUES (hex(zeroblob(100000)))', values: [] };
    const few_pages = { sql: 'PRAGMA max_page_count = 1', values: [] };
    const failing = background.change(path, [few_pages, large]);
    await expect(failing).rejects.toThrow('database or disk is full');
    await expect(failing.catch(isDiskFailure)).resolves.toBe(true);
  });

  it('undoes a transaction that fails, says why and goes on with the next', async () => {
    const add = { sql: "INSERT INTO types (name) VALUES ('A')", values: [] };
    await expect(background.change(path, [add, add])).rejects.toThrow('UNIQUE');
    await background.change(path, [add]);
    await background.close();
    await background.checkpoint(path);
  });
});
