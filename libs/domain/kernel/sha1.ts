/**
 * SHA-1 (FIPS 180-4) of an ASCII text, as five 32-bit words. Not for secrets: UUIDs of version 5 are
 * made of it (RFC 9562), and orders break ties by it.
 */
export function sha1(text: string): readonly number[] {
  const blocks = ((text.length + 8) >> 6) + 1;
  const message = new Uint32Array(blocks * 16);
  for (let at = 0; at < text.length; at++)
    message[at >> 2]! |= text.charCodeAt(at) << (24 - (at & 3) * 8);
  message[text.length >> 2]! |= 0x80 << (24 - (text.length & 3) * 8);
  message[message.length - 1] = text.length * 8;
  const words = new Uint32Array(80);
  const sum = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let block = 0; block < message.length; block += 16) {
    for (let at = 0; at < 16; at++) words[at] = message[block + at]!;
    for (let at = 16; at < 80; at++)
      words[at] = rotate(words[at - 3]! ^ words[at - 8]! ^ words[at - 14]! ^ words[at - 16]!, 1);
    addBlock(sum, words);
  }
  return sum.map((word) => word >>> 0);
}

function addBlock(sum: number[], words: Uint32Array): void {
  let a = sum[0]!;
  let b = sum[1]!;
  let c = sum[2]!;
  let d = sum[3]!;
  let e = sum[4]!;
  for (let round = 0; round < 80; round++) {
    const next = (rotate(a, 5) + mixed(round, b, c, d) + e + words[round]!) | 0;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  sum[0] = (sum[0]! + a) | 0;
  sum[1] = (sum[1]! + b) | 0;
  sum[2] = (sum[2]! + c) | 0;
  sum[3] = (sum[3]! + d) | 0;
  sum[4] = (sum[4]! + e) | 0;
}

function mixed(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** 32 hex digits that stand for an id where two would otherwise be ordered alike. */
export function idDigest(id: string): string {
  return sha1(id).slice(0, 4).map(hex).join('');
}

/** The 16 bytes that are the namespace of ids which one event gives to many records. */
const NAMESPACE = 'drive-workspace!';

/** A UUID of version 5 (RFC 9562) of an ASCII name: equal names give equal ids, everywhere and for ever. */
export function uuid5(name: string): string {
  const words = sha1(NAMESPACE + name);
  const version = ((words[1]! & 0xffff0fff) | 0x5000) >>> 0;
  const variant = ((words[2]! & 0x3fffffff) | 0x80000000) >>> 0;
  const digits = [words[0]!, version, variant, words[3]!].map(hex).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
