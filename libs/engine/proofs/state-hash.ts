import type { FamilyDefinition, RecordBase } from '../../domain/kernel/record.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { Box } from '../../domain/kernel/sealed.js';
import { bytesOf, canonicalJson, type Digest, digestOf, sha256Hex } from './hashing.js';
import { EMPTY_TREE, inclusionPath, leafDigest, nodeDigest, treeDigest } from './merkle.js';
import { Pace } from '../tasks/turns.js';

const BUCKETS = 4096;
/** Records or buckets processed between two checks of the clock. */
const RECORDS_AT_ONCE = 100;
const KEYS_AT_ONCE = 100;
const BUCKETS_AT_ONCE = 64;
/** A leaf is its record's key and hash, one character a byte. */
export const LEAF_CHARS = 64;
const KEY_CHARS = 32;

/** Key of a record among the leaves: SHA-256(family, TAB, id). */
function recordKey(family: string, id: string): Digest {
  return digestOf(`${family}\t${id}`);
}

/**
 * The hashed form of a record: its own fields only, without those at their default; sealed fields as the SHA-256 of
 * their box, digests of keys and codes as the SHA-256 of the digest.
 */
export function hashedForm(
  definition: FamilyDefinition<RecordBase>,
  record: RecordBase,
): Record<string, unknown> {
  const defaults = definition.defaults as Readonly<Record<string, unknown>>;
  const form: Record<string, unknown> = {};
  for (const name of Object.keys(record)) {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[name];
    if (name === 'revision' || value === undefined || isDefault(defaults, name, value)) continue;
    if (value instanceof Box) form[name] = `sealed:${sha256Hex(value.text)}`;
    else if (name === 'digest' || name.endsWith('_digest'))
      form[name] = sha256Hex(String(value as string | null));
    else form[name] = value;
  }
  return form;
}

function isDefault(
  defaults: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): boolean {
  if (!(name in defaults)) return false;
  const standard = defaults[name];
  // Only the empty list can be a default.
  const is_empty = Array.isArray(value) && value.length === 0;
  return standard === value || (is_empty && Array.isArray(standard) && standard.length === 0);
}

/** SHA-256 of a record's canonical hashed form. */
export function recordHash(definition: FamilyDefinition<RecordBase>, record: RecordBase): Digest {
  return digestOf(canonicalJson(hashedForm(definition, record)));
}

/**
 * The Merkle tree over a state's records, computed lazily: changes only mark records. Marked records are hashed when
 * a snapshot needs the leaves, and their buckets when the root is needed.
 *
 * Leaves (key ‖ record hash) are packed and sorted in 4,096 buckets by the key's first 12 bits. A bucket's root is
 * SHA-256(02 ‖ leaf count as 4 bytes ‖ RFC 6962 hash over its leaves); the state hash is the RFC 6962 hash over the
 * bucket roots.
 */
export class StateHash {
  private readonly buckets: string[] = Array.from({ length: BUCKETS }, () => '');
  private readonly changed = new Map<FamilyDefinition<RecordBase>, Set<string>>();
  /** Buckets whose leaves have changed since they were hashed. */
  private readonly stale = new Set<number>();
  /** Nodes that must be rehashed because bucket roots below them were restored without them. */
  private readonly loose = new Set<number>();
  /** True until the first hashing: all records will be hashed, so a fold need not mark any. */
  private is_blank: boolean;
  /** Complete tree over the bucket roots: node 1 is the top, children of n are 2n and 2n + 1. */
  private readonly nodes: Digest[];

  constructor(
    private readonly state: DriveState,
    packed: PackedLeaves | null = null,
  ) {
    this.nodes = [...emptyNodes()];
    for (const [bucket, leaves] of (packed?.leaves ?? []).entries()) {
      if (!leaves) continue;
      const root = packed!.roots[bucket]!;
      this.buckets[bucket] = leaves;
      if (root === null) this.stale.add(bucket);
      else {
        this.nodes[BUCKETS + bucket] = root;
        this.loose.add((BUCKETS + bucket) >> 1);
      }
    }
    this.is_blank = !packed;
    state.undo_log.onReplace = (definition, before, after) =>
      this.mark(definition, (after ?? before)!.id);
  }

  /** Hashes all changes so far cooperatively, so that the root is cheap soon afterwards. */
  async hashInTurns(): Promise<void> {
    const pace = new Pace();
    await this.hashRecordsInTurns(pace);
    const stale = [...this.stale];
    for (let at = 0; at < stale.length; at += BUCKETS_AT_ONCE) {
      if (pace.is_due) await pace.turn();
      this.hashBuckets(stale.slice(at, at + BUCKETS_AT_ONCE));
    }
  }

  /**
   * Hashes the changed records cooperatively, so that the leaves are cheap soon afterwards. Records are grouped by
   * bucket, so that each bucket is merged once.
   */
  private async hashRecordsInTurns(pace: Pace): Promise<void> {
    const by_bucket = new Map<number, Marked[]>();
    let found = 0;
    for (const one of this.unhashed()) {
      const bucket = bucketOf(one.key);
      const marked = by_bucket.get(bucket);
      if (marked) marked.push(one);
      else by_bucket.set(bucket, [one]);
      if (++found % KEYS_AT_ONCE === 0 && pace.is_due) await pace.turn();
    }
    // In order, so that buckets hashed together share the nodes above them.
    const buckets = [...by_bucket.keys()].sort((a, b) => a - b);
    let some: Marked[] = [];
    for (const bucket of buckets)
      for (const one of by_bucket.get(bucket)!)
        if (some.push(one) === RECORDS_AT_ONCE) {
          this.hashRecords(some);
          some = [];
          if (pace.is_due) await pace.turn();
        }
    this.hashRecords(some);
  }

  /** The state's hash, 64 hex digits. */
  root(): string {
    this.hashChanges();
    return bytesOf(this.nodes[1]!).toString('hex');
  }

  /** Leaves and their known hashes, for snapshots; null if nothing was hashed so far. */
  packed(): PackedLeaves | null {
    if (this.is_blank) return null;
    this.hashRecords(this.unhashed());
    const roots = this.buckets.map((_, bucket) =>
      this.stale.has(bucket) ? null : this.nodes[BUCKETS + bucket]!,
    );
    return { leaves: [...this.buckets], roots };
  }

  /**
   * The path from a record, or from the neighbours of its place, to the state's hash. The state is read before the
   * promise is returned.
   */
  prove(family: string, id: string): Promise<RecordPath> {
    this.hashChanges();
    const key = recordKey(family, id);
    const bucket = bucketOf(key);
    const leaves = leavesIn(this.buckets[bucket]!);
    const place = leaves.findIndex((leaf) => leaf.slice(0, KEY_CHARS) >= key);
    const after = place < 0 ? leaves.length : place;
    const exists = leaves[after]?.startsWith(key) ?? false;
    const wanted = exists ? [after] : [after - 1, after].filter((at) => at >= 0 && leaves[at]);
    const bucket_path: Digest[] = [];
    for (let node = BUCKETS + bucket; node > 1; node >>= 1) bucket_path.push(this.nodes[node ^ 1]!);
    return pathsIn(leaves, wanted).then((proven) => ({
      key,
      exists,
      leaves: proven,
      bucket,
      bucket_size: leaves.length,
      bucket_path,
    }));
  }

  private mark(definition: FamilyDefinition<RecordBase>, id: string): void {
    if (this.is_blank || definition.unhashed) return;
    const ids = this.changed.get(definition);
    if (ids) ids.add(id);
    else this.changed.set(definition, new Set([id]));
  }

  private hashChanges(): void {
    this.hashRecords(this.unhashed());
    this.hashBuckets(this.stale);
  }

  private *unhashed(): Generator<Marked> {
    if (this.is_blank) {
      this.is_blank = false;
      for (const table of this.state.tables)
        if (table.size > 0 && !table.definition.unhashed)
          this.changed.set(table.definition, new Set(table.ids()));
    }
    for (const [definition, ids] of this.changed)
      for (const id of ids) yield { definition, id, key: recordKey(definition.name, id) };
  }

  private hashRecords(records: Iterable<Marked>): void {
    const by_bucket = new Map<number, Change[]>();
    for (const { definition, id, key } of records) {
      // The leaves may have been requested meanwhile.
      if (!this.changed.get(definition)!.delete(id)) continue;
      const record = this.state.table(definition.name)!.get(id);
      const leaf = record ? key + recordHash(definition, record) : null;
      const bucket = bucketOf(key);
      const changes = by_bucket.get(bucket);
      if (changes) changes.push({ key, leaf });
      else by_bucket.set(bucket, [{ key, leaf }]);
    }
    for (const [bucket, changes] of by_bucket) {
      this.buckets[bucket] = merge(this.buckets[bucket]!, changes);
      this.stale.add(bucket);
    }
  }

  private hashBuckets(buckets: Iterable<number>): void {
    const above = new Set(this.loose);
    this.loose.clear();
    for (const bucket of buckets) {
      // The root may have been requested meanwhile.
      if (!this.stale.delete(bucket)) continue;
      this.nodes[BUCKETS + bucket] = leafDigest(bucketRoot(this.buckets[bucket]!));
      above.add((BUCKETS + bucket) >> 1);
    }
    this.rehashAbove(above);
  }

  /** Rehashes the given nodes and all above them, level by level. */
  private rehashAbove(nodes: Set<number>): void {
    for (let level = nodes; level.size > 0;) {
      const above = new Set<number>();
      for (const node of level) {
        this.rehash(node);
        if (node > 1) above.add(node >> 1);
      }
      level = above;
    }
  }

  private rehash(node: number): void {
    this.nodes[node] = nodeDigest(this.nodes[2 * node]!, this.nodes[2 * node + 1]!);
  }
}

/** The part of a state's hash that snapshots keep. */
interface PackedLeaves {
  /** Leaves of every bucket, one character a byte. */
  readonly leaves: readonly string[];
  /**
   * Hash of every bucket's root as a leaf of the tree; null if its leaves have changed since. Ignored for empty
   * buckets.
   */
  readonly roots: readonly (Digest | null)[];
}

let empty_nodes: readonly Digest[] | undefined;

/** The tree of a state without records, computed once. */
function emptyNodes(): readonly Digest[] {
  if (empty_nodes) return empty_nodes;
  const nodes: Digest[] = [];
  const leaf = leafDigest(bucketRoot(''));
  for (let bucket = 0; bucket < BUCKETS; bucket++) nodes[BUCKETS + bucket] = leaf;
  for (let node = BUCKETS - 1; node > 0; node--)
    nodes[node] = nodeDigest(nodes[2 * node]!, nodes[2 * node + 1]!);
  return (empty_nodes = nodes);
}

/** A leaf of a bucket and its path to the tree hash over the bucket's leaves. */
export interface LeafPath {
  readonly key: Digest;
  readonly record_hash: Digest;
  readonly index: number;
  readonly path: readonly Digest[];
}

/** The path from a record's bucket to the state's hash. */
interface RecordPath {
  readonly key: Digest;
  readonly exists: boolean;
  /**
   * The record's leaf; for an absent record its neighbours: two, one at an end of the bucket, none in an empty one.
   */
  readonly leaves: readonly LeafPath[];
  readonly bucket: number;
  /** Leaves in the bucket. */
  readonly bucket_size: number;
  /** From the bucket up, 12 hashes. */
  readonly bucket_path: readonly Digest[];
}

/** A record that has changed since it was hashed. */
interface Marked {
  readonly definition: FamilyDefinition<RecordBase>;
  readonly id: string;
  readonly key: Digest;
}

/** A changed leaf; null: its record was removed. */
interface Change {
  readonly key: Digest;
  readonly leaf: string | null;
}

/** The packed leaves with changes applied, sorted by key. */
function merge(packed: string, changes: readonly Change[]): string {
  const leaves = new Map<Digest, string>();
  for (let at = 0; at < packed.length; at += LEAF_CHARS)
    leaves.set(packed.slice(at, at + KEY_CHARS), packed.slice(at, at + LEAF_CHARS));
  for (const { key, leaf } of changes) {
    if (leaf) leaves.set(key, leaf);
    else leaves.delete(key);
  }
  // One character a byte, so texts sort like their bytes. Flattened through a buffer.
  return Buffer.from([...leaves.values()].sort().join(''), 'latin1').toString('latin1');
}

/** 02 ‖ number of leaves ‖ tree hash over the leaves. */
const bucket_bytes = Buffer.alloc(1 + 4 + KEY_CHARS);
bucket_bytes[0] = 2;

function bucketRoot(packed: string): Digest {
  bucket_bytes.writeUInt32BE(packed.length / LEAF_CHARS, 1);
  bucket_bytes.write(packed ? leavesDigest(packed) : EMPTY_TREE, 5, 'latin1');
  return digestOf(bucket_bytes);
}

function leavesDigest(packed: string): Digest {
  return treeDigest(leavesIn(packed).map(leafDigest));
}

function leavesIn(packed: string): string[] {
  const leaves: string[] = [];
  for (let at = 0; at < packed.length; at += LEAF_CHARS)
    leaves.push(packed.slice(at, at + LEAF_CHARS));
  return leaves;
}

/** A bucket's number: the first 12 bits of the key. */
function bucketOf(key: Digest): number {
  return (key.charCodeAt(0) << 4) | (key.charCodeAt(1) >> 4);
}

async function pathsIn(leaves: readonly string[], wanted: readonly number[]): Promise<LeafPath[]> {
  const digests = leaves.map(leafDigest);
  const node = async (level: number, index: number): Promise<Digest> =>
    treeDigest(digests.slice(index * 2 ** level, (index + 1) * 2 ** level));
  return Promise.all(
    wanted.map(async (index) => ({
      key: leaves[index]!.slice(0, KEY_CHARS),
      record_hash: leaves[index]!.slice(KEY_CHARS),
      index,
      path: await inclusionPath(node, index, leaves.length),
    })),
  );
}
