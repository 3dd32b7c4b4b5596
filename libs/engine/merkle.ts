import { sha256, sha256Joined } from './hashing.js';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Hash of a leaf as in RFC 6962: SHA-256(00 ‖ data). */
export function leafHash(data: Uint8Array): Buffer {
  return sha256Joined(LEAF, data);
}

/** Hash of an inner node as in RFC 6962: SHA-256(01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const both = Buffer.allocUnsafe(65);
  both[0] = NODE[0]!;
  both.set(left, 1);
  both.set(right, 33);
  return sha256(both);
}

/** Hash of the empty tree: SHA-256 of nothing. */
export const EMPTY_TREE = sha256('');

/** Merkle tree hash of RFC 6962 over leaf hashes. */
export function treeHash(leaves: readonly Uint8Array[]): Uint8Array {
  let level: readonly Uint8Array[] = leaves;
  if (level.length === 0) return EMPTY_TREE;
  // Pairing level by level, an odd last one passed up, gives the same tree as RFC 6962's split.
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at + 1 < level.length; at += 2)
      above.push(nodeHash(level[at]!, level[at + 1]!));
    if (level.length % 2 === 1) above.push(level.at(-1)!);
    level = above;
  }
  return level[0]!;
}

/**
 * The right frontier of a growing Merkle tree: the roots of its perfect subtrees, largest first, at
 * most 40 for any stream. Enough to append leaves and to know the root.
 */
export class Frontier {
  private constructor(
    readonly size: number,
    private readonly roots: readonly Uint8Array[],
  ) {}

  static readonly empty = new Frontier(0, []);

  /** The frontier with more leaves; the old one stays valid (undo keeps it). */
  append(leaves_data: Iterable<Uint8Array>): Frontier {
    const roots = [...this.roots];
    let size = this.size;
    for (const leaf_data of leaves_data) {
      let root: Uint8Array = leafHash(leaf_data);
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
        root = nodeHash(roots.pop()!, root);
      roots.push(root);
      size++;
    }
    return new Frontier(size, roots);
  }

  /** Root of the tree over all leaves so far. */
  root(): Uint8Array {
    if (this.size === 0) return EMPTY_TREE;
    return this.roots.reduceRight((right, left) => nodeHash(left, right));
  }

  toJSON(): { size: number; roots: string[] } {
    return { size: this.size, roots: this.roots.map((root) => Buffer.from(root).toString('hex')) };
  }

  static fromJSON(json: { size: number; roots: string[] }): Frontier {
    return new Frontier(
      json.size,
      json.roots.map((root) => Buffer.from(root, 'hex')),
    );
  }
}
