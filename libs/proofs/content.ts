import { Malformed, unwrapped } from './hashes.js';
import { flawOfRecord, type RecordProof } from './record-proof.js';

/** What a record proof says about the content of a file. */
export interface ProvenContent {
  readonly drive_id: string;
  readonly file_id: string;
  readonly version_id: string;
  /** The content was the file's at this revision. */
  readonly revision: number;
  /** Of that revision, as far as a digest has it too. Hex, as the next. */
  readonly state_hash: string;
  readonly sha256: string;
}

/**
 * The content of a file that a record proof proves, as far as its `state_hash` is trusted.
 * @param document an answer of `record_proof`, or its `ok.data`
 * @throws Malformed if it proves no content of a file
 */
export function provenContent(document: unknown): ProvenContent {
  const data = unwrapped(document);
  if (!('bucket_path' in data)) throw new Malformed('it is not a record proof');
  const proof = data as unknown as RecordProof;
  const flaw = flawOfRecord(proof);
  if (flaw) throw new Malformed(flaw);
  const { drive_id, record_id, revision, state_hash, family, exists, record } = proof;
  if (family !== 'files') throw new Malformed(`${record_id} is not a file`);
  if (!exists || !record) throw new Malformed(`there was no ${record_id} at revision ${revision}`);
  const { sha256, version_id } = record;
  if (typeof sha256 !== 'string')
    throw new Malformed(`the SHA-256 of ${record_id} was not known at revision ${revision}`);
  const file = { drive_id, file_id: record_id, version_id: String(version_id) };
  return { ...file, revision, state_hash, sha256 };
}
