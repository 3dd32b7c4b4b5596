import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { events } from '../../contract-support.contract.js';
import { SqliteEventStore } from '../event-store.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.contract.js';

describe('asking whether appends would succeed', () => {
  let folder: string;
  let store: SqliteEventStore;
  const path = () => join(folder, 'events.db');

  beforeEach(() => {
    folder = temporaryFolder();
    store = new SqliteEventStore({ path: path() });
  });
  afterEach(async () => {
    await store.close();
    removeFolder(folder);
  });

  it('writes to the disk and to the log, and leaves neither an event nor a file', async () => {
    await store.append('drive-a', -1, events(1));
    const before = readdirSync(folder);
    const logged = () => statSync(`${path()}-wal`).size;
    const log_bytes = logged();
    await store.checkAppends(100_000);
    expect(logged()).toBeGreaterThan(log_bytes);
    expect(readdirSync(folder)).toEqual(before);
    expect(await store.readAll(-1, 9)).toHaveLength(1);
    await store.append('drive-a', 0, events(1));
  });

  it('rejects where no file can be written', async () => {
    mkdirSync(`${path()}-room`);
    await expect(store.checkAppends(1)).rejects.toThrow('EISDIR');
  });

  it('rejects where the database takes nothing', async () => {
    const other = new SqliteEventStore({ path: path(), read_only: true });
    await expect(other.checkAppends(1)).rejects.toThrow('read-only');
    await other.close();
  });
});
