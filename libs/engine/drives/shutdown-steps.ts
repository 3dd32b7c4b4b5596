/** The running steps of a shutdown, by name. */
export class Unfinished {
  private readonly steps = new Set<string>();

  get names(): readonly string[] {
    return [...this.steps];
  }

  /** Registers a step until its promise settles. */
  async during<T>(name: string, step: Promise<T>): Promise<T> {
    this.steps.add(name);
    try {
      return await step;
    } finally {
      this.steps.delete(name);
    }
  }
}
