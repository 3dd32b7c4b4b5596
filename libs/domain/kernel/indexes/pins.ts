import { Multimap } from './multimap.js';

/** Most ids that `Pins.first` gives. */
export const MOST_FIRST = 1000;

const NONE: readonly string[] = [];

/**
 * Which records carry which label: the other direction of the records' `label_ids`, kept in step with
 * them. So a pin changes one small record and one entry here, however many records have the label.
 */
export class Pins {
  private readonly held = new Multimap();
  /** What `first` gives (`MOST_FIRST` ids at most) of the labels it was asked about, while that is easily kept. */
  private readonly firsts = new Map<string, string[]>();

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

  /** How many records carry the label. */
  count(label_id: string): number {
    return this.held.size(label_id);
  }

  /** The first of them by id. */
  first(label_id: string): string[] {
    let ids = this.firsts.get(label_id);
    if (!ids) {
      ids = [];
      for (const id of this.held.get(label_id)) enter(ids, id);
      this.firsts.set(label_id, ids);
    }
    return [...ids];
  }

  private add(label_id: string, record_id: string): void {
    this.held.add(label_id, record_id);
    const ids = this.firsts.get(label_id);
    if (ids) enter(ids, record_id);
  }

  private remove(label_id: string, record_id: string): void {
    this.held.delete(label_id, record_id);
    const ids = this.firsts.get(label_id);
    if (!ids) return;
    const at = placeOf(ids, record_id);
    if (ids[at] !== record_id) return;
    ids.splice(at, 1);
    // Who moves up is found when somebody asks; nobody may ever.
    if (ids.length === 0 || this.held.size(label_id) > ids.length) this.firsts.delete(label_id);
  }
}

/** Puts an id into the list of the first ones, if it is one of them. */
function enter(ids: string[], id: string): void {
  if (ids.length === MOST_FIRST && id > ids.at(-1)!) return;
  ids.splice(placeOf(ids, id), 0, id);
  if (ids.length > MOST_FIRST) ids.pop();
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
