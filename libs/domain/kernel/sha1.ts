import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();
/** Reused, because new bytes for each name take longer than their hash: a copied folder makes many. */
const reused = new Uint8Array(1024);

/** Not for secrets: used for UUIDs of version 5 (RFC 9562) and for tie-breaking. */
function digestOf(text: string): Uint8Array {
  return sha1(bytesOf(text)).subarray(0, 16);
}

/** The text as UTF-8; valid until the next call. */
function bytesOf(text: string): Uint8Array {
  // A UTF-16 code unit takes at most three bytes.
  if (3 * text.length > reused.length) return utf8ToBytes(text);
  return reused.subarray(0, encoder.encodeInto(text, reused).written);
}

/** 32 hex digits that break ties between ids in an order. */
export function tieDigest(id: string): string {
  return bytesToHex(digestOf(id));
}

/** The 16-byte namespace of ids that one event gives to many records. */
const NAMESPACE = 'drive-workspace!';

/** A UUID of version 5 (RFC 9562) of a name: equal names give equal ids, everywhere and permanently. */
export function uuid5(name: string): string {
  const bytes = digestOf(NAMESPACE + name);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytesToHex(bytes);
  const part = (from: number, to: number): string => hex.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
}
