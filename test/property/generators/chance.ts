/** Turns numbers into choices, each taken once; a run out of numbers goes on with 0. */
export class Chance {
  private at = 0;
  constructor(private readonly numbers: readonly number[]) {}

  number(): number {
    return this.numbers[this.at++] ?? 0;
  }

  /** True once in so many times. */
  once(in_times: number): boolean {
    return this.number() % in_times === 0;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.number() % choices.length]!;
  }

  /** The value, or nothing at all. */
  maybe<K extends string, V>(key: K, value: V): { [key in K]?: V } {
    return (this.once(2) ? { [key]: value } : {}) as { [key in K]?: V };
  }

  /** Some of them, at least one: nobody can grant nothing. */
  some<T>(choices: readonly T[]): T[] {
    const bits = this.number();
    const chosen = choices.filter((_, at) => (bits >> at) & 1);
    return chosen.length > 0 ? chosen : choices.slice(0, 1);
  }
}
