import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore } from '../../event-store/port.js';
import type { Tile, TileStore } from '../../event-store/stores.js';
import { BrokenStream, hasEvent, streamOf } from '../fold/fold.js';
import { bytesOf, type Digest, digestFrom } from './hashing.js';
import { type NodeSource, leafDigest, treeDigest } from './merkle.js';

export const TILE_NODES = 256;
const TILE_LEVELS = 8;
const DIGEST_BYTES = 32;
/** Leaf tiles stored in one write. */
const TILES_PER_WRITE = 64;

/**
 * The tree hashes of one drive's log. Full leaf tiles are stored, and above them all complete nodes; the leaves after
 * the last full tile are read from the stream.
 */
export class LogTiles {
  /** Leaves covered by stored tiles, null until the store has been read. */
  private covered: number | null = null;
  /** The change of the stored tiles in progress. */
  private extending: Promise<void> | null = null;
  /** How often the tiles were dropped. */
  drops = 0;

  constructor(
    private readonly drive_id: string,
    private readonly events: EventStore,
    private readonly tiles: TileStore,
  ) {}

  /** Number of leaves without a tile, of so many; all of them until the store has been read. */
  behind(size: number): number {
    return size - (this.covered ?? 0);
  }

  /** Writes the missing full tiles up to `size` leaves, which must be durable. @throws BrokenStream */
  async extend(size: number): Promise<void> {
    while (this.extending) await this.extending.catch(() => {});
    if (this.covered !== null && this.behind(size) < TILE_NODES) return;
    await this.changing(this.write(size));
  }

  /** Drops all tiles after a mismatch. */
  async drop(): Promise<void> {
    while (this.extending) await this.extending.catch(() => {});
    // First: readers that find no tile from now on know why.
    this.covered = 0;
    this.drops++;
    await this.changing(this.tiles.drop(this.drive_id));
  }

  private changing(change: Promise<void>): Promise<void> {
    this.extending = change
      .catch((error: unknown) => {
        // The store knows how much was written.
        this.covered = null;
        throw error;
      })
      .finally(() => (this.extending = null));
    return this.extending;
  }

  /**
   * Nodes of the current tree; each tile is checked and each node hashed once. A tile whose last event has changed
   * throws `StaleTile`.
   */
  nodes(): NodeSource {
    const tiles = new Map<string, Promise<readonly Digest[]>>();
    const known = new Map<string, Digest>();
    return async (level, index) => {
      const node = `${level} ${index}`;
      const hashed = known.get(node);
      if (hashed !== undefined) return hashed;
      const tile_level = Math.floor(level / TILE_LEVELS);
      const width = 2 ** (level - tile_level * TILE_LEVELS);
      const first = index * width;
      const tile = Math.floor(first / TILE_NODES);
      const place = `${tile_level} ${tile}`;
      let reading = tiles.get(place);
      if (!reading) tiles.set(place, (reading = this.digestsOf(tile_level, tile)));
      const digests = await reading;
      const begin = first - tile * TILE_NODES;
      if (begin + width > digests.length) throw new StaleTile('a node is missing');
      const digest = treeDigest(digests.slice(begin, begin + width));
      known.set(node, digest);
      return digest;
    };
  }

  private async digestsOf(level: number, index: number): Promise<readonly Digest[]> {
    if (level === 0 && index * TILE_NODES >= (this.covered ?? 0)) return this.leaves(index);
    const tile = await this.tiles.get(this.drive_id, level, index);
    if (!tile || !(await this.fits(tile))) throw new StaleTile('a tile is missing or does not fit');
    return digestsIn(tile.hashes);
  }

  private async write(size: number): Promise<void> {
    let covered = (this.covered ??= await this.coveredByStore());
    // The growing tile of each level above the leaves.
    const growing: Digest[][] = [];
    const base = covered / TILE_NODES;
    for (let level = 1, nodes = base; nodes >= 1; level++, nodes = Math.floor(nodes / TILE_NODES)) {
      const nodes_here = nodes % TILE_NODES;
      growing[level] = nodes_here === 0 ? [] : await this.grown(level, nodes, nodes_here);
    }
    let made: Tile[] = [];
    let open_tiles = new Map<number, Tile>();
    const store = async (): Promise<void> => {
      await this.tiles.put([...made, ...open_tiles.values()]);
      // Not before: until then readers take the leaves from the stream.
      this.covered = covered;
      made = [];
      open_tiles = new Map();
    };
    while (covered + TILE_NODES <= size) {
      const index = covered / TILE_NODES;
      const hashes = await this.stored(index);
      if (hashes.length < TILE_NODES) throw this.broken(covered + hashes.length);
      const revision = covered + TILE_NODES - 1;
      const event_hash = bytesOf(hashes.at(-1)!);
      const tile = (level: number, at: number, digests: readonly Digest[]): Tile => ({
        drive_id: this.drive_id,
        level,
        index: at,
        revision,
        event_hash,
        hashes: bytesOf(digests.join('')),
      });
      let digests: readonly Digest[] = hashes.map(leafDigest);
      made.push(tile(0, index, digests));
      // A full tile is one more node of the level above it.
      for (let level = 1, nth = index; digests.length === TILE_NODES; level++) {
        const above = (growing[level] ??= []);
        above.push(treeDigest(digests));
        nth = Math.floor(nth / TILE_NODES);
        const grown = tile(level, nth, above);
        open_tiles.set(level, grown);
        digests = [...above];
        if (digests.length === TILE_NODES) {
          made.push(grown);
          open_tiles.delete(level);
          growing[level] = [];
        }
      }
      covered += TILE_NODES;
      if (made.length >= TILES_PER_WRITE) await store();
      else await nextTurn();
    }
    if (made.length > 0) await store();
  }

  /** Leaves covered by stored tiles; mismatching tiles are dropped. */
  private async coveredByStore(): Promise<number> {
    const last = await this.tiles.last(this.drive_id, 0);
    if (!last) return 0;
    const covered = (last.index + 1) * TILE_NODES;
    if (last.revision === covered - 1 && (await this.fits(last))) return covered;
    await this.tiles.drop(this.drive_id);
    return 0;
  }

  private async grown(level: number, nodes: number, wanted: number): Promise<Digest[]> {
    const tile = await this.tiles.get(this.drive_id, level, Math.floor(nodes / TILE_NODES));
    const digests = tile && digestsIn(tile.hashes);
    if (digests?.length === wanted) return digests;
    throw new StaleTile('a tile is missing');
  }

  /** True if the tile's last event is still in the stream. */
  private fits(tile: Tile): Promise<boolean> {
    return hasEvent(this.events, this.drive_id, tile);
  }

  private async leaves(index: number): Promise<readonly Digest[]> {
    return (await this.stored(index)).map(leafDigest);
  }

  /** Hashes of the stored events of a leaf tile. */
  private async stored(index: number): Promise<readonly Digest[]> {
    const first = index * TILE_NODES;
    const stream = streamOf(this.drive_id);
    const hashes: Digest[] = [];
    // Large events take several reads.
    while (hashes.length < TILE_NODES) {
      const from = first + hashes.length;
      const page = await this.events.readFoldable(stream, from, TILE_NODES - hashes.length);
      const odd = page.findIndex(({ revision }, at) => revision !== from + at);
      if (odd >= 0) throw this.broken(from + odd);
      if (page.length === 0) break;
      for (const { hash } of page) hashes.push(digestFrom(hash));
    }
    return hashes;
  }

  private broken(revision: number): BrokenStream {
    return new BrokenStream(this.drive_id, revision, 'events are missing');
  }
}

/** The stored tiles do not match the stream; they are dropped. */
export class StaleTile extends Error {
  override readonly name = 'StaleTile';
}

function digestsIn(hashes: Uint8Array): Digest[] {
  const text = digestFrom(hashes);
  const digests: Digest[] = [];
  for (let at = 0; at < text.length; at += DIGEST_BYTES)
    digests.push(text.slice(at, at + DIGEST_BYTES));
  return digests;
}
