import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * A SHA-256 as 32 characters, one per byte. Node makes such a text four times faster than a Buffer,
 * and trees of hashes are made of millions.
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
 * Canonical JSON (RFC 8785). Undefined members are left out; lone surrogates and NaN throw.
 *
 * For flat objects with ordinary names, which nearly all events and records are, that is what
 * JSON.stringify makes of the members put in order; anything else is left to the library.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return canonicalize(value)!;
  const source = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  const names = Object.keys(source);
  const order = inOrder(names);
  // Other names may join to the same text when one of them holds the separator.
  if (order?.length !== names.length) return canonicalize(value)!;
  for (const name of order) {
    const member = source[name];
    const is_there = member !== undefined || Object.hasOwn(source, name);
    if (!is_there || !isPlain(member)) return canonicalize(value)!;
    ordered[name] = member;
  }
  return JSON.stringify(ordered);
}

/** Orders of member names met before: events and records come in few shapes. */
const orders = new Map<string, readonly string[] | null>();
const MOST_ORDERS = 10_000;

/** The names in canonical order; null if JSON.stringify would not keep it. */
function inOrder(names: string[]): readonly string[] | null {
  const shape = names.join('\n');
  let order = orders.get(shape);
  if (order !== undefined) return order;
  if (orders.size >= MOST_ORDERS) orders.clear();
  // Names that look like array indexes come first whatever the order they were put in.
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
