import { type Bits, wordsFor } from './bits.js';

/** Slots of a piece of a list. */
const PIECE = 16;
const NO_PIECE = -1;

/** A gram of one slot in so many has a set: twice the bytes of the list at most, but cheaper to combine. */
const SLOTS_OF_A_SET = 32;

/** 2^32 divided by the golden ratio: its multiples spread well (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;

/**
 * The slots in which each gram occurs, below a maximum slot. A list of slots in pieces, without order and possibly with
 * repetitions; a set of bits once the list would be longer than that. Nothing is ever removed.
 */
export class Postings {
  /** Hash table of the grams; 0: free. No gram is 0. */
  private keys = new Int32Array(256);
  private numbers = new Int32Array(256);
  /** By number of the gram. */
  private grams = 0;
  private counts = new Int32Array(64);
  private last_pieces = new Int32Array(64);
  private readonly sets: (Bits | undefined)[] = [];
  private pieces = 0;
  private slots = new Uint16Array(PIECE * 64);
  /** By piece, the one before it in its list. */
  private before = new Int32Array(64);
  private free_piece = NO_PIECE;
  private readonly longest_list: number;

  /** `most_slots`: at most 65,536. */
  constructor(private readonly most_slots: number) {
    this.longest_list = most_slots / SLOTS_OF_A_SET;
  }

  add(gram: number, slot: number): void {
    const number = this.numberOf(gram);
    const bits = this.sets[number];
    if (bits !== undefined) {
      bits[slot >>> 5]! |= 1 << (slot & 31);
      return;
    }
    const count = this.counts[number]!;
    const at = count % PIECE;
    const last = this.last_pieces[number]!;
    // A gram that occurs repeatedly in a text.
    if (count > 0 && this.slots[last * PIECE + ((count - 1) % PIECE)] === slot) return;
    if (count === this.longest_list) {
      this.makeSet(number);
      this.add(gram, slot);
      return;
    }
    const piece = at === 0 ? this.newPiece(last) : last;
    if (at === 0) this.last_pieces[number] = piece;
    this.slots[piece * PIECE + at] = slot;
    this.counts[number] = count + 1;
  }

  /** An upper bound of the slots of a gram. */
  count(gram: number): number {
    const number = this.known(gram);
    if (number < 0) return 0;
    return this.sets[number] === undefined ? this.counts[number]! : this.most_slots;
  }

  /** Adds the slots of a gram to the set. */
  addTo(bits: Bits, gram: number): void {
    const number = this.known(gram);
    if (number >= 0) this.addNumber(bits, number);
  }

  /** Leaves only the slots that have one of two grams. */
  keepCommon(bits: Bits, one: number, other: number): void {
    const first = this.slotsOf(one, 0);
    const second = this.slotsOf(other, 1);
    for (let at = 0; at < bits.length; at += 1) bits[at]! &= first[at]! | second[at]!;
  }

  /** Adds the slots of all grams that have one of two values in the masked bits. */
  addAlikeTo(bits: Bits, mask: number, one: number, other: number): void {
    const { keys } = this;
    for (let at = 0; at < keys.length; at += 1) {
      const value = keys[at]! & mask;
      if (value === one || value === other) this.addNumber(bits, this.numbers[at]!);
    }
  }

  /** The slots of a gram as a set, which must not be changed; for a list it is valid until the next one of this use. */
  private slotsOf(gram: number, use: 0 | 1): Bits {
    const number = this.known(gram);
    const set = number < 0 ? undefined : this.sets[number];
    if (set !== undefined) return set;
    const words = wordsFor(this.most_slots);
    const reused = scratch[use]!;
    const bits = reused.length === words ? reused.fill(0) : (scratch[use] = new Int32Array(words));
    if (number >= 0) this.addNumber(bits, number);
    return bits;
  }

  private addNumber(bits: Bits, number: number): void {
    const set = this.sets[number];
    if (set !== undefined) {
      for (let at = 0; at < bits.length; at += 1) bits[at]! |= set[at]!;
      return;
    }
    const { slots, before } = this;
    let piece = this.last_pieces[number]!;
    let used = ((this.counts[number]! - 1) % PIECE) + 1;
    while (piece !== NO_PIECE) {
      for (let at = piece * PIECE; used > 0; used -= 1, at += 1) {
        const slot = slots[at]!;
        bits[slot >>> 5]! |= 1 << (slot & 31);
      }
      used = PIECE;
      piece = before[piece]!;
    }
  }

  private makeSet(number: number): void {
    const bits = new Int32Array(wordsFor(this.most_slots));
    this.addNumber(bits, number);
    this.sets[number] = bits;
    let piece = this.last_pieces[number]!;
    while (piece !== NO_PIECE) {
      const next = this.before[piece]!;
      this.before[piece] = this.free_piece;
      this.free_piece = piece;
      piece = next;
    }
  }

  private newPiece(before: number): number {
    let piece = this.free_piece;
    if (piece !== NO_PIECE) this.free_piece = this.before[piece]!;
    else {
      piece = this.pieces++;
      if (piece === this.before.length) {
        const room = grown(piece);
        this.before = enlarged(this.before, new Int32Array(room));
        this.slots = enlarged(this.slots, new Uint16Array(room * PIECE));
      }
    }
    this.before[piece] = before;
    return piece;
  }

  private numberOf(gram: number): number {
    const { keys } = this;
    let at = placeOf(gram, keys.length);
    for (; keys[at] !== 0; at = (at + 1) & (keys.length - 1))
      if (keys[at] === gram) return this.numbers[at]!;
    const number = this.grams++;
    keys[at] = gram;
    this.numbers[at] = number;
    if (number === this.counts.length) {
      this.counts = enlarged(this.counts, new Int32Array(grown(number)));
      this.last_pieces = enlarged(this.last_pieces, new Int32Array(grown(number)));
    }
    this.last_pieces[number] = NO_PIECE;
    this.sets.push(undefined);
    if (2 * this.grams > keys.length) this.rehash();
    return number;
  }

  private known(gram: number): number {
    const { keys } = this;
    for (let at = placeOf(gram, keys.length); keys[at] !== 0; at = (at + 1) & (keys.length - 1))
      if (keys[at] === gram) return this.numbers[at]!;
    return -1;
  }

  private rehash(): void {
    const { keys, numbers } = this;
    this.keys = new Int32Array(2 * keys.length);
    this.numbers = new Int32Array(2 * keys.length);
    const last = this.keys.length - 1;
    for (let old = 0; old < keys.length; old += 1) {
      const key = keys[old]!;
      if (key === 0) continue;
      let at = placeOf(key, this.keys.length);
      while (this.keys[at] !== 0) at = (at + 1) & last;
      this.keys[at] = key;
      this.numbers[at] = numbers[old]!;
    }
  }
}

/** Reused: the slots of two grams that have lists. */
const scratch = [new Int32Array(0), new Int32Array(0)];

/** `length` is a power of two. */
function placeOf(gram: number, length: number): number {
  return Math.imul(gram, SPREAD) >>> (Math.clz32(length) + 1);
}

/** A quarter more: the arrays are most of the memory of an index. */
function grown(length: number): number {
  return length + (length >>> 2) + 64;
}

function enlarged<A extends Int32Array | Uint16Array>(array: A, larger: A): A {
  larger.set(array);
  return larger;
}
