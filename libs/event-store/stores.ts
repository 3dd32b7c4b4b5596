/**
 * Ports of the side stores: keys, snapshots, tiles, the event index, presence, nonces, expiries and jobs. None of it
 * is history.
 */
import type { EventIndex } from './event-index.js';
import type { JobStore } from './jobs.js';

export type * from './event-index.js';
export type * from './jobs.js';
export { LONGEST_WAIT_MS } from './jobs.js';

/** A lower bound of a drive's next expiry. */
export interface Expiry {
  readonly drive_id: string;
  /** No item of the drive expires before, ms. */
  readonly at_ms: number;
  /** Revision that the stream must reach before the expiry is certain; until then the event may be in flight. */
  readonly revision: number;
  /** Time of the last note, ms. */
  readonly noted_ms: number;
}

/**
 * Finds drives with expired items without loading the others. The time of a drive may be too early, never too late.
 * Disposable: in a new store, and with another time in the trash, `isComplete` is false, and all drives are noted again.
 */
export interface ExpiryStore {
  /**
   * Stores expiries before the events that set them; of each drive the earlier time and the higher revision are kept.
   */
  note(expiries: readonly Expiry[]): Promise<void>;
  /** Drives due at a time, earliest first, after a given one; at most `limit`. */
  due(now_ms: number, limit: number, after?: Expiry): Promise<readonly Expiry[]>;
  /**
   * Sets the next expiry of a drive; null: none.
   * @returns false, with nothing changed, if it has changed since it was read
   */
  advance(seen: Expiry, at_ms: number | null): Promise<boolean>;
  /** True once every existing drive has been noted under this setting: times of drives in the store rest on it. */
  isComplete(trash_ms: number): Promise<boolean>;
  complete(trash_ms: number): Promise<void>;
}

/** A stored key does not open: it was wrapped under another master key, or copied from another place. */
export class KeyDoesNotOpen extends Error {
  override readonly name = 'KeyDoesNotOpen';
}

/** Keys of drives. `key_id` is `drive` for the drive's data key, else a subject's key id. */
export interface KeyVault {
  /**
   * The key of that id: undefined if it never existed, null if it was destroyed. Keys are 32 bytes and stored wrapped
   * (AES-256-GCM under the master key).
   * @throws KeyDoesNotOpen
   */
  get(drive_id: string, key_id: string): Promise<Uint8Array | null | undefined>;
  /** All live keys of a drive by id. */
  all(drive_id: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Stores keys durably before it resolves. @returns ids that existed already: they keep their first key, or none if it
   * was destroyed
   */
  put(drive_id: string, keys: ReadonlyMap<string, Uint8Array>): Promise<readonly string[]>;
  /** Destroys keys beyond recovery from the files; unknown ids are ignored. Destroyed ids are never reused. */
  destroy(drive_id: string, key_ids: readonly string[]): Promise<void>;
}

/** A disposable cache of a drive's state at a revision. */
export interface Snapshot {
  readonly drive_id: string;
  /** Revision of the last folded event. */
  readonly revision: number;
  /** Hash of that event; a snapshot whose event no longer exists is dropped. */
  readonly event_hash: Uint8Array;
  /** Format of `body`; with another version states are folded from event 0. */
  readonly state_version: string;
  /** Opaque bytes. */
  readonly body: Uint8Array;
}

/** A stored snapshot; `bytes`: length of its body. */
export type SnapshotPlace = Pick<Snapshot, 'revision' | 'state_version'> & {
  readonly bytes: number;
};

export interface SnapshotStore {
  /** The newest snapshot of that format with `revision` ≤ `at_most`, or null. */
  latest(drive_id: string, state_version: string, at_most: number): Promise<Snapshot | null>;
  put(snapshot: Snapshot): Promise<void>;
  /** Positions of all snapshots of a drive, oldest first. */
  list(drive_id: string): Promise<readonly SnapshotPlace[]>;
  /** Drops the named revisions of a drive, of every format. */
  drop(drive_id: string, revisions: readonly number[]): Promise<void>;
}

/** When a user was last seen in a drive (ms since epoch). Kept outside history. */
export interface PresenceStore {
  load(drive_id: string): Promise<ReadonlyMap<string, number>>;
  /** Writes later times; a time earlier than the stored one is ignored. */
  save(drive_id: string, seen: ReadonlyMap<string, number>): Promise<void>;
  /** Moves a time to another user id, keeping the later of the two. */
  rename(drive_id: string, from_user_id: string, to_user_id: string): Promise<void>;
  delete(drive_id: string, user_id: string): Promise<void>;
}

/**
 * Hashes of adjacent nodes of a drive's log tree (as in tlog-tiles), so that a proof need not read the whole stream.
 * A disposable cache, derived from the events.
 */
export interface Tile {
  readonly drive_id: string;
  /** 0: the nodes are leaves; t: each covers 256^t leaves. */
  readonly level: number;
  /** The tile begins at node 256 × `index` of its level. */
  readonly index: number;
  /** Revision of the last event covered. */
  readonly revision: number;
  /** Hash of that event; a tile whose event no longer exists is dropped. */
  readonly event_hash: Uint8Array;
  /** 32 bytes per node, at most 256 nodes. */
  readonly hashes: Uint8Array;
}

export interface TileStore {
  get(drive_id: string, level: number, index: number): Promise<Tile | null>;
  /** The tile with the highest index of a level, or null. */
  last(drive_id: string, level: number): Promise<Tile | null>;
  /**
   * Stores all tiles or none. A tile at the same place is replaced only by one with at least as many nodes; a process
   * that lags may bring fewer.
   */
  put(tiles: readonly Tile[]): Promise<void>;
  drop(drive_id: string): Promise<void>;
}

/** Maximum time for which a nonce is remembered, ms: longer than any signed token is valid, since clocks differ. */
export const LONGEST_NONCE_MS = 120_000;

/** Nonces of signed tokens that were used. Kept outside history. */
export interface NonceStore {
  /**
   * Marks a nonce as used, for all processes.
   * @param expires_ms end of its token, at most `LONGEST_NONCE_MS` from now
   * @returns false if it was used before, by a token that has not expired
   */
  use(key: string, expires_ms: number, now_ms: number): Promise<boolean>;
}

export interface SideStores {
  readonly keys: KeyVault;
  readonly snapshots: SnapshotStore;
  readonly tiles: TileStore;
  readonly index: EventIndex;
  readonly presence: PresenceStore;
  readonly nonces: NonceStore;
  readonly expiries: ExpiryStore;
  readonly jobs: JobStore;
  close(): Promise<void>;
}
