/** Repeatable random numbers (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** One of several, each as often as its weight says. */
  weighted<Value>(choices: readonly (readonly [number, Value])[]): Value {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    return (choices.find(([weight]) => (rest -= weight) < 0) ?? choices[0]!)[1];
  }
}
