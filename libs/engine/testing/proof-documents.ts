import { generateKeyPairSync, sign } from 'node:crypto';
import { type Digest, type SignedDigest, signedText } from '../../proofs/digest.js';
import { canonicalJson, leafHash, sha256 } from '../../proofs/hashes.js';
import { inclusionRoot } from '../../proofs/merkle.js';
import { checkpointText, signedNote } from '../../proofs/note.js';
import type { RecordProof } from '../../proofs/record-proof.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** The key that signs digests, 32 bytes. */
export const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);

export function signed(digest: SignedDigest): Digest {
  const origin = `host.example/v1/drive/${digest.drive_id}`;
  const root = Buffer.from(digest.log_root, 'hex');
  const text = checkpointText({ origin, size: digest.size, root });
  return {
    ...digest,
    signature: signatureOf(signedText(digest)).toString('base64'),
    public_key: public_key.toString('base64'),
    checkpoint: signedNote(text, origin, public_key, signatureOf(text)),
  };
}

function signatureOf(message: string): Buffer {
  return sign(null, Buffer.from(message), privateKey);
}

type Place = Pick<RecordProof, 'drive_id' | 'revision' | 'family' | 'record_id'>;

/** Proves that there is no record of an id whose bucket is empty. */
export function absenceOf(place: Place): RecordProof {
  const none = { exists: false, record: null, leaf: null, neighbours: [] } as const;
  return { ...place, ...none, ...bucketOf(place, 0, sha256()) };
}

/** Proves a record that is alone in its bucket. */
export function presenceOf(place: Place, members: object): RecordProof {
  const record = { id: place.record_id, ...members };
  const key = keyOf(place);
  const record_hash = sha256(canonicalJson(record));
  const leaf = { key: hex(key), record_hash: hex(record_hash), index: 0, path: [] };
  const leaves_root = leafHash(Buffer.concat([key, record_hash]));
  const found = { exists: true, record, leaf, neighbours: [] } as const;
  return { ...place, ...found, ...bucketOf(place, 1, leaves_root) };
}

type Bucket = Pick<RecordProof, 'key' | 'bucket' | 'bucket_size' | 'bucket_path' | 'state_hash'>;

function bucketOf(place: Place, bucket_size: number, leaves_root: Uint8Array): Bucket {
  const key = keyOf(place);
  const bucket = (key[0]! << 4) | (key[1]! >> 4);
  const path = Array.from({ length: 12 }, (_, at) => Buffer.alloc(32, at));
  const root = leafHash(sha256(Uint8Array.of(2, 0, 0, 0, bucket_size), leaves_root));
  return {
    ...{ key: hex(key), bucket, bucket_size, bucket_path: path.map(hex) },
    state_hash: hex(inclusionRoot(root, bucket, 4096, path)!),
  };
}

function keyOf({ family, record_id }: Place): Buffer {
  return sha256(`${family}\t${record_id}`);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export type Document = Readonly<Record<string, unknown>>;

/** Values like one of another type, and other values of the same type. */
function others(value: unknown): unknown[] {
  const like = [null, [value], { value }, '', 0, 1, -1, true, false, [], {}, 'x'];
  switch (typeof value) {
    case 'string':
      return [...like, `${value} `, ` ${value}`, `${value}\n`, `${value}\u{200b}`, value.slice(1)];
    case 'number':
      return [...like, String(value), value + 1, value - 1, value + 0.5];
    case 'boolean':
      return [...like, String(value), !value];
    default:
      return [...like, String(value), JSON.stringify(value)];
  }
}

/** Every member, also of members, is removed, replaced or added in turn. */
export function* changesOf(document: Document): Generator<[path: string, changed: Document]> {
  for (const [name, value] of Object.entries(document)) {
    const { [name]: _, ...rest } = document;
    yield [name, rest];
    for (const other of others(value))
      if (JSON.stringify(other) !== JSON.stringify(value))
        yield [name, { ...document, [name]: other }];
    if (typeof value !== 'object' || value === null) continue;
    for (const [path, changed] of changesOf(value as Document))
      yield [
        `${name}.${path}`,
        { ...document, [name]: Array.isArray(value) ? Object.values(changed) : changed },
      ];
  }
  if (!Array.isArray(document)) yield ['extra', { ...document, extra: 'x' }];
}
