import { integer, listOf, nullable, type Shape, text, view } from '../../domain/kernel/view.js';
import type { Digest } from '../../proofs/digest.js';
import type { ConsistencyProof, InclusionProof } from '../../proofs/merkle.js';
import type { ProvenLeaf } from '../../proofs/record-proof.js';

/** API views of the types in libs/proofs, which has no dependencies and so declares none. */

export const HASH = '64 hex digits';

export const digestView: Shape<Digest> = view('Digest', {
  drive_id: text(),
  revision: integer(),
  size: integer('Events in the log: revision + 1'),
  chain_hash: text('Hash of the last event, 64 hex digits'),
  log_root: text('Root of the Merkle tree over all events, 64 hex digits'),
  state_hash: nullable(text(HASH)),
  state_version: integer(),
  timestamp_ms: integer('Time of the signature, ms'),
  signature: text('Base64 of the Ed25519 signature of the canonical JSON of the members above'),
  public_key: text('Base64 of the 32 bytes of the key of the installation'),
  checkpoint: text('Size and root of the log as a signed note (C2SP tlog-checkpoint)'),
});

export const inclusionProofView: Shape<InclusionProof> = view('InclusionProof', {
  drive_id: text(),
  revision: integer(),
  event_hash: text('The data of the leaf, 64 hex digits'),
  size: integer('Events in the tree'),
  log_root: text('Root of the tree of that size, 64 hex digits'),
  path: listOf(text(), 'Hashes from the leaf up (RFC 6962, 2.1.1), 64 hex digits each'),
});

export const consistencyProofView: Shape<ConsistencyProof> = view('ConsistencyProof', {
  drive_id: text(),
  from: integer(),
  from_root: text(HASH),
  to: integer(),
  to_root: text(HASH),
  path: listOf(text(), 'Hashes (RFC 6962, 2.1.2), 64 hex digits each'),
});

export const provenLeafView: Shape<ProvenLeaf> = view('ProvenLeaf', {
  key: text(HASH),
  record_hash: text(HASH),
  index: integer('Index in the bucket, whose leaves are sorted by key'),
  path: listOf(text(), 'Hashes from the leaf up, 64 hex digits each'),
});
