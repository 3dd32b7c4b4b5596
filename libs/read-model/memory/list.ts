import { foldCase } from '../order.js';
import type { ListQuery, Position } from '../port.js';
import { type Entry, placeAt, positionOf } from './entry.js';
import type { FamilyIndex } from './family-index.js';
import { LIST_RANKING, nearest } from './nearest.js';
import { type Sequence, type TakenPage, takePage } from './page.js';
import { Selection, type Wanted } from './selection.js';
import { totalsKey } from './totals.js';

/** Looking up, testing and ranking a candidate costs about this many entries of a scan. */
const CANDIDATE_COST = 4;

export interface ListedPage extends TakenPage<Entry> {
  readonly total: number;
}

/** Unfiltered: O(log n + page). Otherwise by the cheaper of walking the order and ranking candidates. */
export function listEntries(index: FamilyIndex, query: ListQuery): ListedPage {
  const wanted: Wanted = {
    kind: 'filter_text',
    text: foldCase(query.filter?.text ?? ''),
    or: query.filter?.or ?? [],
    where: query.where ?? [],
    visible: query.visible,
  };
  const selection = new Selection(index, wanted);
  const size = index.order.size;
  if (selection.everything) {
    return { total: size, ...takePage(query, walking(index, selection)) };
  }
  const key = totalsKey(wanted.text, wanted.or, wanted.where, wanted.visible);
  const counted = index.totals.get(key);
  if (counted === 0) return { total: 0, items: [], before: null, after: null };
  if (counted !== undefined && walkPays(selection, size, counted, query.page_size)) {
    return { total: counted, ...takePage(query, walking(index, selection)) };
  }
  const few = selection.estimate() * CANDIDATE_COST < size;
  const found = few ? selection.candidates() : selection.scan();
  index.totals.set(key, found.length);
  const matches = few ? ranking(found) : walking(index, selection);
  return { total: found.length, ...takePage(query, matches) };
}

/** Whether a page is met on the way sooner than all candidates are gathered, if matches lie evenly. */
function walkPays(selection: Selection, size: number, total: number, page_size: number): boolean {
  const walked = Math.min(size, ((page_size + 1) * size) / total);
  return walked <= total || walked <= selection.estimate() * CANDIDATE_COST;
}

function walking(index: FamilyIndex, selection: Selection): Sequence<Entry> {
  return {
    near: (from: Position | undefined, ascending, limit) =>
      index.order.walk(from && placeAt(from), ascending, limit, (block) =>
        selection.inBlock(block),
      ),
    position: positionOf,
  };
}

function ranking(found: readonly Entry[]): Sequence<Entry> {
  return {
    near: (from, ascending, limit) =>
      nearest(found, LIST_RANKING, from, ascending, limit).map(({ entry }) => entry),
    position: positionOf,
  };
}
