import { foldCase, searchScore } from '../order.js';
import { type TakenPage, approach, takenPage } from '../page.js';
import type { ListQuery, SearchOrder, SearchQuery, SearchedFamily } from '../port.js';
import { totalsKey } from '../totals.js';
import type { BlockSearch } from './block.js';
import { type Entry, digestOf, placeAt, positionOf } from './entry.js';
import type { FamilyIndex } from './family-index.js';
import { Selection, type Wanted } from './selection.js';
import { type Ranked, TopPage } from './top-page.js';

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

/** A family that is searched, with its index. */
interface SearchedIndex extends SearchedFamily {
  readonly index: FamilyIndex;
}

interface SearchedPage extends TakenPage<Ranked> {
  readonly total: number;
}

/** Reads the sort key of the i-th record of a block. */
type KeyOf = (search: BlockSearch, at: number) => string | number;

const idOf = (entry: Entry): string => entry.id;

/** Visits all matches of all families once and keeps the page. */
export function searchEntries(
  families: readonly SearchedIndex[],
  query: SearchQuery,
): SearchedPage {
  const text = foldCase(query.text);
  const top = new TopPage(query, query.order === 'ALPHABETICAL' ? digestOf : idOf);
  const keyOf = keyOfOrder(query.order, text);
  for (const searched of families) offerMatches(searched, text, keyOf, top);
  return { total: top.total, ...top.page() };
}

/** Score of a matching record. */
export function scoreOf(index: FamilyIndex, entry: Entry, text: string): number {
  const { block, at } = index.order.spot(entry);
  return searchScore(index.searchOf(block).titles[at]!, foldCase(text));
}

function offerMatches(searched: SearchedIndex, text: string, keyOf: KeyOf, top: TopPage): void {
  const { family, index, visible, or = [], instead } = searched;
  const { order } = index;
  const { blocks, size } = order;
  const wanted = {
    kind: 'search',
    text: instead ? '' : text,
    or,
    where: instead ? [instead] : [],
    visible,
  } as const;
  const offer = (entry: Entry): void => {
    const { block, at } = order.spot(entry);
    const search = index.searchOf(block);
    if (!search.text.isEmpty(at)) top.offer(keyOf(search, at), entry, family);
  };
  const selection = new Selection(index, wanted);
  if (selection.candidatesCost() < size) {
    for (const entry of selection.candidates()) offer(entry);
    return;
  }
  for (let step = 0; step < blocks.length; step += 1) {
    const block = blocks[top.descending ? blocks.length - 1 - step : step]!;
    const chosen = selection.choose(block);
    const { entries } = block;
    const search = index.searchOf(block);
    for (let next = 0; next < chosen; next += 1) {
      const at = selection.found[top.descending ? chosen - 1 - next : next]!;
      if (!search.text.isEmpty(at)) top.offer(keyOf(search, at), entries[at]!, family);
    }
  }
}

function keyOfOrder(order: SearchOrder, text: string): KeyOf {
  switch (order) {
    case 'CREATED_AT':
      return (search, at) => search.created_at[at]!;
    case 'UPDATED_AT':
      return (search, at) => search.updated_at[at]!;
    case 'SCORE':
      return (search, at) => searchScore(search.titles[at]!, text);
    case 'ALPHABETICAL':
      return (search, at) => search.title_keys[at]!;
  }
}
