import type { RecordBase } from './record.js';
import { Table } from './table.js';

/** The state does not hold this record, nor that there is none: it has to be added first. */
export class RecordNotHeld extends Error {
  override readonly name = 'RecordNotHeld';
  constructor(
    readonly family: string,
    readonly id: string,
  ) {
    super(`${family} ${id} is not held`);
  }
}

/** A state of some records cannot answer this: it needs all of them. */
export class AllRecordsNeeded extends Error {
  override readonly name = 'AllRecordsNeeded';
  constructor() {
    super('needs all records');
  }
}

/**
 * A table that holds some records, and for some ids that there is none. Every other read throws, so that nothing
 * derived from it depends on a record that it lacks. Indexes need the size of the table to be built, so they throw too.
 */
export class PartialTable<R extends RecordBase> extends Table<R> {
  private readonly held = new Map<string, R | undefined>();

  /** Adds a record, or that there is none, without an undo entry. */
  hold(id: string, record: R | undefined): void {
    this.held.set(id, record);
    this.version++;
  }

  override get(id: string): R | undefined {
    if (!this.held.has(id)) throw new RecordNotHeld(this.definition.name, id);
    return this.held.get(id);
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  override restore(id: string, record: R | undefined): R | undefined {
    const before = this.get(id);
    this.hold(id, record);
    return before;
  }

  protected override replace(id: string, record: R | undefined): R | undefined {
    return this.restore(id, record);
  }

  override get size(): never {
    throw new AllRecordsNeeded();
  }

  override values(): never {
    throw new AllRecordsNeeded();
  }

  override views(): never {
    throw new AllRecordsNeeded();
  }

  override ids(): never {
    throw new AllRecordsNeeded();
  }

  override since(): never {
    throw new AllRecordsNeeded();
  }

  override changedSince(): never {
    throw new AllRecordsNeeded();
  }
}
