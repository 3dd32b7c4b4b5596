/** Characters of a gram: of ids in hexadecimal a thousand hold nearly every run of four, but few of five. */
const GRAM = 5;
/** So many that the character before a gram is shifted out of its 32 bits. */
const CHARACTER_BITS = 7;
const HASH_BITS = 17;
/** 2^32 divided by the golden ratio: its multiples spread well (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;

/** Where the grams of a text stand among the bits; none for a text shorter than a gram. */
export function gramsOf(text: string): Uint32Array {
  const grams = new Uint32Array(Math.max(0, text.length - GRAM + 1));
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = (run << CHARACTER_BITS) ^ text.charCodeAt(at);
    if (at >= GRAM - 1) grams[at - GRAM + 1] = Math.imul(run, SPREAD) >>> (32 - HASH_BITS);
  }
  return grams;
}

/**
 * Which runs of five characters some texts hold, one bit for each under a hash: 16 KiB. What it denies
 * is in none of the texts; what it does not deny may be in one. About a third of the bits are set by a
 * thousand names with their ids.
 */
export class Grams {
  private readonly bits = new Uint32Array(2 ** (HASH_BITS - 5));

  add(text: string): void {
    const { bits } = this;
    const grams = gramsOf(text);
    for (let nth = 0; nth < grams.length; nth += 1) {
      const bit = grams[nth]!;
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  /** True if no text that was added can hold the one with these grams. */
  deny(grams: Uint32Array): boolean {
    const { bits } = this;
    for (let nth = 0; nth < grams.length; nth += 1) {
      const bit = grams[nth]!;
      if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return true;
    }
    return false;
  }
}
