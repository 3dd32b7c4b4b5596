import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { removeFolder, temporaryFolder } from '../temporary-folder.contract.js';
import { SqliteJobStore } from './jobs.js';

describe('trimming the attempts of deliveries', () => {
  let folder: string;
  let jobs: SqliteJobStore;

  beforeEach(() => {
    folder = temporaryFolder();
    const path = join(folder, 'jobs.db');
    jobs = new SqliteJobStore(path, false);
    const db = new DatabaseSync(path);
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3999)
      INSERT INTO attempts (drive_id, webhook_id, delivery_id, event, attempt, at_ms, latency_ms, outcome)
      SELECT 'drive', 'hook-' || (i % 2), 'd', 'e', 1, i, 1, 'delivered' FROM n`);
    db.close();
  });
  afterEach(() => {
    jobs.shut();
    removeFolder(folder);
  });

  it('gives others a turn after some hundreds, and keeps what it should', async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await jobs.trim(2_000, 700);
    clearImmediate(counting);
    // 2,000 by their age, then 300 of each webhook.
    expect(turns).toBeGreaterThanOrEqual(4);
    for (const webhook_id of ['hook-0', 'hook-1']) {
      expect(await jobs.attemptCount('drive', webhook_id)).toBe(700);
      const [oldest] = await jobs.attempts('drive', webhook_id, { direction: 'ASC', limit: 1 });
      expect(oldest!.at_ms).toBeGreaterThanOrEqual(2_600);
    }
  });
});
