/** Turns held by this process, for stores with a single writing process. They end with the process. */
export class Claims {
  /** Ends of the turns, ms. */
  private readonly ends = new Map<string, number>();

  /** @returns false if the turn is taken already */
  take(line: string, now_ms: number, until_ms: number): boolean {
    if (this.isTaken(line, now_ms)) return false;
    this.ends.set(line, until_ms);
    return true;
  }

  isTaken(line: string, now_ms: number): boolean {
    return (this.ends.get(line) ?? -Infinity) > now_ms;
  }

  /** The first end of a turn after that time; null if none is taken. */
  nextEnd(after_ms: number): number | null {
    const ends = [...this.ends.values()].filter((end_ms) => end_ms > after_ms);
    return ends.length > 0 ? Math.min(...ends) : null;
  }

  free(line: string): void {
    this.ends.delete(line);
  }

  get size(): number {
    return this.ends.size;
  }
}
