import type { DriveState, Records } from '../foundation/state.js';
import { Subjects } from '../foundation/subjects.js';
import { type TouchedKey, UndoLog } from '../kernel/undo-log.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { type Chosen, ChosenTable } from '../kernel/chosen-table.js';
import { AllRecordsNeeded, PartialTable } from '../kernel/partial-table.js';
import { Table } from '../kernel/table.js';
import { RECORD_KINDS, RECORDS } from './record-kinds.js';

/** Goes up when a release changes records or hashing so that old points hash differently. */
export const STATE_VERSION = 1;

/** Records that are indexed quickly. */
const FEW_RECORDS = 5_000;

type NewTable = (definition: FamilyDefinition<RecordBase>, undo_log: UndoLog) => Table<RecordBase>;

const newTable: NewTable = (definition, undo_log) => new Table(definition, undo_log);

/** The state of no events. */
export function newDriveState(drive_id: string): DriveState {
  return new StateOfFamilies(drive_id, newTable) as unknown as DriveState;
}

/**
 * A state that holds no records yet, and nothing of those that it lacks.
 * @throws RecordNotHeld, AllRecordsNeeded (by every read of more than records by their id)
 */
export function partialState(drive_id: string): DriveState {
  const state = new PartialState(drive_id);
  state.undo_log.retireBefore(() => {
    throw new AllRecordsNeeded();
  });
  return state as unknown as DriveState;
}

/** Adds a record to a partial state, or that there is none. */
export function holdRecord(
  state: DriveState,
  { family, id }: TouchedKey,
  record: RecordBase | undefined,
): void {
  (state.table(family) as unknown as PartialTable<RecordBase>).hold(id, record);
}

/**
 * A state that holds no records yet, and ever only the chosen ones.
 * @throws RecordNotHeld (by an event that reads another one)
 */
export function chosenState(drive_id: string, chosen: Chosen): DriveState {
  const state = new StateOfFamilies(
    drive_id,
    (definition, undo_log) => new ChosenTable(definition, undo_log, chosen),
  );
  return state as unknown as DriveState;
}

abstract class State implements Omit<DriveState, keyof Records> {
  readonly undo_log = new UndoLog(() => this.tables);
  timestamp_ms = 0;
  readonly unknown_events = new Set<string>();
  readonly subjects = new Subjects(this.undo_log);
  readonly kinds = RECORD_KINDS;

  constructor(readonly drive_id: string) {}

  abstract get tables(): readonly Table<RecordBase>[];

  abstract table(family: string): Table<RecordBase> | undefined;

  *indexing(deciding: boolean): Generator<void> {
    for (const table of this.tables) if (table.size > FEW_RECORDS) yield* table.indexing();
    if (this.record_count <= FEW_RECORDS) return;
    yield* this.undo_log.finding();
    if (deciding) yield* this.undo_log.counting();
  }

  get revision(): number {
    return this.undo_log.revision;
  }

  get organization(): Records['organizations'] {
    const organization = (this as unknown as DriveState).organizations.get(this.drive_id);
    if (!organization) throw new Error(`drive ${this.drive_id} has no organization record`);
    return organization;
  }

  get record_count(): number {
    return this.tables.reduce((count, { size }) => count + size, 0);
  }

  isUsed(table: { has(id: string): boolean }, id: string): boolean {
    return table.has(id) || this.undo_log.isRetired(id);
  }
}

class StateOfFamilies extends State {
  readonly tables: readonly Table<RecordBase>[];
  private readonly by_family: ReadonlyMap<string, Table<RecordBase>>;

  constructor(drive_id: string, newOne: NewTable) {
    super(drive_id);
    const named = RECORDS.map(
      ({ table_name, definition }) => [table_name, newOne(definition, this.undo_log)] as const,
    );
    Object.assign(this, Object.fromEntries(named));
    this.tables = named.map(([, table]) => table);
    this.by_family = new Map(this.tables.map((table) => [table.definition.name, table] as const));
  }

  override table(family: string): Table<RecordBase> | undefined {
    return this.by_family.get(family);
  }
}

/** Makes its tables on first use: a page of a history needs dozens of such states, and each a few families. */
class PartialState extends State {
  private readonly made = new Map<string, PartialTable<RecordBase>>();

  override get tables(): never {
    throw new AllRecordsNeeded();
  }

  override table(family: string): Table<RecordBase> | undefined {
    const known = this.made.get(family);
    const definition = known ? undefined : DEFINITIONS.get(family);
    if (!definition) return known;
    const table = new PartialTable(definition, this.undo_log);
    this.made.set(family, table);
    return table;
  }
}

const DEFINITIONS: ReadonlyMap<string, FamilyDefinition<RecordBase>> = new Map(
  RECORDS.map(({ definition }) => [definition.name, definition] as const),
);

for (const { table_name, definition } of RECORDS)
  Object.defineProperty(PartialState.prototype, table_name, {
    get(this: PartialState) {
      return this.table(definition.name);
    },
  });
