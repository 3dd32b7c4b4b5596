import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';

import { events } from '../../contract-support.contract.js';
import { AppendOutcomeUnknown, StoreUnavailable, type StoredEvent } from '../../port.js';
import { SqliteEventStore } from '../event-store.js';
import { type CommitSync, LogSync } from './log-sync.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.contract.js';

/** A disk that takes commits when it is told to. */
class HeldDisk implements CommitSync {
  private under_way: { take: () => void; fail: (error: Error) => void } | undefined;
  private reached: () => void = () => {};
  synced = 0;
  is_held = true;

  sync(): Promise<void> {
    this.synced += 1;
    if (!this.is_held) return Promise.resolve();
    this.reached();
    return new Promise((take, fail) => {
      this.under_way = { take, fail };
    });
  }

  /** Resolves once a commit waits for the disk. */
  commit(): Promise<void> {
    return new Promise((resolve) => {
      this.reached = resolve;
    });
  }

  take(): void {
    this.under_way!.take();
  }

  fail(): void {
    this.under_way!.fail(new Error('EIO: i/o error, fdatasync'));
  }

  async close(): Promise<void> {}
}

const STREAM = 'drive-a';

describe('a commit on its way to the disk', () => {
  let folder: string;
  let disk: HeldDisk;
  let store: SqliteEventStore;
  let told: string[];
  const tell = (what: string) => () => told.push(what);
  const turn = () => new Promise(setImmediate);
  /** A first append that is committed and waits for the disk. */
  const underWay = async () => {
    const committed = disk.commit();
    const first = store.append(STREAM, -1, events(1));
    await committed;
    return { first };
  };

  beforeEach(() => {
    folder = temporaryFolder();
    disk = new HeldDisk();
    store = new SqliteEventStore({ path: join(folder, 'events.db'), disk });
    told = [];
  });
  afterEach(async () => {
    disk.is_held = false;
    await store.close();
    removeFolder(folder);
  });

  /** What each read shows: the last revision or position. */
  const READS = {
    readStream: async () => (await store.readStream(STREAM, 0, 'forward', 9)).at(-1)?.revision,
    backward: async () => (await store.readStream(STREAM, 9, 'backward', 9))[0]?.revision,
    readFoldable: async () => (await store.readFoldable(STREAM, 0, 9)).at(-1)?.revision,
    readAll: async () => (await store.readAll(-1, 9)).at(-1)?.revision,
    lastPosition: () => store.lastPosition(),
    findRevisionByTime: () => store.findRevisionByTime(STREAM, Number.MAX_SAFE_INTEGER),
    head: async () => (await store.head(STREAM))?.revision,
  };

  it('is neither answered nor shown to subscriptions before it is there', async () => {
    const seen: StoredEvent[] = [];
    const shown = new Promise<void>((resolve) => {
      store.subscribeAll(-1, (batch) => {
        seen.push(...batch);
        resolve();
      });
    });
    const committed = disk.commit();
    const appended = store.append(STREAM, -1, events(2)).then(tell('answered'));
    await committed;
    await turn();
    expect([told, seen]).toEqual([[], []]);
    disk.take();
    await Promise.all([appended, shown]);
    expect(seen).toHaveLength(2);
  });

  it.each(Object.keys(READS) as (keyof typeof READS)[])(
    'is not shown by %s, which shows at once what was there before',
    async (name) => {
      disk.is_held = false;
      await store.append(STREAM, -1, events(1));
      const before = await READS[name]();
      disk.is_held = true;
      const committed = disk.commit();
      const second = store.append(STREAM, 0, events(1));
      await committed;
      expect(await READS[name]()).toBe(before);
      disk.take();
      await second;
      expect(await READS[name]()).toBe(before! + 1);
    },
  );

  it('is followed by one of all that has come meanwhile', async () => {
    const { first } = await underWay();
    const others = ['drive-b', 'drive-c'].map((stream) => store.append(stream, -1, events(1)));
    const next = disk.commit();
    disk.take();
    await first;
    await next;
    expect(await store.readAll(-1, 9)).toHaveLength(1);
    disk.take();
    await Promise.all(others);
    expect(await store.readAll(-1, 9)).toHaveLength(3);
    expect(disk.synced).toBe(2);
  });

  it('is waited for by a store that closes, with what came after it', async () => {
    const { first } = await underWay();
    const second = store.append(STREAM, 0, events(1));
    disk.is_held = false;
    const closed = store.close().then(tell('closed'));
    await turn();
    expect(told).toEqual([]);
    disk.take();
    await Promise.all([first, second, closed]);
  });

  it('that the disk does not take leaves the outcome unknown, and nothing is written or read any more', async () => {
    disk.is_held = false;
    await store.append(STREAM, -1, events(1));
    disk.is_held = true;
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const committed = disk.commit();
    const batch = events(1);
    const appended = Promise.allSettled([store.append(STREAM, 0, batch)]);
    await committed;
    disk.fail();
    expect([...(await appended), ...(await Promise.allSettled([store.head(STREAM)]))]).toEqual([
      { status: 'rejected', reason: expect.any(AppendOutcomeUnknown) },
      { status: 'rejected', reason: expect.any(StoreUnavailable) },
    ]);
    const message = expect.stringMatching(/events\.db .*EIO.* restart the service/);
    expect(warn).toHaveBeenCalledWith(message);
    warn.mockRestore();
    await expect(store.append(STREAM, 0, batch)).rejects.toThrow(AppendOutcomeUnknown);
    await expect(store.append('drive-b', -1, events(1))).rejects.toThrow(AppendOutcomeUnknown);
    await expect(store.readAll(-1, 9)).rejects.toThrow(StoreUnavailable);
    expect(disk.synced).toBe(2);
  });
});

it('the log of a file that is not there cannot be opened', () => {
  expect(() => new LogSync('/nowhere/events.db')).toThrow('ENOENT');
});
