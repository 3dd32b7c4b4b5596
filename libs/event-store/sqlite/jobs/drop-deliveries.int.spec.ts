import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { removeFolder, temporaryFolder } from '../temporary-folder.contract.js';
import { SqliteJobStore } from './jobs.js';

const DELIVERIES = 2_000;

describe('dropping the deliveries of a deleted webhook', () => {
  let folder: string;
  let path: string;
  let jobs: SqliteJobStore;

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, 'jobs.db');
    jobs = new SqliteJobStore(path, false);
    const db = new DatabaseSync(path);
    db.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DELIVERIES})
        INSERT INTO deliveries (drive_id, webhook_id, delivery_id, event, sealed, queued_ms)
        SELECT 'drive', 'hook', i, 'e', 'body', 10 FROM n;
      INSERT INTO deliveries (drive_id, webhook_id, delivery_id, event, sealed, queued_ms)
        VALUES ('drive', 'other', 'o', 'e', 'body', 10);
      INSERT INTO lines (drive_id, webhook_id, next_ms, count, bytes)
        VALUES ('drive', 'hook', 10, ${DELIVERIES}, ${4 * DELIVERIES}), ('drive', 'other', 10, 1, 4);`);
    db.close();
  });
  afterEach(() => {
    jobs.shut();
    removeFolder(folder);
  });

  const due = async (from: SqliteJobStore): Promise<string[]> =>
    (await from.due(100, 9)).map(({ webhook_id }) => webhook_id);

  it('gives others a turn after some hundreds, and none is claimed meanwhile', async () => {
    await jobs.claim('drive', 'hook', 100, 200);
    let is_over = false;
    const dropped = jobs.drop('drive', 'hook').then(() => (is_over = true));
    let turns = 0;
    for (; !is_over; turns++) {
      expect(await jobs.claim('drive', 'hook', 100, 200)).toBeNull();
      expect(await due(jobs)).toEqual(['other']);
      await nextTurn();
    }
    await dropped;
    expect(turns).toBeGreaterThanOrEqual(8);
    expect(await due(jobs)).toEqual(['other']);
    expect(await jobs.waitingIn('drive', 0, 9)).toMatchObject([{ webhook_id: 'other' }]);
    expect(await jobs.counts()).toMatchObject({ waiting: 1 });
  });

  it('is repeated after a crash, since the rest is due', async () => {
    await jobs.claim('drive', 'hook', 100, 200);
    const dropped = jobs.drop('drive', 'hook');
    const next = new SqliteJobStore(path, true);
    expect((await due(next)).sort()).toEqual(['hook', 'other']);
    next.shut();
    await dropped;
    expect(await due(jobs)).toEqual(['other']);
  });
});
