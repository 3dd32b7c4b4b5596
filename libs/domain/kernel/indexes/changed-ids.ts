/** Fewest changes of a table that are remembered. */
const FEWEST = 8192;

/**
 * The ids of the records of a table that changed last: at least a quarter as many as it has records, so that what
 * follows their changes begins anew only after many.
 */
export class ChangedIds {
  private ids: string[] = [];
  /** Number of changes before the first remembered one. */
  private forgotten = 0;

  /** @param records number of records of the table */
  note(id: string, records: number): void {
    const { length } = this.ids;
    const most = Math.max(FEWEST, records >>> 2);
    if (length >= 2 * most) {
      this.ids = this.ids.slice(length - most);
      this.forgotten += length - most;
    }
    this.ids.push(id);
  }

  /** Those of the changes after `from`, which are remembered: one for each change. */
  after(from: number): readonly string[] {
    return this.ids.slice(from - this.forgotten);
  }

  /** Those of the changes after `from` up to `until`, counted from the first, each once; null if some are forgotten. */
  between(from: number, until: number): ReadonlySet<string> | null {
    const { forgotten } = this;
    return from < forgotten ? null : new Set(this.ids.slice(from - forgotten, until - forgotten));
  }
}
