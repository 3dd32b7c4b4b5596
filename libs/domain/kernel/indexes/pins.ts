import { lowerBound } from './lower-bound.js';
import { Multimap } from './multimap.js';

/** Maximum ids in `Pins.first`. */
export const MOST_FIRST = 1000;

/**
 * The records of each label: the reverse of the records' `label_ids`, updated with them. A pin changes one record and
 * one entry here, however many records have the label.
 */
export class Pins {
  private readonly held = new Multimap();
  /** Cached results of `first` (at most `MOST_FIRST` ids), by label; removed when an update would be expensive. */
  private readonly firsts = new Map<string, string[]>();
  /** Number of labels on all records together. */
  total = 0;

  replaced(
    record_id: string,
    before: readonly string[] | undefined,
    after: readonly string[] | undefined,
  ): void {
    const [held, holds] = [new Set(before), new Set(after)];
    for (const label_id of held.difference(holds)) this.remove(label_id, record_id);
    for (const label_id of holds.difference(held)) this.add(label_id, record_id);
  }

  /** Ids of the records with the label, unordered. */
  of(label_id: string): readonly string[] {
    return this.held.list(label_id);
  }

  count(label_id: string): number {
    return this.held.size(label_id);
  }

  /** The first records with the label, by id. */
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
    this.total += 1;
    const ids = this.firsts.get(label_id);
    if (ids) enter(ids, record_id);
  }

  private remove(label_id: string, record_id: string): void {
    this.held.delete(label_id, record_id);
    this.total -= 1;
    const ids = this.firsts.get(label_id);
    if (!ids) return;
    const at = placeOf(ids, record_id);
    if (ids[at] !== record_id) return;
    ids.splice(at, 1);
    // The next record in order is only searched on the next request.
    if (ids.length === 0 || this.held.size(label_id) > ids.length) this.firsts.delete(label_id);
  }
}

/** Inserts an id into the list of the first ones, if it belongs there. */
function enter(ids: string[], id: string): void {
  if (ids.length === MOST_FIRST && id > ids.at(-1)!) return;
  ids.splice(placeOf(ids, id), 0, id);
  if (ids.length > MOST_FIRST) ids.pop();
}

/** The index of the id in a sorted list, or the index at which to insert it. */
function placeOf(ids: readonly string[], id: string): number {
  return lowerBound(ids, (other) => other < id);
}
