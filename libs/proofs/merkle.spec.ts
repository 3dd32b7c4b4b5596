import { describe, expect, it } from '@jest/globals';
import { bytesOf, digestFrom } from '../engine/proofs/hashing.js';
import {
  type NodeSource,
  consistencyPath,
  inclusionPath,
  leafDigest,
  treeDigest,
} from '../engine/proofs/merkle.js';
import { leafHash, sha256 } from './hashes.js';
import { inclusionRoot, isConsistent } from './merkle.js';

const MOST = 40;
const data = Array.from({ length: MOST }, (_, nth) => sha256(`leaf ${nth}`));
const leaves = data.map((bytes) => leafDigest(digestFrom(bytes)));
const rootOf = (size: number): Buffer => bytesOf(treeDigest(leaves.slice(0, size)));
const node: NodeSource = async (level, index) =>
  treeDigest(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
const othersThan = (one: number): number[] => [...data.keys()].filter((other) => other !== one);
/** Every way in which one hash of a path can be wrong, missing or too many. */
function* spoilt(path: readonly Buffer[]): Generator<Buffer[]> {
  for (const at of path.keys()) {
    const changed = Buffer.from(path[at]!);
    changed[at % 32]! ^= 1;
    yield path.with(at, changed);
    yield path.toSpliced(at, 1);
  }
  yield [...path, sha256('too many')];
}

describe('an inclusion proof', () => {
  it('leads every leaf of every tree to its root, by at most log2 of the size', async () => {
    for (let size = 1; size <= MOST; size++)
      for (let index = 0; index < size; index++) {
        const path = (await inclusionPath(node, index, size)).map(bytesOf);
        expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
        expect(inclusionRoot(leafHash(data[index]!), index, size, path)).toEqual(rootOf(size));
      }
  });

  it('proves nothing about another leaf, place or size, or with a spoilt path', async () => {
    const [index, size] = [11, 29];
    const path = (await inclusionPath(node, index, size)).map(bytesOf);
    const leaf = leafHash(data[index]!);
    for (const other of othersThan(index)) {
      expect(inclusionRoot(leaf, other, size, path)).not.toEqual(rootOf(size));
      expect(inclusionRoot(leafHash(data[other]!), index, size, path)).not.toEqual(rootOf(size));
    }
    for (const other of othersThan(size))
      expect(inclusionRoot(leaf, index, other, path)).not.toEqual(rootOf(other));
    for (const bad of spoilt(path))
      expect(inclusionRoot(leaf, index, size, bad)).not.toEqual(rootOf(size));
  });
});

describe('a consistency proof', () => {
  it('leads from every tree to every larger one', async () => {
    for (let to = 1; to <= MOST; to++)
      for (let from = 1; from <= to; from++) {
        const path = (await consistencyPath(node, from, to)).map(bytesOf);
        expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(to)) + 1);
        expect(isConsistent(from, rootOf(from), to, rootOf(to), path)).toBe(true);
      }
  });

  it('proves nothing about other roots or sizes, or with a spoilt path', async () => {
    for (const [from, to] of [
      [8, 29],
      [11, 29],
      [21, 22],
    ] as const) {
      const path = (await consistencyPath(node, from, to)).map(bytesOf);
      for (const other of othersThan(from))
        expect(isConsistent(from, rootOf(other), to, rootOf(to), path)).toBe(false);
      for (const other of othersThan(to))
        expect(isConsistent(from, rootOf(from), to, rootOf(other), path)).toBe(false);
      for (const bad of spoilt(path))
        expect(isConsistent(from, rootOf(from), to, rootOf(to), bad)).toBe(false);
    }
  });
});
