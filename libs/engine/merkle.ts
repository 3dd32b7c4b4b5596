import { bytesOf, type Digest, digestFrom, digestOf } from './hashing.js';

const DIGEST_BYTES = 32;

/** 01 ‖ left ‖ right, used again for every node. */
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
  // Pairing level by level, an odd last one passed up, gives the same tree as RFC 6962's split.
  while (level.length > 1) {
    const above: Digest[] = [];
    for (let at = 0; at + 1 < level.length; at += 2)
      above.push(nodeDigest(level[at]!, level[at + 1]!));
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
    private readonly roots: readonly Digest[],
  ) {}

  static readonly empty = new Frontier(0, []);

  /** The frontier with more leaves; the old one stays valid (undo keeps it). */
  append(leaves_data: Iterable<Uint8Array>): Frontier {
    const roots = [...this.roots];
    let size = this.size;
    for (const leaf_data of leaves_data) {
      let root = leafDigest(digestFrom(leaf_data));
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
        root = nodeDigest(roots.pop()!, root);
      roots.push(root);
      size++;
    }
    return new Frontier(size, roots);
  }

  /** Root of the tree over all leaves so far, 32 bytes. */
  root(): Buffer {
    if (this.size === 0) return bytesOf(EMPTY_TREE);
    return bytesOf(this.roots.reduceRight((right, left) => nodeDigest(left, right)));
  }

  toJSON(): { size: number; roots: string[] } {
    return { size: this.size, roots: this.roots.map((root) => bytesOf(root).toString('hex')) };
  }

  static fromJSON(json: { size: number; roots: string[] }): Frontier {
    const roots = json.roots.map((root) => Buffer.from(root, 'hex').toString('latin1'));
    return new Frontier(json.size, roots);
  }
}
