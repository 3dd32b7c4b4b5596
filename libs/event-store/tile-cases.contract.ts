/** What every store of tiles must do. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';

import type { SideStores, Tile } from './stores.js';

const freshDrive = (): string => randomUUID();

function tile(fields: Partial<Tile>): Tile {
  return {
    drive_id: freshDrive(),
    level: 0,
    index: 0,
    revision: 255,
    event_hash: new Uint8Array(randomBytes(32)),
    hashes: new Uint8Array(randomBytes(32 * 256)),
    ...fields,
  };
}

/** Bytes as hexadecimal, since they may come from another realm under a test runner. */
const plain = (found: Tile | null) =>
  found && {
    ...found,
    event_hash: Buffer.from(found.event_hash).toString('hex'),
    hashes: Buffer.from(found.hashes).toString('hex'),
  };

export const tileCases: readonly {
  readonly name: string;
  run(stores: SideStores): Promise<void>;
}[] = [
  {
    name: 'tiles are read back, each at its place',
    async run({ tiles: store }) {
      const drive_id = freshDrive();
      const stored = [
        tile({ drive_id, index: 7, revision: 2047 }),
        tile({ drive_id, level: 1, revision: 2047, hashes: new Uint8Array(randomBytes(32 * 8)) }),
        tile({ index: 7 }),
      ];
      await store.put(stored);
      for (const wanted of stored) {
        const found = await store.get(wanted.drive_id, wanted.level, wanted.index);
        assert.deepEqual(plain(found), plain(wanted));
      }
      assert.equal(await store.get(drive_id, 0, 6), null);
      assert.equal(await store.get(drive_id, 2, 7), null);
      assert.equal(await store.get(freshDrive(), 0, 7), null);
    },
  },
  {
    name: 'the last tile of a level has the highest index',
    async run({ tiles: store }) {
      const drive_id = freshDrive();
      await store.put([9, 10, 2].map((index) => tile({ drive_id, index })));
      await store.put([tile({ drive_id, level: 1, index: 3 }), tile({ index: 99 })]);
      assert.equal((await store.last(drive_id, 0))?.index, 10);
      assert.equal((await store.last(drive_id, 1))?.index, 3);
      assert.equal(await store.last(drive_id, 2), null);
    },
  },
  {
    name: 'a tile put again at its place replaces the former',
    async run({ tiles: store }) {
      const former = tile({ level: 1, hashes: new Uint8Array(randomBytes(32)) });
      const grown = { ...former, revision: 511, hashes: new Uint8Array(randomBytes(64)) };
      await store.put([former]);
      await store.put([grown]);
      assert.deepEqual(plain(await store.get(former.drive_id, 1, 0)), plain(grown));
    },
  },
  {
    name: 'a tile stays before one at its place that holds fewer nodes',
    async run({ tiles: store }) {
      const grown = tile({ level: 1, revision: 511, hashes: new Uint8Array(randomBytes(64)) });
      const behind = { ...grown, revision: 255, hashes: grown.hashes.slice(0, 32) };
      const beside = tile({ drive_id: grown.drive_id });
      await store.put([grown]);
      await store.put([behind, beside]);
      assert.deepEqual(plain(await store.get(grown.drive_id, 1, 0)), plain(grown));
      assert.deepEqual(plain(await store.get(grown.drive_id, 0, 0)), plain(beside));
    },
  },
  {
    name: 'dropping takes all tiles of a drive, and of no other',
    async run({ tiles: store }) {
      const [drive_id, other] = [freshDrive(), freshDrive()];
      await store.put([
        tile({ drive_id }),
        tile({ drive_id, level: 1 }),
        tile({ drive_id: other }),
      ]);
      await store.drop(drive_id);
      assert.equal(await store.get(drive_id, 0, 0), null);
      assert.equal(await store.last(drive_id, 1), null);
      assert.equal((await store.get(other, 0, 0))?.drive_id, other);
    },
  },
];
