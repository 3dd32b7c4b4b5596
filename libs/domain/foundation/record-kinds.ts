import type { FamilyDefinition, RecordBase, TableId } from '../kernel/record.js';

type Definition = FamilyDefinition<RecordBase>;

declare module './state.js' {
  interface DriveState {
    readonly kinds: RecordKinds;
  }
}

/** What ids and system tables say about records. Follows from the definitions of all families. */
export class RecordKinds {
  /** Definitions by how the ids of their records begin. */
  readonly by_prefix: ReadonlyMap<string, Definition>;
  /** Names of the families that a grant on the table covers. */
  readonly by_table: ReadonlyMap<string, readonly string[]>;

  /** @param bare_tables tables without records */
  constructor(definitions: readonly Definition[], bare_tables: readonly TableId[]) {
    const prefixed = definitions.flatMap((each) =>
      each.prefix ? [[each.prefix, each] as const] : [],
    );
    this.by_prefix = new Map(prefixed);
    const tables = definitions.flatMap(({ table }) => table ?? []);
    this.by_table = new Map(
      [...tables, ...bare_tables].map((id) => [
        id,
        definitions.filter(({ table }) => table === id).map(({ name }) => name),
      ]),
    );
  }

  /** The definition of the records whose ids begin like this one; undefined if it cannot be told. */
  of(id: string): Definition | undefined {
    return this.by_prefix.get(id.slice(0, id.indexOf('_') + 1));
  }

  /** The name of that family. */
  familyOf(id: string): string | undefined {
    return this.of(id)?.name;
  }

  /** All system tables. */
  get tables(): readonly TableId[] {
    return [...this.by_table.keys()] as TableId[];
  }

  isTable(id: string): id is TableId {
    return this.by_table.has(id);
  }

  /** The table that a system resource belongs to: a table to itself, unknown records to PERMISSIONS. */
  tableOf(resource_id: string): TableId {
    if (this.isTable(resource_id)) return resource_id;
    return this.of(resource_id)?.table ?? 'TABLE_PERMISSIONS';
  }
}
