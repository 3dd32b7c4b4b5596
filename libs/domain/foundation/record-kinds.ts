import type { FamilyDefinition, RecordBase, TableId } from '../kernel/record.js';
import type { ReadDefinition } from './reading.js';

declare module './state.js' {
  interface DriveState {
    readonly kinds: RecordKinds;
  }
}

/** One kind of records: its storage and its reads. */
export interface RecordKind {
  readonly definition: FamilyDefinition<RecordBase>;
  readonly reads: ReadDefinition<RecordBase, object>;
}

/** Maps ids and system tables to kinds of records. Derived from the list of families. */
export class RecordKinds {
  /** Kinds by prefix of their ids. These records can have labels and are found by external id. */
  readonly by_prefix: ReadonlyMap<string, RecordKind>;
  /** Names of the families that a grant on the table covers. */
  readonly by_table: ReadonlyMap<string, readonly string[]>;

  /** @param bare_tables tables without records */
  constructor(kinds: readonly RecordKind[], bare_tables: readonly TableId[]) {
    const prefixed = kinds.filter(({ definition }) => definition.prefix);
    this.by_prefix = new Map(prefixed.map((kind) => [kind.definition.prefix!, kind]));
    const definitions = prefixed.map(({ definition }) => definition);
    const tables = definitions.flatMap(({ table }) => table ?? []);
    this.by_table = new Map(
      [...tables, ...bare_tables].map((id) => [
        id,
        definitions.filter(({ table }) => table === id).map(({ name }) => name),
      ]),
    );
  }

  /** The kind for an id's prefix, whether the record exists or not. */
  of(id: string): RecordKind | undefined {
    return this.by_prefix.get(id.slice(0, id.indexOf('_') + 1));
  }

  /** The family for an id's prefix; undefined if the prefix is unknown. */
  familyOf(id: string): string | undefined {
    return this.of(id)?.definition.name;
  }

  get tables(): readonly TableId[] {
    return [...this.by_table.keys()] as TableId[];
  }

  isTable(id: string): id is TableId {
    return this.by_table.has(id);
  }

  /** The table that a system resource belongs to: a table to itself, unknown records to PERMISSIONS. */
  tableOf(resource_id: string): TableId {
    if (this.isTable(resource_id)) return resource_id;
    return this.of(resource_id)?.definition.table ?? 'TABLE_PERMISSIONS';
  }
}
