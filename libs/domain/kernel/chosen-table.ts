import { RecordNotHeld } from './partial-table.js';
import type { FamilyDefinition, RecordBase } from './record.js';
import { Table } from './table.js';
import type { UndoLog } from './undo-log.js';

/** The records that a state of chosen records follows. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  /** True while an event is applied. */
  is_applying: boolean;
}

/**
 * A table that follows chosen records and ignores changes of all others. An event that reads another record by its id
 * throws: that one has to be chosen, too. Searches find chosen records only.
 */
export class ChosenTable<R extends RecordBase> extends Table<R> {
  constructor(
    definition: FamilyDefinition<R>,
    undo_log: UndoLog,
    private readonly chosen: Chosen,
  ) {
    super(definition, undo_log);
  }

  override get(id: string): R | undefined {
    const { ids, is_applying } = this.chosen;
    if (is_applying && !ids.has(id)) throw new RecordNotHeld(this.definition.name, id);
    return super.get(id);
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  override remove(id: string): void {
    if (this.chosen.ids.has(id)) super.remove(id);
  }

  protected override replace(id: string, record: R | undefined): R | undefined {
    return this.chosen.ids.has(id) ? super.replace(id, record) : undefined;
  }
}
