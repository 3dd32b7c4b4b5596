/** Ids with the same first characters, in no order. */
export interface IdGroup {
  readonly start: string;
  readonly ids: ReadonlySet<string>;
  /** That of `ids`, which is faster to read. */
  readonly size: number;
}

interface Group extends IdGroup {
  readonly ids: Set<string>;
  size: number;
}

/** Ids in groups, which are in order: a page of ids needs only the groups that it is in. */
export class IdGroups {
  private readonly by_start = new Map<string, Group>();
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
    return (this.known_order ??= [...this.by_start.values()].sort((one, other) =>
      one.start < other.start ? -1 : 1,
    ));
  }

  add(id: string): void {
    const start = id.slice(0, this.chars);
    let group = this.by_start.get(start);
    if (!group) {
      this.by_start.set(start, (group = { start, ids: new Set(), size: 0 }));
      this.known_order = null;
    }
    group.ids.add(id);
    group.size += 1;
  }

  delete(id: string): void {
    const group = this.by_start.get(id.slice(0, this.chars))!;
    group.ids.delete(id);
    group.size -= 1;
    if (group.size > 0) return;
    this.by_start.delete(group.start);
    this.known_order = null;
  }
}
