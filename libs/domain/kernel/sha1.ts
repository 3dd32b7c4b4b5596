import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Not for secrets: used for UUIDs of version 5 (RFC 9562) and for tie-breaking. */
function digestOf(text: string): Uint8Array {
  return sha1(utf8ToBytes(text)).subarray(0, 16);
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
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
