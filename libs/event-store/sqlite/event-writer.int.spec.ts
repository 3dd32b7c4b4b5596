import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { events } from '../contract-support.contract.js';
import { AppendOutcomeUnknown, type Appended, type NewEvent } from '../port.js';
import { openDatabase, rows } from './files/database.js';
import { EventWriter } from './event-writer.js';
import { eventsFile } from './events-file.js';
import { removeFolder, temporaryFolder } from './temporary-folder.contract.js';

const SQLITE_IOERR_FSYNC = 1034;

describe('the writer of a file whose disk fails at the commit', () => {
  let folder: string;
  let db: DatabaseSync;
  let writer: EventWriter;
  let commit_fails: boolean;
  beforeEach(() => {
    folder = temporaryFolder();
    db = openDatabase(eventsFile(join(folder, 'events.db'), false));
    commit_fails = false;
    const prepare = db.prepare.bind(db);
    db.prepare = (sql) => (sql === 'COMMIT' ? fallible(prepare(sql)) : prepare(sql));
    writer = new EventWriter(db);
  });
  afterEach(() => {
    db.close();
    removeFolder(folder);
  });
  const fallible = (statement: StatementSync) =>
    ({
      run: () => {
        if (commit_fails) {
          throw Object.assign(new Error('disk I/O error'), { errcode: SQLITE_IOERR_FSYNC });
        }
        return statement.run();
      },
    }) as StatementSync;
  const write = (stream: string, expected_revision: number, batch: readonly NewEvent[]) =>
    new Promise<Appended>((resolve, reject) => {
      const append = { stream, expected_revision, events: batch, bytes: 0, resolve, reject };
      writer.write([append])?.answer();
    });

  it('leaves the outcome unknown, and the same batch again settles it', async () => {
    await write('drive-a', -1, events(1));
    const batch = events(2);
    commit_fails = true;
    await expect(write('drive-a', 0, batch)).rejects.toThrow(AppendOutcomeUnknown);
    await expect(write('drive-b', -1, events(1))).rejects.toThrow('may or may not be stored');
    expect(rows(db, 'SELECT count(*) FROM events').get()[0]).toBe(1);

    commit_fails = false;
    const first = await write('drive-a', 0, batch);
    expect(first).toEqual({ last_revision: 2, last_position: 3 });
    expect(await write('drive-a', 0, batch)).toEqual(first);
    expect(await write('drive-b', -1, events(1))).toEqual({ last_revision: 0, last_position: 4 });
  });
});
