/** The steps of a shutdown that have begun and not ended, by name. */
export class Unfinished {
  private readonly steps = new Set<string>();

  get names(): readonly string[] {
    return [...this.steps];
  }

  /** Names a step until it ends, however it ends. */
  async during<T>(name: string, step: Promise<T>): Promise<T> {
    this.steps.add(name);
    try {
      return await step;
    } finally {
      this.steps.delete(name);
    }
  }
}
