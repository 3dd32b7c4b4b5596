import type { EventStore } from '../../event-store/port.js';
import type { TileStore } from '../../event-store/stores.js';
import { leafHash } from '../../proofs/hashes.js';
import { equal, inclusionRoot, isConsistent } from '../../proofs/merkle.js';
import type { Drive } from '../writer/drive.js';
import { BrokenStream, streamOf } from '../fold/fold.js';
import { bytesOf } from './hashing.js';
import { LogTiles, StaleTile, TILE_NODES } from './tiles.js';
import { type NodeSource, consistencyPath, inclusionPath, rangeDigest } from './merkle.js';

/** Delay before tiles are written, to batch events, ms. */
const WRITE_BEHIND_MS = 250;

/** Proof that an event is in the tree of the first `size` events. */
interface Inclusion {
  readonly event_hash: Uint8Array;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** Proof that the tree of the first `to` events begins with that of the first `from`. */
interface Consistency {
  readonly from_root: Uint8Array;
  readonly to_root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/**
 * Proofs about the logs of drives. Tiles are written asynchronously behind the events. Results from tiles are checked
 * against the root that the writer knows; mismatching tiles are rebuilt.
 */
export class LogProofs {
  private readonly tiles_of = new WeakMap<Drive, LogTiles>();
  private readonly waiting = new Map<Drive, NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly events: EventStore,
    private readonly store: TileStore,
    private readonly failed: (drive_id: string, error: unknown) => void,
  ) {}

  /** Schedules the tiles of a drive that has advanced. */
  consider(drive: Drive): void {
    const tiles = this.tilesOf(drive);
    const is_behind = tiles.behind(drive.head.revision + 1) >= TILE_NODES;
    if (!is_behind || this.waiting.has(drive)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(drive);
      const writing: Promise<void> = tiles
        .extend(drive.head.revision + 1)
        .catch((error: unknown) => this.failed(drive.drive_id, error))
        .finally(() => this.running.delete(writing));
      this.running.add(writing);
    }, WRITE_BEHIND_MS);
    timer.unref();
    this.waiting.set(drive, timer);
  }

  /** Starts no more writes and resolves when none is in progress. */
  async close(): Promise<void> {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
    await Promise.all(this.running);
  }

  /**
   * Proves that the event at `revision` is in the tree of the first `size` events; both must exist.
   * @throws BrokenStream if the stream no longer leads to the root that the drive knows
   */
  inclusion(drive: Drive, revision: number, size: number): Promise<Inclusion> {
    return this.checked(drive, async (node, head) => {
      const [event] = await this.events.readStream(
        streamOf(drive.drive_id),
        revision,
        'forward',
        1,
      );
      const root = await sureRoot(node, size, head);
      const path = (await inclusionPath(node, revision, size)).map(bytesOf);
      const led_to = event && inclusionRoot(leafHash(event.hash), revision, size, path);
      if (!led_to || !equal(led_to, root)) throw new StaleTile('the event is not in the tree');
      return { event_hash: event.hash, root, path };
    });
  }

  /** Proves that the tree of the first `to` events begins with that of the first `from`. @throws BrokenStream */
  consistency(drive: Drive, from: number, to: number): Promise<Consistency> {
    return this.checked(drive, async (node, head) => ({
      from_root: await sureRoot(node, from, head),
      to_root: await sureRoot(node, to, head),
      path: (await consistencyPath(node, from, to)).map(bytesOf),
    }));
  }

  /** Root of the tree of the first `size` events. @throws BrokenStream */
  rootAt(drive: Drive, size: number): Promise<Buffer> {
    return this.checked(drive, (node, head) => sureRoot(node, size, head));
  }

  private async checked<T>(
    drive: Drive,
    make: (node: NodeSource, head: Head) => Promise<T>,
  ): Promise<T> {
    const head = headOf(drive);
    const tiles = this.tilesOf(drive);
    for (let is_rebuilt = false; ;) {
      const { drops } = tiles;
      try {
        await tiles.extend(head.size);
        return await make(tiles.nodes(), head);
      } catch (error) {
        if (!(error instanceof StaleTile)) throw error;
        // Another caller has dropped them meanwhile.
        if (tiles.drops !== drops) continue;
        if (is_rebuilt) throw brokenLog(drive.drive_id, head.size - 1);
        await tiles.drop();
        is_rebuilt = true;
      }
    }
  }

  private tilesOf(drive: Drive): LogTiles {
    let tiles = this.tiles_of.get(drive);
    if (!tiles) {
      tiles = new LogTiles(drive.drive_id, this.events, this.store);
      this.tiles_of.set(drive, tiles);
    }
    return tiles;
  }
}

/** Size and root of the writer's log. */
interface Head {
  readonly size: number;
  readonly root: Buffer;
}

function headOf({ head: { revision, frontier } }: Drive): Head {
  return { size: revision + 1, root: frontier.root() };
}

/** Root of the first `size` events from the tiles, after a check that the writer's tree begins with it. */
async function sureRoot(node: NodeSource, size: number, head: Head): Promise<Buffer> {
  if (size === head.size) return head.root;
  const root = bytesOf(await rangeDigest(node, 0, size));
  const path = (await consistencyPath(node, size, head.size)).map(bytesOf);
  if (!isConsistent(size, root, head.size, head.root, path))
    throw new StaleTile('the tiles do not lead to the root that the writer knows');
  return root;
}

function brokenLog(drive_id: string, revision: number): BrokenStream {
  return new BrokenStream(drive_id, revision, 'the stream no longer leads to its root');
}
