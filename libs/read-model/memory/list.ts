import { foldCase } from '../order.js';
import type { ListQuery } from '../port.js';
import { type Entry, placeAt, positionOf } from './entry.js';
import type { FamilyIndex } from './family-index.js';
import { type TakenPage, approach, takenPage } from '../page.js';
import { Selection, type Wanted } from './selection.js';
import { TopPage } from './top-page.js';
import { totalsKey } from '../totals.js';

interface ListedPage extends TakenPage<Entry> {
  readonly total: number;
}

/** Without a filter: O(log n + page). Otherwise the cheaper of walking the order and ranking candidates. */
export function listEntries(index: FamilyIndex, query: ListQuery): ListedPage {
  const wanted: Wanted = {
    kind: 'filter',
    text: foldCase(query.filter?.text ?? ''),
    or: query.filter?.or ?? [],
    where: query.where ?? [],
    visible: query.visible,
  };
  const selection = new Selection(index, wanted);
  const key = totalsKey(wanted);
  const counted = index.totals.get(key) ?? selection.knownTotal();
  if (!walkPays(selection, index.order.size, counted, query.page_size)) {
    const page = rankCandidates(selection, query);
    index.totals.set(key, page.total);
    return page;
  }
  const total = counted ?? selection.count();
  index.totals.set(key, total);
  if (total === 0) return { items: [], total, before: null, after: null };
  return walkOrder(index, selection, query, total);
}

/**
 * Whether walking is cheaper than gathering all candidates. To count, the walk must visit everything; with a known
 * total, it ends when the page is full, assuming evenly distributed matches.
 */
function walkPays(
  selection: Selection,
  size: number,
  counted: number | undefined,
  page_size: number,
): boolean {
  if (counted === 0) return true;
  const walked = counted === undefined ? size : Math.min(size, (page_size * size) / counted);
  if (counted !== undefined && walked <= counted) return true;
  return walked <= selection.candidatesCost();
}

function walkOrder(
  index: FamilyIndex,
  selection: Selection,
  query: ListQuery,
  total: number,
): ListedPage {
  const way = approach(query);
  const { from, ascending } = way;
  const start = from && placeAt(from);
  const walked = index.order.walk(start, ascending, query.page_size + 1, selection);
  const [nearest] = walked;
  const behind =
    from !== undefined &&
    nearest !== undefined &&
    index.order.walk(nearest, !ascending, 1, selection).length > 0;
  const ahead = walked.length > query.page_size;
  const items = ahead ? walked.slice(0, -1) : walked;
  return { total, ...takenPage(way, items, { ahead, behind }, positionOf) };
}

function rankCandidates(selection: Selection, query: ListQuery): ListedPage {
  const top = new TopPage(query, (entry) => entry.id);
  for (const entry of selection.candidates()) top.offer(entry.created_at, entry, query.family);
  const { items, before, after } = top.page();
  return { items: items.map(({ entry }) => entry), total: top.total, before, after };
}
