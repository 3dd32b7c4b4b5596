import type { RecordBase } from '../record.js';
import type { Table } from '../table.js';

/** Ids with the same first characters, in no order. */
export interface IdGroup {
  readonly start: string;
  readonly ids: readonly string[];
}

/** Characters after the family's prefix that ids of a group have in common. */
const COMMON_CHARS = 3;

/** Ids in groups, which are in order: a page of ids needs only the groups that it is in. */
export class IdGroups {
  private readonly by_start = new Map<string, string[]>();
  /** Null after a group was added or removed. */
  private known_order: readonly IdGroup[] | null = null;

  /** @param chars characters that the ids of a group have in common */
  constructor(
    ids: Iterable<string>,
    private readonly chars: number,
  ) {
    for (const id of ids) this.add(id);
  }

  get inOrder(): readonly IdGroup[] {
    return (this.known_order ??= Array.from(this.by_start, ([start, ids]) => ({ start, ids })).sort(
      (one, other) => (one.start < other.start ? -1 : 1),
    ));
  }

  add(id: string): void {
    const start = id.slice(0, this.chars);
    const group = this.by_start.get(start);
    if (group) return void group.push(id);
    this.by_start.set(start, [id]);
    this.known_order = null;
  }

  delete(id: string): void {
    const start = id.slice(0, this.chars);
    const group = this.by_start.get(start)!;
    const last = group.pop()!;
    if (last !== id) group[group.indexOf(id)] = last;
    if (group.length > 0) return;
    this.by_start.delete(start);
    this.known_order = null;
  }
}

interface Kept {
  readonly groups: IdGroups;
  version: number;
}

const kept = new WeakMap<Table<RecordBase>, Kept>();

/** The ids of a table, grouped at the first request and then updated. */
export function idGroupsOf(table: Table<RecordBase>): readonly IdGroup[] {
  const found = kept.get(table);
  const replaced = found ? table.since(found.version) : null;
  if (!found || !replaced) {
    const groups = new IdGroups(table.ids(), (table.definition.prefix?.length ?? 0) + COMMON_CHARS);
    kept.set(table, { groups, version: table.version });
    return groups.inOrder;
  }
  for (const { before, after } of replaced) {
    if (before && !after) found.groups.delete(before.id);
    else if (after && !before) found.groups.add(after.id);
  }
  found.version = table.version;
  return found.groups.inOrder;
}
