import type {
  KeyVault,
  PresenceStore,
  SideStores,
  Snapshot,
  SnapshotPlace,
  SnapshotStore,
  Tile,
  TileStore,
} from '../stores.js';
import { MemoryEventIndex } from './event-index.js';
import { SqliteExpiryStore } from '../sqlite/expiries.js';
import { IN_MEMORY } from '../sqlite/files/database.js';
import { SqliteJobStore } from '../sqlite/jobs/jobs.js';
import { SqliteNonceStore } from '../sqlite/nonces.js';

/** A copy; the slice of a Buffer would share its bytes. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

/** Keys in memory, unwrapped. */
export class MemoryKeyVault implements KeyVault {
  /** Null marks a destroyed key, so that no put restores it. */
  private readonly drives = new Map<string, Map<string, Uint8Array | null>>();

  async get(drive_id: string, key_id: string): Promise<Uint8Array | undefined> {
    const key = this.drives.get(drive_id)?.get(key_id);
    return key ? copyOf(key) : undefined;
  }

  async all(drive_id: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const live = new Map<string, Uint8Array>();
    for (const [key_id, key] of this.drive(drive_id)) if (key) live.set(key_id, copyOf(key));
    return live;
  }

  async put(drive_id: string, keys: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [key_id, key] of keys) {
      if (key.length !== 32) throw new RangeError(`key ${key_id} has ${key.length} bytes, not 32`);
    }
    const stored = this.drive(drive_id);
    for (const [key_id, key] of keys) if (!stored.has(key_id)) stored.set(key_id, copyOf(key));
  }

  async destroy(drive_id: string, key_ids: readonly string[]): Promise<void> {
    const stored = this.drive(drive_id);
    for (const key_id of key_ids) {
      stored.get(key_id)?.fill(0);
      stored.set(key_id, null);
    }
  }

  private drive(drive_id: string): Map<string, Uint8Array | null> {
    let keys = this.drives.get(drive_id);
    if (!keys) this.drives.set(drive_id, (keys = new Map()));
    return keys;
  }
}

export class MemorySnapshotStore implements SnapshotStore {
  private snapshots: Snapshot[] = [];

  async latest(drive_id: string, state_version: string, at_most: number): Promise<Snapshot | null> {
    const fitting = this.of(drive_id).filter(
      (snapshot) => snapshot.state_version === state_version && snapshot.revision <= at_most,
    );
    return fitting.at(-1) ?? null;
  }

  async put(snapshot: Snapshot): Promise<void> {
    const others = this.snapshots.filter(
      (other) =>
        other.drive_id !== snapshot.drive_id ||
        other.revision !== snapshot.revision ||
        other.state_version !== snapshot.state_version,
    );
    const copy = {
      ...snapshot,
      event_hash: copyOf(snapshot.event_hash),
      body: copyOf(snapshot.body),
    };
    this.snapshots = [...others, copy];
  }

  async list(drive_id: string): Promise<readonly SnapshotPlace[]> {
    return this.of(drive_id).map(({ revision, state_version, body }) => ({
      revision,
      state_version,
      bytes: body.length,
    }));
  }

  async drop(drive_id: string, revisions: readonly number[]): Promise<void> {
    this.snapshots = this.snapshots.filter(
      (snapshot) => snapshot.drive_id !== drive_id || !revisions.includes(snapshot.revision),
    );
  }

  private of(drive_id: string): Snapshot[] {
    return this.snapshots
      .filter((snapshot) => snapshot.drive_id === drive_id)
      .toSorted((a, b) => a.revision - b.revision);
  }
}

export class MemoryPresenceStore implements PresenceStore {
  private readonly drives = new Map<string, Map<string, number>>();

  async load(drive_id: string): Promise<ReadonlyMap<string, number>> {
    return new Map(this.drives.get(drive_id));
  }

  async save(drive_id: string, seen: ReadonlyMap<string, number>): Promise<void> {
    for (const [user_id, at_ms] of seen) this.see(drive_id, user_id, at_ms);
  }

  async rename(drive_id: string, from_user_id: string, to_user_id: string): Promise<void> {
    const at_ms = this.drives.get(drive_id)?.get(from_user_id);
    if (at_ms === undefined) return;
    this.drives.get(drive_id)!.delete(from_user_id);
    this.see(drive_id, to_user_id, at_ms);
  }

  async delete(drive_id: string, user_id: string): Promise<void> {
    this.drives.get(drive_id)?.delete(user_id);
  }

  private see(drive_id: string, user_id: string, at_ms: number): void {
    let users = this.drives.get(drive_id);
    if (!users) this.drives.set(drive_id, (users = new Map()));
    users.set(user_id, Math.max(at_ms, users.get(user_id) ?? at_ms));
  }
}

const isAt =
  ({ drive_id, level, index }: Tile) =>
  (other: Tile): boolean =>
    drive_id === other.drive_id && level === other.level && index === other.index;

export class MemoryTileStore implements TileStore {
  private tiles: Tile[] = [];

  async get(drive_id: string, level: number, index: number): Promise<Tile | null> {
    return this.of(drive_id, level).find((tile) => tile.index === index) ?? null;
  }

  async last(drive_id: string, level: number): Promise<Tile | null> {
    return (
      this.of(drive_id, level)
        .toSorted((a, b) => a.index - b.index)
        .at(-1) ?? null
    );
  }

  async put(tiles: readonly Tile[]): Promise<void> {
    const put = tiles.filter((tile) => {
      const known = this.tiles.find(isAt(tile));
      return !known || known.hashes.length <= tile.hashes.length;
    });
    const isReplaced = (old: Tile): boolean => put.some(isAt(old));
    const copies = put.map((tile) => ({
      ...tile,
      event_hash: copyOf(tile.event_hash),
      hashes: copyOf(tile.hashes),
    }));
    this.tiles = [...this.tiles.filter((old) => !isReplaced(old)), ...copies];
  }

  async drop(drive_id: string): Promise<void> {
    this.tiles = this.tiles.filter((tile) => tile.drive_id !== drive_id);
  }

  private of(drive_id: string, level: number): Tile[] {
    return this.tiles.filter((tile) => tile.drive_id === drive_id && tile.level === level);
  }
}

export class MemorySideStores implements SideStores {
  readonly keys = new MemoryKeyVault();
  readonly snapshots = new MemorySnapshotStore();
  readonly tiles = new MemoryTileStore();
  readonly index = new MemoryEventIndex();
  readonly presence = new MemoryPresenceStore();
  readonly expiries = new SqliteExpiryStore(IN_MEMORY, false);
  readonly nonces = new SqliteNonceStore(IN_MEMORY, false);
  readonly jobs = new SqliteJobStore(IN_MEMORY, false);

  /** Stores stay usable: a spec may open them again as another process. */
  async close(): Promise<void> {}
}
