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
 * For flat objects with ordinary names, which nearly all events and records are, this equals JSON.stringify of the
 * members in order; the library handles all others.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return canonicalize(value)!;
  const source = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  const names = Object.keys(source);
  const order = inOrder(names);
  // Other names may join to the same text if one of them holds the separator.
  if (order?.length !== names.length) return canonicalize(value)!;
  for (const name of order) {
    const member = source[name];
    const is_there = member !== undefined || Object.hasOwn(source, name);
    if (!is_there || !isPlain(member)) return canonicalize(value)!;
    ordered[name] = member;
  }
  return JSON.stringify(ordered);
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

/** True if JSON.stringify writes the value as RFC 8785 does. */
function isPlain(member: unknown): boolean {
  switch (typeof member) {
    case 'string':
      return member.isWellFormed();
    case 'number':
      return Number.isFinite(member);
    case 'boolean':
    case 'undefined':
      return true;
    default:
      return member === null;
  }
}
