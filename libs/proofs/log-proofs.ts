import { count, fromHex, hashesFromHex, leafHash } from './hashes.js';
import { equal, inclusionRoot, isConsistent } from './merkle.js';

/** That an event is in a log. Hashes are hex. */
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

/** That a log of `to` events begins with the log of `from` events. Hashes are hex. */
export interface ConsistencyProof {
  readonly drive_id: string;
  readonly from: number;
  readonly from_root: string;
  readonly to: number;
  readonly to_root: string;
  readonly path: readonly string[];
}

/** Why an inclusion proof proves nothing, null if it holds. @throws Malformed */
export function flawOfInclusion(proof: InclusionProof): string | null {
  const leaf = leafHash(fromHex(proof.event_hash, 'event_hash'));
  const path = hashesFromHex(proof.path, 'path');
  const index = count(proof.revision, 'revision');
  const root = inclusionRoot(leaf, index, count(proof.size, 'size'), path);
  if (!root) return 'its path has the wrong length for revision and size';
  return equal(root, fromHex(proof.log_root, 'log_root'))
    ? null
    : 'its path does not lead to log_root';
}

/** Why a consistency proof proves nothing, null if it holds. @throws Malformed */
export function flawOfConsistency(proof: ConsistencyProof): string | null {
  const from_root = fromHex(proof.from_root, 'from_root');
  const to_root = fromHex(proof.to_root, 'to_root');
  const path = hashesFromHex(proof.path, 'path');
  const from = count(proof.from, 'from');
  return isConsistent(from, from_root, count(proof.to, 'to'), to_root, path)
    ? null
    : 'its path does not lead from from_root to to_root';
}
