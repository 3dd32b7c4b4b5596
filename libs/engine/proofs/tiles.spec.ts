import { describe, expect, it } from '@jest/globals';
import { MemorySideStores } from '../../event-store/memory/index.js';
import type { EventStore, StoredEvent } from '../../event-store/port.js';
import type { Tile } from '../../event-store/stores.js';
import { isConsistent } from '../../proofs/merkle.js';
import { BrokenStream } from '../fold/fold.js';
import { Gate } from '../testing/faulty-events.js';
import { bytesOf, sha256 } from './hashing.js';
import { Frontier, consistencyPath, inclusionPath, rangeDigest } from './merkle.js';
import { LogTiles, StaleTile } from './tiles.js';

const DRIVE = 'DriveID_tiles';

/** A stream of which only the hashes matter. */
class Hashes {
  reads = 0;
  readonly hashes: Buffer[] = [];
  readonly store = {
    readStream: async (_: string, from: number, __: string, limit: number) =>
      this.page(from, limit),
    readFoldable: async (_: string, from: number, limit: number) => this.page(from, limit),
  } as unknown as EventStore;

  constructor(size: number) {
    this.grow(size);
  }

  private page(from: number, limit: number): StoredEvent[] {
    this.reads++;
    return this.hashes
      .slice(from, from + limit)
      .map((hash, nth) => ({ revision: from + nth, hash }) as unknown as StoredEvent);
  }

  grow(size: number): void {
    while (this.hashes.length < size) this.hashes.push(sha256(`event ${this.hashes.length}`));
  }

  root(size: number): Buffer {
    return Frontier.empty.append(this.hashes.slice(0, size)).root();
  }
}

const rootBy = async (tiles: LogTiles, size: number): Promise<Buffer> =>
  bytesOf(await rangeDigest(tiles.nodes(), 0, size));

describe('tiles of a log', () => {
  it('read each event once', async () => {
    const events = new Hashes(1100);
    const tiles = new LogTiles(DRIVE, events.store, new MemorySideStores().tiles);
    await tiles.extend(600);
    await tiles.extend(1100);
    expect(events.reads).toBe(4);
    expect(await rootBy(tiles, 1100)).toEqual(events.root(1100));
  });

  it('are read from the stream while they are being stored', async () => {
    const events = new Hashes(510);
    const store = new MemorySideStores().tiles;
    const tiles = new LogTiles(DRIVE, events.store, store);
    await tiles.extend(510);
    events.grow(520);
    const storing = new Gate();
    const put = store.put.bind(store);
    store.put = async (...made) => {
      await storing.pass();
      return put(...made);
    };
    const extending = tiles.extend(520);
    await storing.reached;
    expect(await rootBy(tiles, 510)).toEqual(events.root(510));
    storing.open();
    await extending;
    expect(await rootBy(tiles, 520)).toEqual(events.root(520));
  });

  it('are known to be dropped before they are gone', async () => {
    const events = new Hashes(300);
    const store = new MemorySideStores().tiles;
    const tiles = new LogTiles(DRIVE, events.store, store);
    await tiles.extend(300);
    const dropping = new Gate();
    const drop = store.drop.bind(store);
    store.drop = async (...ids) => {
      await drop(...ids);
      await dropping.pass();
    };
    const dropped = tiles.drop();
    await dropping.reached;
    await expect(rootBy(tiles, 300)).rejects.toThrow(StaleTile);
    expect(tiles.drops).toBe(1);
    const again = tiles.extend(300);
    dropping.open();
    await Promise.all([dropped, again]);
    expect(tiles.behind(300)).toBe(44);
    expect(await rootBy(tiles, 300)).toEqual(events.root(300));
  });

  it('give the root of every size, whether they were written at once or piece by piece', async () => {
    const events = new Hashes(300);
    const store = new MemorySideStores().tiles;
    const grown = new LogTiles(DRIVE, events.store, store);
    for (const size of [1, 255, 256, 257, 300, 511, 512, 2000, 65_535, 65_536, 66_100]) {
      events.grow(size);
      await grown.extend(size);
      expect(await rootBy(grown, size)).toEqual(events.root(size));
    }
    const at_once = new MemorySideStores().tiles;
    const whole = new LogTiles(DRIVE, events.store, at_once);
    await whole.extend(66_100);
    for (const [level, last] of [
      [0, 257],
      [1, 1],
      [2, 0],
    ] as const) {
      expect((await at_once.last(DRIVE, level))?.index).toBe(last);
      for (let index = 0; index <= last; index++)
        expect(await at_once.get(DRIVE, level, index)).toEqual(
          await store.get(DRIVE, level, index),
        );
    }
    const path = (await consistencyPath(whole.nodes(), 40_000, 66_100)).map(bytesOf);
    const [old_root, new_root] = [events.root(40_000), events.root(66_100)];
    expect(isConsistent(40_000, old_root, 66_100, new_root, path)).toBe(true);
  });

  it('spare reading the stream: a proof looks at a few events and tiles', async () => {
    const events = new Hashes(20_000);
    const store = new MemorySideStores().tiles;
    await new LogTiles(DRIVE, events.store, store).extend(20_000);
    events.reads = 0;
    const tiles = new LogTiles(DRIVE, events.store, store);
    await tiles.extend(20_000);
    expect(await inclusionPath(tiles.nodes(), 777, 20_000)).toHaveLength(15);
    expect(events.reads).toBeLessThan(8);
  });

  it('of another past are dropped and written anew', async () => {
    const store = new MemorySideStores().tiles;
    await new LogTiles(DRIVE, new Hashes(1000).store, store).extend(1000);
    const other = new Hashes(0);
    for (let nth = 0; nth < 700; nth++) other.hashes.push(sha256(`another ${nth}`));
    const tiles = new LogTiles(DRIVE, other.store, store);
    await tiles.extend(700);
    expect(await rootBy(tiles, 700)).toEqual(other.root(700));
    expect((await store.last(DRIVE, 0))?.index).toBe(1);
  });

  it('that are missing or do not fit are told, and are well again once dropped', async () => {
    const events = new Hashes(2000);
    const store = new MemorySideStores().tiles;
    const tiles = new LogTiles(DRIVE, events.store, store);
    await tiles.extend(2000);
    const stale: Tile = { ...(await store.get(DRIVE, 0, 2))!, event_hash: sha256('else') };
    await store.put([stale]);
    await expect(inclusionPath(tiles.nodes(), 520, 2000)).rejects.toThrow(StaleTile);
    await tiles.drop();
    await tiles.extend(2000);
    expect(await rootBy(tiles, 2000)).toEqual(events.root(2000));
  });

  it('are not made over a gap', async () => {
    const events = new Hashes(300);
    const tiles = new LogTiles(DRIVE, events.store, new MemorySideStores().tiles);
    events.hashes.length = 200;
    await expect(tiles.extend(300)).rejects.toThrow(BrokenStream);
    events.grow(300);
    await tiles.extend(300);
    expect(await rootBy(tiles, 300)).toEqual(events.root(300));
  });
});
