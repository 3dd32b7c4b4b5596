/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, but not 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  uuid(): string {
    const hex = [0, 0, 0, 0]
      .map(() =>
        this.below(2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      )
      .join('');
    const version = `4${hex.slice(13, 16)}`;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Words of a small made-up language, up to exactly `length` characters. */
  text(length: number): string {
    let text = '';
    while (text.length < length) text += `${this.pick(SYLLABLES)}${this.pick(SYLLABLES)} `;
    return text.slice(0, length - 1) + 'a';
  }
}

const SYLLABLES = ['ka', 'lo', 'mi', 'ner', 'os', 'pra', 'qui', 'ru', 'sta', 'tel', 'ul', 'ven'];
