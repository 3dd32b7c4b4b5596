import type { Digest } from './hashing.js';
import { nodeDigest } from './merkle.js';

/**
 * Proofs over a Merkle tree of RFC 6962, made of the hashes of its complete subtrees. A range begins at a
 * multiple of the largest power of two that fits into it, as those of the RFC do.
 */

/** Returns the hash of the complete subtree over the 2^level leaves from index × 2^level on. */
export type NodeSource = (level: number, index: number) => Promise<Digest>;

/** Largest power of two below n, for n above 1. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** Tree hash over the leaves from `from` to before `to`, at least one. */
export async function rangeDigest(node: NodeSource, from: number, to: number): Promise<Digest> {
  const size = to - from;
  const level = Math.log2(size);
  if (Number.isInteger(level)) return node(level, from / size);
  const middle = from + split(size);
  return nodeDigest(await rangeDigest(node, from, middle), await rangeDigest(node, middle, to));
}

/** The inclusion proof of leaf `index` in the tree of `size` leaves, from the leaf up. */
export async function inclusionPath(
  node: NodeSource,
  index: number,
  size: number,
): Promise<Digest[]> {
  const path: Digest[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + split(to - from);
    if (index < middle) {
      path.push(await rangeDigest(node, middle, to));
      to = middle;
    } else {
      path.push(await rangeDigest(node, from, middle));
      from = middle;
    }
  }
  return path.toReversed();
}

/** The proof that the tree of `to` leaves begins with that of `from` leaves (at least one). */
export async function consistencyPath(
  node: NodeSource,
  from: number,
  to: number,
): Promise<Digest[]> {
  const path: Digest[] = [];
  let [begin, end] = [0, to];
  while (end !== from) {
    const middle = begin + split(end - begin);
    if (from <= middle) {
      path.push(await rangeDigest(node, middle, end));
      end = middle;
    } else {
      path.push(await rangeDigest(node, begin, middle));
      begin = middle;
    }
  }
  // The verifier already has the root of the old tree.
  if (begin > 0) path.push(await rangeDigest(node, begin, end));
  return path.toReversed();
}
