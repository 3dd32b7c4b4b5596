import { createPublicKey, verify } from 'node:crypto';
import { Malformed, sha256 } from './hashes.js';

/**
 * Signed notes (c2sp.org/signed-note) and, as their text, checkpoints of a log (c2sp.org/tlog-checkpoint):
 * origin, size and base64 root, a line each.
 */

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** Before the raw bytes of an Ed25519 public key in DER (RFC 8410). */
const PUBLIC_DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const MOST_SIGNATURES = 64;

interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

/** True if `signature` is the key's Ed25519 signature of the message. */
export function isSignedBy(
  public_key: Uint8Array,
  message: string | Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = createPublicKey({
    key: Buffer.concat([PUBLIC_DER_PREFIX, public_key]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, Buffer.from(message as string), key, signature);
}

/** Key id of an Ed25519 key in notes: the first 4 bytes of SHA-256(name ‖ 0A ‖ 01 ‖ key). */
export function noteKeyId(name: string, public_key: Uint8Array): Buffer {
  return sha256(`${name}\n`, Uint8Array.of(ED25519), public_key).subarray(0, KEY_ID_BYTES);
}

/** The signed text of a checkpoint. The origin is the name of the key that signs it. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** A signed note of one signature, made of text, key and the signature of the text. */
export function signedNote(
  text: string,
  name: string,
  public_key: Uint8Array,
  signature: Uint8Array,
): string {
  const line = Buffer.concat([noteKeyId(name, public_key), signature]).toString('base64');
  return `${text}\n— ${name} ${line}\n`;
}

/** The text of a note, if that key has signed it under that name; null if not. Other signatures are ignored. */
export function openNote(note: string, name: string, public_key: Uint8Array): string | null {
  const end = note.lastIndexOf('\n\n');
  // oxlint-disable-next-line no-control-regex -- that is what a note must not hold
  if (end < 0 || !note.endsWith('\n') || /[\0-\x09\x0b-\x1f]/.test(note)) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) return null;
  const key_id = noteKeyId(name, public_key);
  let is_signed = false;
  for (const line of lines) {
    const [, signer, encoded] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
    if (signer === undefined || encoded === undefined) return null;
    const bytes = Buffer.from(encoded, 'base64');
    if (signer !== name || !bytes.subarray(0, KEY_ID_BYTES).equals(key_id)) continue;
    const signature = bytes.subarray(KEY_ID_BYTES);
    if (signature.length !== SIGNATURE_BYTES || !isSignedBy(public_key, text, signature))
      return null;
    is_signed = true;
  }
  return is_signed ? text : null;
}

/** Reads the text of a checkpoint. @throws Malformed */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root, ...rest] = text.split('\n');
  const bytes = Buffer.from(root ?? '', 'base64');
  const is_whole = rest.length > 0 && rest.at(-1) === '';
  if (!origin || !/^(0|[1-9]\d{0,15})$/.test(size ?? '') || bytes.length !== 32 || !is_whole)
    throw new Malformed('the checkpoint is invalid');
  if (bytes.toString('base64') !== root)
    throw new Malformed('the root of the checkpoint is invalid');
  return { origin, size: Number(size), root: bytes };
}
