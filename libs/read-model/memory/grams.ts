/** Characters of a gram: a thousand hexadecimal ids contain nearly every run of four, but few of five. */
const GRAM = 5;
/** Chosen so that the character before a gram is shifted out of its 32 bits. */
const CHARACTER_BITS = 7;
const HASH_BITS = 17;
/** 2^32 divided by the golden ratio: its multiples spread well (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;

/** Bit positions of the grams of a text; none for a text shorter than a gram. */
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
 * A Bloom filter of the runs of five characters of some texts, one bit for each under a hash: 16 KiB. A denied run is
 * in none of the texts; others may be in one. A thousand names with their ids set about a third of the bits.
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

  /** True if no added text can contain the one with these grams. */
  deny(grams: Uint32Array): boolean {
    const { bits } = this;
    for (let nth = 0; nth < grams.length; nth += 1) {
      const bit = grams[nth]!;
      if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return true;
    }
    return false;
  }
}
