/** A small seeded generator (mulberry32), so that the same seed gives the same scenario. */
export class Random {
  constructor(private seed: number) {}

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `below - 1`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** One of the given; undefined of none. */
  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  chance(of: number): boolean {
    return this.next() < of;
  }
}
