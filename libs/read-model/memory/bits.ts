/** A set of slots, one bit for each, in words of 32. Slots beyond the last word are not in it. */
export type Bits = Int32Array;

/** Words for so many slots. */
export function wordsFor(slots: number): number {
  return (slots + 31) >>> 5;
}

/** Number of bits in the words from `from` up to but not including `to`. */
export function countBits(bits: Bits, from = 0, to = bits.length): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (bits[at] !== 0) count += bitsOf(bits[at]!);
  return count;
}

/** True if there are more bits than `most`. */
export function hasMoreBits(bits: Bits, most: number): boolean {
  let count = 0;
  for (let at = 0; at < bits.length && count <= most; at += 1)
    if (bits[at] !== 0) count += bitsOf(bits[at]!);
  return count > most;
}

/** Number of bits of a word (Warren, Hacker's Delight 5-1). */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function hasBit(bits: Bits, slot: number): boolean {
  const word = slot >>> 5;
  return word < bits.length && (bits[word]! & (1 << (slot & 31))) !== 0;
}

/** Leaves only the slots that are in both. */
export function keepCommon(bits: Bits, others: Bits): void {
  const shared = Math.min(bits.length, others.length);
  for (let at = 0; at < shared; at += 1) bits[at]! &= others[at]!;
  bits.fill(0, shared);
}

/** Adds the slots of `others`, which has at most as many words. */
export function addAll(bits: Bits, others: Bits): void {
  for (let at = 0; at < others.length; at += 1) bits[at]! |= others[at]!;
}

/** Calls `visit` for the slots in the words from `from` up to but not including `to`, in ascending order. */
export function visitBits(
  bits: Bits,
  from: number,
  to: number,
  visit: (slot: number) => void,
): void {
  for (let at = from; at < to; at += 1) {
    let word = bits[at]!;
    while (word !== 0) {
      const lowest = word & -word;
      word ^= lowest;
      visit((at << 5) | (31 - Math.clz32(lowest)));
    }
  }
}

export class SlotSet {
  constructor(public bits: Bits = new Int32Array(2)) {}

  has(slot: number): boolean {
    return hasBit(this.bits, slot);
  }

  set(slot: number, is_in: boolean): void {
    const word = slot >>> 5;
    if (word >= this.bits.length) {
      if (!is_in) return;
      const grown = new Int32Array(2 * word + 2);
      grown.set(this.bits);
      this.bits = grown;
    }
    if (is_in) this.bits[word]! |= 1 << (slot & 31);
    else this.bits[word]! &= ~(1 << (slot & 31));
  }
}
