import type { DriveState } from '../domain/drive/state.js';
import { Box } from '../domain/kernel/sealed.js';
import type { FamilyDefinition, RecordBase } from '../domain/kernel/table.js';
import { canonicalJson, sha256, sha256Hex, sha256Joined } from './hashing.js';
import { EMPTY_TREE, leafHash, nodeHash, treeHash } from './merkle.js';

const BUCKETS = 4096;
const LEAF_BYTES = 64;
const KEY_BYTES = 32;
const BUCKET_MARK = Uint8Array.of(2);

/** Key of a record among the leaves: SHA-256(family, TAB, id). */
export function recordKey(family: string, id: string): Buffer {
  return sha256(`${family}\t${id}`);
}

/**
 * The record as hashed: own fields only, those at their default left out, sealed fields as the
 * SHA-256 of the box that set them, digests of keys and codes as the SHA-256 of the digest.
 */
export function hashedForm(
  definition: FamilyDefinition<RecordBase>,
  record: RecordBase,
): Record<string, unknown> {
  const defaults = definition.defaults as Readonly<Record<string, unknown>>;
  const form: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name === 'revision' || value === undefined || isDefault(defaults, name, value)) continue;
    if (value instanceof Box) form[name] = `sealed:${sha256Hex(value.text)}`;
    else if (name === 'digest' || name.endsWith('_digest')) form[name] = sha256Hex(String(value));
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
  // Of lists only the empty one is ever a default.
  const is_empty = Array.isArray(value) && value.length === 0;
  return standard === value || (is_empty && Array.isArray(standard) && standard.length === 0);
}

/** SHA-256 of a record's canonical hashed form. */
export function recordHash(definition: FamilyDefinition<RecordBase>, record: RecordBase): Buffer {
  return sha256(canonicalJson(hashedForm(definition, record)));
}

/**
 * The Merkle tree over a state's records, kept lazily: changes only mark records, hashing happens
 * when the root is asked for, and then only in the buckets they fall into.
 *
 * Leaves (key ‖ record hash) lie packed and sorted in 4,096 buckets by the key's first 12 bits. A
 * bucket's root is SHA-256(02 ‖ leaf count as 4 bytes ‖ RFC 6962 hash over its leaves); the state
 * hash is the RFC 6962 hash over the bucket roots.
 */
export class StateHash {
  private readonly buckets: (Buffer | undefined)[] = Array.from({ length: BUCKETS });
  private readonly changed = new Map<string, { family: string; id: string }>();
  /** Complete tree over the bucket roots: node 1 is the top, children of n are 2n and 2n + 1. */
  private readonly nodes: Uint8Array[];

  constructor(
    private readonly state: DriveState,
    packed?: readonly (Buffer | undefined)[],
  ) {
    this.nodes = [...emptyNodes()];
    const filled = new Set<number>();
    for (const [bucket, leaves] of (packed ?? []).entries()) {
      if (!leaves) continue;
      this.buckets[bucket] = leaves;
      this.nodes[BUCKETS + bucket] = leafHash(bucketRoot(leaves));
      filled.add((BUCKETS + bucket) >> 1);
    }
    this.rehashAbove(filled);
    if (!packed)
      for (const table of state.tables)
        for (const id of table.ids()) this.mark(table.definition.name, id);
    state.journal.onReplace = (definition, before, after) =>
      this.mark(definition.name, (after ?? before)!.id);
  }

  /** The state's hash, 64 hex digits. */
  root(): string {
    this.settle();
    return Buffer.from(this.nodes[1]!).toString('hex');
  }

  /** Packed leaves of every bucket, for snapshots. The buffers are never changed in place. */
  packed(): readonly (Buffer | undefined)[] {
    this.settle();
    return [...this.buckets];
  }

  private mark(family: string, id: string): void {
    this.changed.set(`${family}\t${id}`, { family, id });
  }

  private settle(): void {
    if (this.changed.size === 0) return;
    const by_bucket = new Map<number, { key: Buffer; leaf: Buffer | null }[]>();
    for (const { family, id } of this.changed.values()) {
      const table = this.state.table(family)!;
      const record = table.get(id);
      const key = recordKey(family, id);
      const leaf = record ? Buffer.concat([key, recordHash(table.definition, record)]) : null;
      const bucket = key.readUInt16BE(0) >> 4;
      const changes = by_bucket.get(bucket);
      if (changes) changes.push({ key, leaf });
      else by_bucket.set(bucket, [{ key, leaf }]);
    }
    this.changed.clear();
    const dirty = new Set<number>();
    for (const [bucket, changes] of by_bucket) {
      this.buckets[bucket] = merge(this.buckets[bucket], changes);
      this.nodes[BUCKETS + bucket] = leafHash(bucketRoot(this.buckets[bucket]));
      dirty.add((BUCKETS + bucket) >> 1);
    }
    this.rehashAbove(dirty);
  }

  /** Hashes the given nodes anew and all above them, level by level. */
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
    this.nodes[node] = nodeHash(this.nodes[2 * node]!, this.nodes[2 * node + 1]!);
  }
}

let empty_nodes: readonly Uint8Array[] | undefined;

/** The tree of a state without records: the same for all, so it is hashed once. */
function emptyNodes(): readonly Uint8Array[] {
  if (empty_nodes) return empty_nodes;
  const nodes: Uint8Array[] = [];
  const leaf = leafHash(bucketRoot(undefined));
  for (let bucket = 0; bucket < BUCKETS; bucket++) nodes[BUCKETS + bucket] = leaf;
  for (let node = BUCKETS - 1; node > 0; node--)
    nodes[node] = nodeHash(nodes[2 * node]!, nodes[2 * node + 1]!);
  return (empty_nodes = nodes);
}

/** The packed leaves with changes applied: leaves replaced, added or (null) removed, sorted by key. */
function merge(
  packed: Buffer | undefined,
  changes: readonly { key: Buffer; leaf: Buffer | null }[],
): Buffer | undefined {
  const leaves = new Map<string, Buffer>();
  for (let at = 0; packed && at < packed.length; at += LEAF_BYTES)
    leaves.set(packed.toString('latin1', at, at + KEY_BYTES), packed.subarray(at, at + LEAF_BYTES));
  for (const { key, leaf } of changes) {
    if (leaf) leaves.set(key.toString('latin1'), leaf);
    else leaves.delete(key.toString('latin1'));
  }
  if (leaves.size === 0) return undefined;
  return Buffer.concat([...leaves.values()].sort(Buffer.compare));
}

function bucketRoot(packed: Buffer | undefined): Buffer {
  const count = (packed?.length ?? 0) / LEAF_BYTES;
  const count_bytes = Buffer.alloc(4);
  count_bytes.writeUInt32BE(count);
  return sha256Joined(BUCKET_MARK, count_bytes, packed ? leavesHash(packed) : EMPTY_TREE);
}

function leavesHash(packed: Buffer): Uint8Array {
  const leaves: Buffer[] = [];
  for (let at = 0; at < packed.length; at += LEAF_BYTES)
    leaves.push(leafHash(packed.subarray(at, at + LEAF_BYTES)));
  return treeHash(leaves);
}
