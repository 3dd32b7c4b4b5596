import {
  Malformed,
  canonicalJson,
  count,
  fromHex,
  hashesFromHex,
  idText,
  leafHash,
  sha256,
} from './hashes.js';
import { equal, inclusionRoot } from './merkle.js';

const BUCKETS = 4096;
/** The size of a bucket is hashed as 4 bytes. */
const LARGEST_BUCKET = 2 ** 32 - 1;

/** A leaf of a bucket with its path there. Hashes are hex. */
export interface ProvenLeaf {
  readonly key: string;
  readonly record_hash: string;
  /** Place among the bucket's leaves, which are sorted by key. */
  readonly index: number;
  readonly path: readonly string[];
}

/**
 * Proves that a state holds a record, or none under that id. Hashes are hex. An absent record lies
 * between two neighbouring leaves of its bucket; at the bucket's ends there is one, in an empty bucket none.
 */
export interface RecordProof {
  readonly drive_id: string;
  readonly revision: number;
  readonly family: string;
  readonly record_id: string;
  /** SHA-256(family, TAB, id). */
  readonly key: string;
  readonly exists: boolean;
  /** The record as hashed; null if there is none. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** The record's leaf; null if there is none. */
  readonly leaf: ProvenLeaf | null;
  /** Instead of the leaf, in order. */
  readonly neighbours: readonly ProvenLeaf[];
  readonly bucket: number;
  /** Leaves in the bucket. */
  readonly bucket_size: number;
  /** From the bucket to `state_hash`. */
  readonly bucket_path: readonly string[];
  readonly state_hash: string;
}

/** The flaw of a record proof, null if it is valid. @throws Malformed */
export function flawOfRecord(proof: RecordProof): string | null {
  idText(proof.drive_id, 'drive_id');
  count(proof.revision, 'revision');
  const family = idText(proof.family, 'family');
  const key = sha256(`${family}\t${idText(proof.record_id, 'record_id')}`);
  if (!equal(key, fromHex(proof.key, 'key'))) return 'its key is not that of the record';
  const bucket = (key[0]! << 4) | (key[1]! >> 4);
  if (count(proof.bucket, 'bucket') !== bucket) return 'it is about another bucket';
  const size = count(proof.bucket_size, 'bucket_size');
  if (size > LARGEST_BUCKET) throw new Malformed(`bucket_size is more than ${LARGEST_BUCKET}`);
  if (typeof proof.exists !== 'boolean') throw new Malformed('exists is neither true nor false');
  const flaw = proof.exists ? flawOfPresence(proof, key) : flawOfAbsence(proof, key, size);
  if (flaw) return flaw;
  const leaves = proof.exists ? [proof.leaf!] : proof.neighbours;
  const roots = leaves.map((leaf) => leavesRoot(leaf, size));
  const [leaves_root = sha256()] = roots;
  if (!leaves_root || !roots.every((root) => root && equal(root, leaves_root)))
    return 'a path has the wrong length or another root';
  const root = inclusionRoot(
    leafHash(bucketRoot(size, leaves_root)),
    bucket,
    BUCKETS,
    hashesFromHex(proof.bucket_path, 'bucket_path'),
  );
  return root && equal(root, fromHex(proof.state_hash, 'state_hash'))
    ? null
    : 'its paths do not lead to state_hash';
}

function flawOfPresence(proof: RecordProof, key: Buffer): string | null {
  const { leaf, record, record_id, neighbours } = proof;
  if (!leaf || !record) throw new Malformed('leaf or record is missing');
  if (!Array.isArray(neighbours) || neighbours.length > 0)
    return 'it names neighbours, as only an absent record has';
  if (!equal(fromHex(leaf.key, 'key of the leaf'), key))
    return 'its leaf belongs to another record';
  if (record.id !== record_id) return 'the record has another id';
  const record_hash = sha256(canonicalJson(record));
  return equal(record_hash, fromHex(leaf.record_hash, 'record_hash'))
    ? null
    : 'the record does not have the hash of its leaf';
}

function flawOfAbsence(proof: RecordProof, key: Buffer, size: number): string | null {
  const { neighbours } = proof;
  // No hash covers them.
  if (proof.leaf !== null || proof.record !== null)
    return 'it has a leaf or record, although it proves absence';
  if (!Array.isArray(neighbours) || neighbours.some((leaf) => !leaf))
    throw new Malformed('neighbours is not a list of leaves');
  const at = neighbours.map((leaf) => ({
    key: fromHex(leaf.key, 'key of a neighbour'),
    index: count(leaf.index, 'index'),
  }));
  const [left, right] = at;
  if (size === 0) return at.length === 0 ? null : 'an empty bucket has no leaves';
  if (!left || at.length > 2) return 'it names the wrong number of neighbours';
  const is_before = Buffer.compare(left.key, key) < 0;
  if (!right) {
    const is_end = is_before ? left.index === size - 1 : left.index === 0;
    return is_end && !equal(left.key, key) ? null : 'a neighbour is missing';
  }
  const is_between = is_before && Buffer.compare(key, right.key) < 0;
  return is_between && right.index === left.index + 1
    ? null
    : 'the record could lie between its neighbours';
}

/** Root of the tree over the bucket's leaves that a leaf's path leads to, null for a wrong path. */
function leavesRoot(leaf: ProvenLeaf, size: number): Buffer | null {
  const data = Buffer.concat([
    fromHex(leaf.key, 'key of a leaf'),
    fromHex(leaf.record_hash, 'record_hash'),
  ]);
  const path = hashesFromHex(leaf.path, 'path');
  return inclusionRoot(leafHash(data), count(leaf.index, 'index'), size, path);
}

/** SHA-256(02 ‖ number of leaves as 4 bytes ‖ tree hash over the leaves). */
function bucketRoot(size: number, leaves_root: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head[0] = 2;
  head.writeUInt32BE(size, 1);
  return sha256(head, leaves_root);
}
