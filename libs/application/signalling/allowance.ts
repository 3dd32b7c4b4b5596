/** Characters of a message above which it counts as several. */
const LONGEST_SINGLE = 4096;

/** As how many messages a text counts, since long ones take more time and memory. */
export function countOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / LONGEST_SINGLE));
}

/** A sustained number per second, which is also the size of a burst. */
export class Allowance {
  private left: number;
  private earned_until_ms = performance.now();

  constructor(private readonly per_second: number) {
    this.left = per_second;
  }

  /** Takes so many, at most those of one second, or none of them; false if too few are left. */
  take(count = 1): boolean {
    const now_ms = performance.now();
    const earned = ((now_ms - this.earned_until_ms) / 1000) * this.per_second;
    this.earned_until_ms = now_ms;
    this.left = Math.min(this.left + earned, this.per_second);
    const taken = Math.min(count, this.per_second);
    if (this.left < taken) return false;
    this.left -= taken;
    return true;
  }
}
