import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnusable } from '../../event-store/port.js';
import type { CommitSync } from '../../event-store/sqlite/files/log-sync.js';
import { SmallContents } from './small-contents.js';

const drive_id = 'DriveID_1';
const keyOf = (nth: number) => ({ drive_id, content_id: `content-${nth}` });

/** A disk that syncs when it is told to. */
class SlowDisk implements CommitSync {
  readonly syncs: PromiseWithResolvers<void>[] = [];
  private started = Promise.withResolvers<void>();

  sync(): Promise<void> {
    const one = Promise.withResolvers<void>();
    this.syncs.push(one);
    this.started.resolve();
    this.started = Promise.withResolvers();
    return one.promise;
  }

  /** Resolves with the next sync that begins. */
  get next(): Promise<void> {
    return this.started.promise;
  }

  async close(): Promise<void> {}
}

describe('small contents in a database', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'small-contents-'));
    path = join(folder, 'small.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are acknowledged after a sync, which all that wait share', async () => {
    const disk = new SlowDisk();
    const store = new SmallContents({ path, disk });
    const acknowledged: number[] = [];
    const write = async (nth: number): Promise<void> => {
      await store.write(keyOf(nth), randomBytes(nth));
      acknowledged.push(nth);
    };
    const begun = disk.next;
    const writes = [write(0)];
    await begun;
    writes.push(write(1), write(2), store.delete(keyOf(0)));
    expect([disk.syncs.length, acknowledged]).toEqual([1, []]);
    const second = disk.next;
    disk.syncs[0]!.resolve();
    await second;
    expect([disk.syncs.length, acknowledged]).toEqual([2, [0]]);
    disk.syncs[1]!.resolve();
    await Promise.all(writes);
    expect([disk.syncs.length, acknowledged]).toEqual([2, [0, 1, 2]]);
    expect(store.list(drive_id, '', 10)).toMatchObject([keyOf(1), keyOf(2)]);
    await store.close();
  });

  it('are refused once the disk has failed, until the file is opened again', async () => {
    const disk = new SlowDisk();
    const store = new SmallContents({ path, disk });
    const begun = disk.next;
    const first = store.write(keyOf(1), randomBytes(1));
    await begun;
    disk.syncs[0]!.reject(new Error('EIO'));
    const unavailable = { name: 'StoreUnavailable', message: expect.stringContaining(path) };
    await expect(first).rejects.toMatchObject(unavailable);
    await expect(store.write(keyOf(2), randomBytes(1))).rejects.toMatchObject(unavailable);
    expect(disk.syncs).toHaveLength(1);
    await store.close();
    const again = new SmallContents({ path });
    await again.write(keyOf(2), randomBytes(1));
    await again.close();
  });

  it('that are deleted leave no bytes in the file and its log', async () => {
    const store = new SmallContents({ path });
    const [bytes, kept] = [randomBytes(5_000), randomBytes(5_000)];
    // Its first bytes share a page with others; the rest has pages of its own.
    const parts = (one: Buffer): Buffer[] => [one.subarray(0, 50), one.subarray(4_500, 4_600)];
    const isOnDisk = (one: Buffer): boolean =>
      readdirSync(folder).some((name) => {
        const file = readFileSync(join(folder, name));
        return parts(one).some((part) => file.includes(part));
      });
    await store.write(keyOf(1), bytes);
    await store.write(keyOf(2), kept);
    await store.delete(keyOf(1));
    expect(isOnDisk(bytes)).toBe(true);
    await store.eraseDeleted();
    expect([isOnDisk(bytes), isOnDisk(kept)]).toEqual([false, true]);
    await store.close();
  });

  it('give their pages back when they are deleted', async () => {
    const store = new SmallContents({ path });
    const all = Array.from({ length: 200 }, (_, nth) => keyOf(nth));
    await Promise.all(all.map((key) => store.write(key, randomBytes(10_000))));
    await Promise.all(all.map((key) => store.delete(key)));
    await store.close();
    expect(readFileSync(path).length).toBeLessThan(100_000);
  });

  it('leave one file, which a reader need not write beside', async () => {
    const store = new SmallContents({ path });
    await store.write(keyOf(1), Buffer.from('one'));
    await store.close();
    expect(readdirSync(folder)).toEqual(['small.db']);
    const reader = new SmallContents({ path, read_only: true });
    expect(Buffer.from(reader.read(keyOf(1))!).toString()).toBe('one');
    expect(readdirSync(folder)).toEqual(['small.db']);
    await expect(reader.write(keyOf(2), Buffer.alloc(1))).rejects.toThrow('read-only');
    await reader.close();
  });

  it('are refused by the name of the file if it is damaged where they are written', async () => {
    const store = new SmallContents({ path });
    for (let nth = 0; nth < 100; nth++) await store.write(keyOf(nth), randomBytes(4_000));
    await store.close();
    const file = openSync(path, 'r+');
    // All but the first pages, which are read when it is opened.
    writeSync(file, randomBytes(300_000), 0, 300_000, 2 * 4_096);
    closeSync(file);
    const damaged = new SmallContents({ path });
    const writing = damaged.write(keyOf(1_000), randomBytes(4_000));
    await expect(writing).rejects.toThrow(StoreUnusable);
    await expect(writing).rejects.toThrow(`${path} is damaged`);
    await damaged.close();
  });

  it('are damaged contents if the database is damaged where they are', async () => {
    const store = new SmallContents({ path });
    for (let nth = 0; nth < 100; nth++) await store.write(keyOf(nth), randomBytes(4_000));
    await store.close();
    const file = openSync(path, 'r+');
    // All but the first pages, which hold the schema and the root of the table.
    writeSync(file, randomBytes(300_000), 0, 300_000, 5 * 4_096);
    const damaged = new SmallContents({ path, read_only: true });
    const reads = Array.from({ length: 100 }, (_, nth) => {
      try {
        return damaged.read(keyOf(nth)) ? 'read' : 'missing';
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(reads).toContain('DamagedContent');
    expect(reads.every((found) => found === 'DamagedContent' || found === 'read')).toBe(true);
    await damaged.close();
  });
});
