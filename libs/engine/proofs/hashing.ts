import { hash } from 'node:crypto';

import { configure } from 'safe-stable-stringify';

/**
 * A SHA-256 as 32 characters, one per byte. Node creates such a string four times faster than a Buffer, and trees of
 * hashes have millions.
 */
export type Digest = string;

/** SHA-256 as a digest text. */
export function digestOf(data: string | Uint8Array): Digest {
  return hash('sha256', data, 'binary');
}

/** SHA-256 of text or bytes, 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return bytesOf(digestOf(data));
}

/** SHA-256 as 64 hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

export function bytesOf(digest: Digest): Buffer {
  return Buffer.from(digest, 'latin1');
}

export function digestFrom(bytes: Uint8Array): Digest {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Writes members in the order of the UTF-16 code units of their names, and numbers and texts as JSON.stringify. */
const stringify = configure({ deterministic: true, strict: true });
const LONE_SURROGATE = /\\ud[89a-f]/;

/** Canonical JSON (RFC 8785). Undefined members are omitted; lone surrogates and NaN throw. */
export function canonicalJson(value: unknown): string {
  const text = stringify(value)!;
  // Only control characters and lone surrogates are written with \u; two backslashes are one in a text.
  if (text.includes('\\u') && LONE_SURROGATE.test(text.replaceAll('\\\\', '')))
    throw new TypeError('a text with a lone surrogate has no canonical form');
  return text;
}

const PREVIOUS_BYTES = 32;
/** Large enough for nearly every event; larger ones get their own buffer. */
const room = Buffer.allocUnsafeSlow(64 * 1024);
/** Maximum bytes of one UTF-16 code unit in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

/** The members of a stored event that its hash covers. */
interface HashedEvent {
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly timestamp_ms: number;
  readonly metadata: string;
  readonly data: string;
}

/** The previous hash of a stream's first event. */
export function genesisHash(drive_id: string): Buffer {
  return sha256(drive_id);
}

/**
 * Hash of an event: SHA-256 over the previous event's hash and the canonical JSON of all its other stored members.
 * `metadata` and `data` are canonical already, so the text is joined from the stored pieces, with members in the
 * order of their names.
 */
export function eventHash(previous: Uint8Array, event: HashedEvent): Buffer {
  const text =
    `{"data":${event.data},"event_id":"${event.event_id}","metadata":${event.metadata},` +
    `"revision":${event.revision},"timestamp_ms":${event.timestamp_ms},` +
    `"type":"${event.type}","version":${event.version}}`;
  const most = PREVIOUS_BYTES + MOST_BYTES_PER_UNIT * text.length;
  const bytes = most <= room.length ? room : Buffer.allocUnsafe(most);
  bytes.set(previous);
  return sha256(bytes.subarray(0, PREVIOUS_BYTES + bytes.write(text, PREVIOUS_BYTES, 'utf8')));
}
