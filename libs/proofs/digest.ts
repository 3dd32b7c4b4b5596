import { Malformed, canonicalJson, count, fromBase64, fromHex } from './hashes.js';
import { equal } from './merkle.js';
import { isSignedBy, openNote, parseCheckpoint } from './note.js';

/** The signed content of a digest: the whole history of a drive up to a revision. Hashes are hex. */
export interface SignedDigest {
  readonly drive_id: string;
  readonly revision: number;
  /** Events in the log: `revision` + 1. */
  readonly size: number;
  /** Hash of the last event. */
  readonly chain_hash: string;
  /** Root of the Merkle tree over all events' hashes. */
  readonly log_root: string;
  /** Null if the service could not compute it. */
  readonly state_hash: string | null;
  readonly state_version: number;
  /** When the digest was signed, ms. */
  readonly timestamp_ms: number;
}

export interface Digest extends SignedDigest {
  /** Base64 of the Ed25519 signature of the canonical JSON of the members above. */
  readonly signature: string;
  /** Base64 of the 32 raw bytes of the installation's key. */
  readonly public_key: string;
  /** Size and root of the log as a signed note (C2SP tlog-checkpoint). */
  readonly checkpoint: string;
}

/** The text that the signature of a digest covers. */
export function signedText(digest: SignedDigest): string {
  const { drive_id, revision, size, chain_hash, log_root } = digest;
  const { state_hash, state_version, timestamp_ms } = digest;
  return canonicalJson({
    drive_id,
    revision,
    size,
    chain_hash,
    log_root,
    state_hash,
    state_version,
    timestamp_ms,
  });
}

/** Validates a digest; extra members are ignored. @throws Malformed */
export function parseDigest(value: unknown): Digest {
  if (typeof value !== 'object' || value === null)
    throw new Malformed('the digest is not an object');
  const digest = value as Digest;
  if (typeof digest.drive_id !== 'string') throw new Malformed('drive_id of the digest is no text');
  if (typeof digest.checkpoint !== 'string')
    throw new Malformed('checkpoint of the digest is no text');
  fromHex(digest.chain_hash, 'chain_hash');
  fromHex(digest.log_root, 'log_root');
  if (digest.state_hash !== null) fromHex(digest.state_hash, 'state_hash');
  count(digest.state_version, 'state_version');
  count(digest.timestamp_ms, 'timestamp_ms');
  fromBase64(digest.signature, 64, 'signature');
  fromBase64(digest.public_key, 32, 'public_key');
  if (count(digest.size, 'size') !== count(digest.revision, 'revision') + 1)
    throw new Malformed('size of the digest is not its revision + 1');
  return digest;
}

/**
 * The flaw of a digest, null if it is valid. Without a trusted key (32 bytes), its signature is only checked against
 * the key that the digest names.
 */
export function flawOfDigest(digest: Digest, trusted_key?: Uint8Array): string | null {
  const key = fromBase64(digest.public_key, 32, 'public_key');
  if (trusted_key && !equal(key, trusted_key)) return 'it is signed with another key';
  const signature = fromBase64(digest.signature, 64, 'signature');
  if (!isSignedBy(key, signedText(digest), signature)) return 'its signature is invalid';
  // The log's key bears the name of the log's origin, which is the first line.
  const origin = digest.checkpoint.split('\n', 1)[0]!;
  const text = openNote(digest.checkpoint, origin, key);
  if (text === null) return 'the signature of its checkpoint is invalid';
  if (!origin.endsWith(`/${digest.drive_id}`)) return 'its checkpoint is of another log';
  const { size, root } = parseCheckpoint(text);
  if (size !== digest.size || !equal(root, fromHex(digest.log_root, 'log_root')))
    return 'its checkpoint has another size or root';
  return null;
}
