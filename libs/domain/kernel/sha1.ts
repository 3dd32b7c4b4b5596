/** Reused from call to call: one digest is made in one go, and a copied tree needs very many. */
const words = new Int32Array(80);
const sum = new Int32Array(5);

/**
 * SHA-1 (FIPS 180-4) of an ASCII text, as five 32-bit words. Not for secrets: UUIDs of version 5 are
 * made of it (RFC 9562), and orders break ties by it.
 */
export function sha1(text: string): readonly number[] {
  sum[0] = 0x67452301;
  sum[1] = 0xefcdab89;
  sum[2] = 0x98badcfe;
  sum[3] = 0x10325476;
  sum[4] = 0xc3d2e1f0;
  const bytes = ((text.length + 8) >> 6) * 64 + 64;
  for (let block = 0; block < bytes; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = wordAt(text, block + at * 4, bytes);
    for (let at = 16; at < 80; at++)
      words[at] = rotate(words[at - 3]! ^ words[at - 8]! ^ words[at - 14]! ^ words[at - 16]!, 1);
    addBlock();
  }
  return Array.from(sum, (word) => word >>> 0);
}

/** Four bytes of the padded message: the text, a one bit, zeros, and the text's length in bits. */
function wordAt(text: string, from: number, bytes: number): number {
  if (from === bytes - 4) return text.length * 8;
  let word = 0;
  for (let at = from; at < from + 4; at++) {
    const byte = at < text.length ? text.charCodeAt(at) : at === text.length ? 0x80 : 0;
    word = (word << 8) | byte;
  }
  return word;
}

function addBlock(): void {
  let a = sum[0]!;
  let b = sum[1]!;
  let c = sum[2]!;
  let d = sum[3]!;
  let e = sum[4]!;
  for (let round = 0; round < 80; round++) {
    const mix = (mixed(round, b, c, d) + e) | 0;
    const next = (((rotate(a, 5) + mix) | 0) + words[round]!) | 0;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  sum[0] = sum[0]! + a;
  sum[1] = sum[1]! + b;
  sum[2] = sum[2]! + c;
  sum[3] = sum[3]! + d;
  sum[4] = sum[4]! + e;
}

function mixed(round: number, b: number, c: number, d: number): number {
  if (round < 20) return (((b & c) | (~b & d)) + 0x5a827999) | 0;
  if (round < 40) return ((b ^ c ^ d) + 0x6ed9eba1) | 0;
  if (round < 60) return (((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc) | 0;
  return ((b ^ c ^ d) + 0xca62c1d6) | 0;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** 32 hex digits that stand for an id where two would otherwise be ordered alike. */
export function tieDigest(id: string): string {
  return sha1(id).slice(0, 4).map(hex).join('');
}

/** The 16 bytes that are the namespace of ids which one event gives to many records. */
const NAMESPACE = 'drive-workspace!';

/** A UUID of version 5 (RFC 9562) of an ASCII name: equal names give equal ids, everywhere and for ever. */
export function uuid5(name: string): string {
  const five = sha1(NAMESPACE + name);
  const version = ((five[1]! & 0xffff0fff) | 0x5000) >>> 0;
  const variant = ((five[2]! & 0x3fffffff) | 0x80000000) >>> 0;
  const digits = hex(five[0]!) + hex(version) + hex(variant) + hex(five[3]!);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-');
}
