import { count, fromHex, hashesFromHex, idText, leafHash, nodeHash } from './hashes.js';

const half = (value: number): number => Math.floor(value / 2);

/**
 * The root that an inclusion proof leads to (RFC 9162, 2.1.3.2), null if the path does not have the
 * form that leaf `index` of a tree of `size` leaves asks for.
 */
export function inclusionRoot(
  leaf_hash: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Buffer | null {
  if (index < 0 || index >= size) return null;
  let node = index;
  let last = size - 1;
  let root: Buffer = Buffer.from(leaf_hash);
  for (const sibling of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      root = nodeHash(sibling, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else root = nodeHash(root, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : null;
}

/** True if the tree of `to` leaves with root `to_root` begins with that of `from` (RFC 9162, 2.1.4.2). */
export function isConsistent(
  from: number,
  from_root: Uint8Array,
  to: number,
  to_root: Uint8Array,
  path: readonly Uint8Array[],
): boolean {
  if (from < 1 || from > to) return false;
  if (from === to) return path.length === 0 && equal(from_root, to_root);
  // A complete tree is a node of the larger one, so the path omits it.
  const hashes = Number.isInteger(Math.log2(from)) ? [from_root, ...path] : path;
  const [first, ...rest] = hashes;
  if (!first) return false;
  let node = from - 1;
  let last = to - 1;
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let old_root: Uint8Array = first;
  let new_root: Uint8Array = first;
  for (const hash of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      old_root = nodeHash(hash, old_root);
      new_root = nodeHash(hash, new_root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else new_root = nodeHash(new_root, hash);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equal(old_root, from_root) && equal(new_root, to_root);
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b);
}

/** Proves that an event is in a log. Hashes are hex. */
export interface InclusionProof {
  readonly drive_id: string;
  readonly revision: number;
  /** The event's hash: the data of its leaf. */
  readonly event_hash: string;
  readonly size: number;
  /** Root of the tree of that size. */
  readonly log_root: string;
  readonly path: readonly string[];
}

/** Proves that a log of `to` events begins with the log of `from` events. Hashes are hex. */
export interface ConsistencyProof {
  readonly drive_id: string;
  readonly from: number;
  readonly from_root: string;
  readonly to: number;
  readonly to_root: string;
  readonly path: readonly string[];
}

/** The flaw of an inclusion proof, null if it is valid. @throws Malformed */
export function flawOfInclusion(proof: InclusionProof): string | null {
  idText(proof.drive_id, 'drive_id');
  const leaf = leafHash(fromHex(proof.event_hash, 'event_hash'));
  const path = hashesFromHex(proof.path, 'path');
  const index = count(proof.revision, 'revision');
  const root = inclusionRoot(leaf, index, count(proof.size, 'size'), path);
  if (!root) return 'its path has the wrong length for revision and size';
  return equal(root, fromHex(proof.log_root, 'log_root'))
    ? null
    : 'its path does not lead to log_root';
}

/** The flaw of a consistency proof, null if it is valid. @throws Malformed */
export function flawOfConsistency(proof: ConsistencyProof): string | null {
  idText(proof.drive_id, 'drive_id');
  const from_root = fromHex(proof.from_root, 'from_root');
  const to_root = fromHex(proof.to_root, 'to_root');
  const path = hashesFromHex(proof.path, 'path');
  const from = count(proof.from, 'from');
  return isConsistent(from, from_root, count(proof.to, 'to'), to_root, path)
    ? null
    : 'its path does not lead from from_root to to_root';
}
