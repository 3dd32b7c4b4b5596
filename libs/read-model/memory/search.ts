import { foldCase, searchScore } from '../order.js';
import type { SearchedFamily, SearchOrder, SearchQuery } from '../port.js';
import type { BlockSearch } from './block.js';
import { type Entry, digestOf } from './entry.js';
import type { FamilyIndex } from './family-index.js';
import type { TakenPage } from '../page.js';
import { Selection } from './selection.js';
import { type Ranked, TopPage } from './top-page.js';

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
