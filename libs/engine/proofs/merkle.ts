import type { Subtree } from '../../event-store/port.js';
import { type Digest, bytesOf, digestOf } from './hashing.js';

const DIGEST_BYTES = 32;

/** 01 ‖ left ‖ right, reused for every node. */
const pair = Buffer.alloc(1 + 2 * DIGEST_BYTES);
pair[0] = 1;

/** 00 ‖ data, for data of one and of two digests. */
const single_leaf = Buffer.alloc(1 + DIGEST_BYTES);
const double_leaf = Buffer.alloc(1 + 2 * DIGEST_BYTES);

/** Hash of a leaf as in RFC 6962: SHA-256(00 ‖ data), the data one byte a character. */
export function leafDigest(data: string): Digest {
  let leaf = data.length === DIGEST_BYTES ? single_leaf : double_leaf;
  if (data.length !== leaf.length - 1) leaf = Buffer.alloc(1 + data.length);
  leaf.write(data, 1, 'latin1');
  return digestOf(leaf);
}

/** Hash of an inner node as in RFC 6962: SHA-256(01 ‖ left ‖ right). */
export function nodeDigest(left: Digest, right: Digest): Digest {
  pair.write(left, 1, 'latin1');
  pair.write(right, 1 + DIGEST_BYTES, 'latin1');
  return digestOf(pair);
}

/** Hash of the empty tree: SHA-256 of nothing. */
export const EMPTY_TREE: Digest = digestOf('');

/** Merkle tree hash of RFC 6962 over leaf hashes. */
export function treeDigest(leaves: readonly Digest[]): Digest {
  let level = leaves;
  if (level.length === 0) return EMPTY_TREE;
  // Pairing level by level, with an odd last node passed up, gives the same tree as RFC 6962's split.
  while (level.length > 1) {
    const above: Digest[] = [];
    for (let at = 0; at + 1 < level.length; at += 2)
      above.push(nodeDigest(level[at]!, level[at + 1]!));
    if (level.length % 2 === 1) above.push(level.at(-1)!);
    level = above;
  }
  return level[0]!;
}

/** Appended leaves that are not hashed yet, as text with one character a byte. */
interface Pending {
  readonly leaves: string;
  /** Number of characters of each leaf; null: all are digests. */
  readonly lengths: readonly number[] | null;
  readonly before: Pending | null;
}

/**
 * The right frontier of a growing Merkle tree: the roots of its perfect subtrees, largest first, at most 40 for any
 * stream. It suffices to append leaves and to compute the root. New leaves are hashed only when the root is needed,
 * so folding a long stream hashes nothing.
 */
export class Frontier {
  private constructor(
    readonly size: number,
    private roots: readonly Digest[],
    /** Leaves after those in `roots`, the oldest last. */
    private pending: Pending | null,
  ) {}

  static readonly empty = new Frontier(0, [], null);

  /** The frontier with more leaves; the old one stays valid for rollback. */
  append(leaves_data: readonly Uint8Array[]): Frontier {
    if (leaves_data.length === 0) return this;
    const are_digests = leaves_data.every((leaf) => leaf.length === DIGEST_BYTES);
    return new Frontier(this.size + leaves_data.length, this.roots, {
      leaves: Buffer.concat(leaves_data).toString('latin1'),
      lengths: are_digests ? null : leaves_data.map((leaf) => leaf.length),
      before: this.pending,
    });
  }

  /** True if no leaf is left to hash. */
  get is_hashed(): boolean {
    return this.pending === null;
  }

  /** The frontier with further complete subtrees, which begin at its end. */
  appendSubtrees(subtrees: readonly Subtree[]): Frontier {
    const roots = [...this.hashedRoots()];
    let { size } = this;
    for (const subtree of subtrees) {
      const leaves = 2 ** subtree.level;
      let { root } = subtree;
      for (let rest = size / leaves; rest % 2 === 1; rest = (rest - 1) / 2)
        root = nodeDigest(roots.pop()!, root);
      roots.push(root);
      size += leaves;
    }
    return new Frontier(size, roots, null);
  }

  /** Hashes the pending leaves; useful while idle. */
  hashPending(): this {
    this.hashedRoots();
    return this;
  }

  /** The same in small steps. */
  *hashingPending(): Generator<void> {
    const { pending } = this;
    if (!pending) return;
    const roots = yield* this.hashed(pending);
    this.pending = null;
    this.roots = roots;
  }

  /** Root of the tree over all leaves so far, 32 bytes. */
  root(): Buffer {
    if (this.size === 0) return bytesOf(EMPTY_TREE);
    return bytesOf(this.hashedRoots().reduceRight((right, left) => nodeDigest(left, right)));
  }

  /** The roots including all leaves. */
  private hashedRoots(): readonly Digest[] {
    for (const _ of this.hashingPending());
    return this.roots;
  }

  /** Computes the roots including the pending leaves; one step per batch. */
  private *hashed(pending: Pending): Generator<void, readonly Digest[]> {
    const batches: Pending[] = [];
    for (let batch: Pending | null = pending; batch; batch = batch.before) batches.push(batch);
    batches.reverse();
    const roots = [...this.roots];
    let size = this.size - batches.reduce((sum, batch) => sum + countOf(batch), 0);
    for (const batch of batches) {
      for (const leaf of leavesOf(batch)) {
        let root = leafDigest(leaf);
        for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
          root = nodeDigest(roots.pop()!, root);
        roots.push(root);
        size++;
      }
      yield;
    }
    return roots;
  }

  toJSON(): { size: number; roots: string[] } {
    return {
      size: this.size,
      roots: this.hashedRoots().map((root) => bytesOf(root).toString('hex')),
    };
  }

  static fromJSON(json: { size: number; roots: string[] }): Frontier {
    const roots = json.roots.map((root) => Buffer.from(root, 'hex').toString('latin1'));
    return new Frontier(json.size, roots, null);
  }
}

function countOf({ leaves, lengths }: Pending): number {
  return lengths ? lengths.length : leaves.length / DIGEST_BYTES;
}

function leavesOf({ leaves, lengths }: Pending): string[] {
  const found: string[] = [];
  if (!lengths)
    for (let at = 0; at < leaves.length; at += DIGEST_BYTES)
      found.push(leaves.slice(at, at + DIGEST_BYTES));
  let at = 0;
  for (const length of lengths ?? []) found.push(leaves.slice(at, (at += length)));
  return found;
}

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
