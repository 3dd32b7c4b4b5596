import { hash } from 'node:crypto';

import canonicalize from 'canonicalize';

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

/**
 * Canonical JSON (RFC 8785). Undefined members are omitted; lone surrogates and NaN throw.
 *
 * For objects with ordinary names, which nearly all events and records are, this equals JSON.stringify of the members
 * in order; the library handles all others.
 */
export function canonicalJson(value: unknown): string {
  const ordered = inCanonicalOrder(value);
  return ordered === NOT_PLAIN ? canonicalize(value)! : JSON.stringify(ordered);
}

const NOT_PLAIN = Symbol('not plain');

/** A value that JSON.stringify writes as RFC 8785 writes the given one, or NOT_PLAIN. */
function inCanonicalOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return isPlain(value) ? value : NOT_PLAIN;
  if (Array.isArray(value)) {
    const items = value.map(inCanonicalOrder);
    return items.includes(NOT_PLAIN) ? NOT_PLAIN : items;
  }
  const source = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  const names = Object.keys(source);
  const order = inOrder(names);
  // Other names may join to the same text if one of them holds the separator.
  if (order?.length !== names.length || typeof source.toJSON === 'function') return NOT_PLAIN;
  for (const name of order) {
    const member = source[name];
    if (member === undefined && !Object.hasOwn(source, name)) return NOT_PLAIN;
    const plain = inCanonicalOrder(member);
    if (plain === NOT_PLAIN) return NOT_PLAIN;
    ordered[name] = plain;
  }
  return ordered;
}

/** Cache of member orders: events and records have few shapes. */
const orders = new Map<string, readonly string[] | null>();
const MOST_ORDERS = 10_000;

/** The names in canonical order; null if JSON.stringify would reorder them. */
function inOrder(names: string[]): readonly string[] | null {
  const shape = names.join('\n');
  let order = orders.get(shape);
  if (order !== undefined) return order;
  if (orders.size >= MOST_ORDERS) orders.clear();
  // JSON.stringify writes names that look like array indexes first.
  const are_plain = names.every((name) => /^[A-Za-z]\w*$/.test(name));
  order = are_plain ? names.sort() : null;
  orders.set(shape, order);
  return order;
}

/** True if JSON.stringify writes a value that is no object as RFC 8785 does. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
    case 'undefined':
      return true;
    default:
      return value === null;
  }
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
