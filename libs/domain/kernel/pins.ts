import { Multimap } from './multimap.js';

const NONE: readonly string[] = [];

/**
 * Which records carry which label: the other direction of the records' `label_ids`, kept in step with
 * them. So a pin changes one small record and one entry here, however many records have the label.
 */
export class Pins {
  private readonly held = new Multimap();
  /** Ids in order, for labels whose order was asked for; kept in order from then on. */
  private readonly ordered = new Map<string, string[]>();

  /** A record's labels took the place of others. */
  replaced(
    record_id: string,
    before: readonly string[] | undefined,
    after: readonly string[] | undefined,
  ): void {
    for (const label_id of before ?? NONE)
      if (!after?.includes(label_id)) this.remove(label_id, record_id);
    for (const label_id of after ?? NONE)
      if (!before?.includes(label_id)) this.add(label_id, record_id);
  }

  /** Ids of the records that carry the label, in no particular order. */
  of(label_id: string): readonly string[] {
    return this.held.list(label_id);
  }

  /** The first of them by id, at most so many. */
  first(label_id: string, most: number): string[] {
    let ids = this.ordered.get(label_id);
    if (!ids) this.ordered.set(label_id, (ids = [...this.of(label_id)].sort()));
    return ids.slice(0, most);
  }

  private add(label_id: string, record_id: string): void {
    this.held.add(label_id, record_id);
    const ids = this.ordered.get(label_id);
    ids?.splice(placeOf(ids, record_id), 0, record_id);
  }

  private remove(label_id: string, record_id: string): void {
    this.held.delete(label_id, record_id);
    if (this.held.size(label_id) === 0) this.ordered.delete(label_id);
    const ids = this.ordered.get(label_id);
    ids?.splice(placeOf(ids, record_id), 1);
  }
}

/** Where the id stands, or would stand, in a sorted list. */
function placeOf(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
