import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { events } from '../contract-support.contract.js';
import {
  AppendOutcomeUnknown,
  type Appended,
  type NewEvent,
  WrongExpectedRevision,
} from '../port.js';
import { openDatabase, rows } from './files/database.js';
import { EventWriter } from './event-writer.js';
import { eventsFile } from './events-file.js';
import { removeFolder, temporaryFolder } from './temporary-folder.contract.js';

const SQLITE_IOERR_FSYNC = 1034;

describe('the writer of a file whose disk fails at the commit', () => {
  let folder: string;
  let db: DatabaseSync;
  let writer: EventWriter;
  let failing_commits: number;
  beforeEach(() => {
    folder = temporaryFolder();
    db = openDatabase(eventsFile(join(folder, 'events.db'), false));
    failing_commits = 0;
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
        if (failing_commits-- > 0) {
          throw Object.assign(new Error('disk I/O error'), { errcode: SQLITE_IOERR_FSYNC });
        }
        return statement.run();
      },
    }) as StatementSync;
  type Given = readonly [stream: string, expected_revision: number, batch: readonly NewEvent[]];
  const writeGroup = (...group: readonly Given[]): Promise<PromiseSettledResult<Appended>[]> => {
    const answers = group.map(() => Promise.withResolvers<Appended>());
    const appends = group.map(([stream, expected_revision, batch], at) => ({
      ...{ stream, expected_revision, events: batch, bytes: 0 },
      ...answers[at]!,
    }));
    writer.write(appends)?.answer();
    return Promise.allSettled(answers.map(({ promise }) => promise));
  };
  const write = async (...append: Given): Promise<Appended> => {
    const [result] = await writeGroup(append);
    if (result!.status === 'rejected') throw result!.reason;
    return result!.value;
  };
  const stored = (): unknown => rows(db, 'SELECT count(*) FROM events').get()[0];

  it('leaves the outcome unknown, and the same batch again settles it', async () => {
    await write('drive-a', -1, events(1));
    const batch = events(2);
    failing_commits = 2;
    await expect(write('drive-a', 0, batch)).rejects.toThrow(AppendOutcomeUnknown);
    await expect(write('drive-b', -1, events(1))).rejects.toThrow('may or may not be stored');
    expect(stored()).toBe(1);

    const first = await write('drive-a', 0, batch);
    expect(first).toEqual({ last_revision: 2, last_position: 3 });
    expect(await write('drive-a', 0, batch)).toEqual(first);
    expect(await write('drive-b', -1, events(1))).toEqual({ last_revision: 0, last_position: 4 });
  });

  it('stores the type of a rolled back event again', async () => {
    await write('drive-a', -1, [{ ...events(1)[0]!, type: 'First' }]);
    failing_commits = 1;
    const failed = write('drive-a', 0, [{ ...events(1)[0]!, type: 'Second' }]);
    await expect(failed).rejects.toThrow(AppendOutcomeUnknown);
    await write('drive-a', 0, [{ ...events(1)[0]!, type: 'Third' }]);
    await write('drive-a', 1, [{ ...events(1)[0]!, type: 'Second' }]);
    const types =
      'SELECT types.name FROM events JOIN types ON types.id = type_id ORDER BY position';
    expect(rows(db, types).all().flat()).toEqual(['First', 'Third', 'Second']);
  });

  it('leaves the outcome of a whole group unknown', async () => {
    failing_commits = 1;
    const results = await writeGroup(['drive-a', -1, events(1)], ['drive-b', -1, events(1)]);
    const rejected = { status: 'rejected', reason: expect.any(AppendOutcomeUnknown) };
    expect([results, stored()]).toEqual([[rejected, rejected], 0]);
  });

  it('stores the others of a group of which one cannot be stored', async () => {
    await write('drive-c', -1, events(1));
    const unfit = [...events(1), { ...events(1)[0]!, data: undefined as never }];
    const results = await writeGroup(
      ['drive-a', -1, events(2)],
      ['drive-b', -1, unfit],
      ['drive-c', 5, events(1)],
      ['drive-c', 0, events(1)],
    );
    expect(results).toEqual([
      { status: 'fulfilled', value: { last_revision: 1, last_position: 3 } },
      {
        status: 'rejected',
        reason: expect.objectContaining({
          message: expect.stringMatching(/nothing of it is stored/),
        }),
      },
      { status: 'rejected', reason: expect.any(WrongExpectedRevision) },
      { status: 'fulfilled', value: { last_revision: 1, last_position: 4 } },
    ]);
    expect(stored()).toBe(4);
    expect(await write('drive-b', -1, events(1))).toEqual({ last_revision: 0, last_position: 5 });
  });
});
