import type { Collection, Db } from 'mongodb';

import type { Tile, TileStore } from '../stores.js';
import { upsertAll } from '../../mongodb/put.js';
import { bytesOf, openCollection } from './rows.js';

interface TileRow extends Tile {
  readonly _id: string;
}

const rowId = ({ drive_id, level, index }: Pick<Tile, 'drive_id' | 'level' | 'index'>): string =>
  `${drive_id}\n${level}\n${index}`;

const no_newer = ({ revision }: TileRow) => ({ revision: { $lte: revision } });

/** Tiles in the collection `side_tiles`. */
export class MongoTileStore implements TileStore {
  private constructor(private readonly tiles: Collection<TileRow>) {}

  static async open(db: Db, read_only: boolean): Promise<MongoTileStore> {
    const indexes = [{ drive_id: 1, level: 1, index: -1 }] as const;
    return new MongoTileStore(await openCollection(db, 'tiles', indexes, read_only));
  }

  async get(drive_id: string, level: number, index: number): Promise<Tile | null> {
    const row = await this.tiles.findOne({ _id: rowId({ drive_id, level, index }) });
    return row && tileOf(row);
  }

  async last(drive_id: string, level: number): Promise<Tile | null> {
    const [row] = await this.tiles.find({ drive_id, level }).sort({ index: -1 }).limit(1).toArray();
    return row ? tileOf(row) : null;
  }

  /**
   * {@inheritDoc TileStore.put} In sequence, the leaves' last tile last: it shows how far the tiles reach, so after a
   * crash no tile refers to missing nodes.
   */
  async put(tiles: readonly Tile[]): Promise<void> {
    const rows = tiles.map((tile) => ({ _id: rowId(tile), ...tile }));
    const above = rows.filter(({ level }) => level > 0);
    await upsertAll(this.tiles, above, no_newer);
    const leaves = rows.filter(({ level }) => level === 0).toSorted((a, b) => a.index - b.index);
    // The last ones reach furthest.
    for (const part of [leaves.slice(0, -1), leaves.slice(-1)])
      await upsertAll(this.tiles, part, no_newer);
  }

  async drop(drive_id: string): Promise<void> {
    await this.tiles.deleteMany({ drive_id });
  }
}

function tileOf({ drive_id, level, index, revision, event_hash, hashes }: TileRow): Tile {
  return {
    ...{ drive_id, level, index, revision },
    event_hash: bytesOf(event_hash),
    hashes: bytesOf(hashes),
  };
}
