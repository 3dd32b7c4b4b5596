/** So many places; who finds none waits in order. A place not given back in time is taken back. */
export class Places {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly longest_ms: number,
  ) {}

  /** @returns gives the place back; more than once makes no difference */
  async take(): Promise<() => void> {
    if (this.taken >= this.most) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken += 1;
    let is_held = true;
    const giveBack = (): void => {
      clearTimeout(timer);
      if (!is_held) return;
      is_held = false;
      const next = this.waiting.shift();
      // A place handed on stays taken.
      if (next) next();
      else this.taken -= 1;
    };
    const timer = setTimeout(giveBack, this.longest_ms).unref();
    return giveBack;
  }
}
