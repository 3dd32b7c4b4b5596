/**
 * A fixed number of slots; callers wait in order for a free one. A slot that is not released in time is reclaimed.
 */
export class Places {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly longest_ms: number,
  ) {}

  /** @returns releases the slot; idempotent */
  async take(): Promise<() => void> {
    if (this.taken >= this.most) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken += 1;
    let is_held = true;
    const giveBack = (): void => {
      clearTimeout(timer);
      if (!is_held) return;
      is_held = false;
      const next = this.waiting.shift();
      // The slot passes to the next caller and stays occupied.
      if (next) next();
      else this.taken -= 1;
    };
    const timer = setTimeout(giveBack, this.longest_ms).unref();
    return giveBack;
  }
}
