/** Counts turns of the event loop. */
export class TurnCounter {
  private turns = 0;
  private is_over = false;

  start(): this {
    const turn = (): void => {
      this.turns++;
      if (!this.is_over) setImmediate(turn);
    };
    setImmediate(turn);
    return this;
  }

  /** @returns the number of turns since the start */
  stop(): number {
    this.is_over = true;
    return this.turns;
  }
}

/** Holds the event loop. */
export function until(ms: number): void {
  while (performance.now() < ms);
}
