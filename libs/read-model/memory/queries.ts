import { foldCase, searchScore, textSortKey } from '../order.js';
import { type TakenPage, approach, takenPage } from '../page.js';
import type { ListQuery, Position, SearchOrder, SearchQuery, SearchedFamily } from '../port.js';
import { countBits, hasBit, visitBits } from './bits.js';
import { type Entry, digestOf, placeAt, positionOf } from './entry.js';
import type { FamilyIndex } from './family-index.js';
import type { FamilyTexts } from './family-texts.js';
import { type Selected, Selection } from './selection.js';
import { type Ranked, TopPage } from './top-page.js';

interface ListedPage extends TakenPage<Entry> {
  readonly total: number;
}

/** Cost of ranking a found entry, in entries that a walk passes. */
const RANKING_COST = 8;

/** Without a filter: O(log n + page). Otherwise the cheaper of walking the order and ranking what is found. */
export function listEntries(index: FamilyIndex, query: ListQuery): ListedPage {
  const selection = new Selection(index, {
    kind: 'filter',
    text: foldCase(query.filter?.text ?? ''),
    or: query.filter?.or ?? [],
    where: query.where ?? [],
    visible: query.visible,
  });
  const { size } = index.order;
  if (selection.is_everything) return walkOrder(index, query, null, size);
  const candidates = selection.candidates();
  if (candidates !== null) return rank(candidates, query);
  const selected = selection.selected();
  const { bits, count } = selected;
  // A walk ends when the page is full, if matches are evenly distributed.
  const walked = count === 0 ? 0 : (query.page_size * size) / count;
  if (count * RANKING_COST > Math.min(size, walked))
    return walkOrder(index, query, selected, count);
  const found: Entry[] = [];
  visitBits(bits, 0, bits.length, (slot) => found.push(index.at(slot)));
  return rank(found, query);
}

/** `selected`: null for all entries. */
function walkOrder(
  index: FamilyIndex,
  query: ListQuery,
  selected: Selected | null,
  total: number,
): ListedPage {
  const way = approach(query);
  const { from, ascending } = way;
  const start = from && placeAt(from);
  const holds = selected && (({ slot }: Entry) => hasBit(selected.bits, slot));
  const walked = index.order.walk(start, ascending, query.page_size + 1, holds);
  const [nearest] = walked;
  const behind =
    from !== undefined &&
    nearest !== undefined &&
    index.order.walk(nearest, !ascending, 1, holds).length > 0;
  const ahead = walked.length > query.page_size;
  const items = ahead ? walked.slice(0, -1) : walked;
  return { total, ...takenPage(way, items, { ahead, behind }, positionOf) };
}

function rank(found: readonly Entry[], query: ListQuery): ListedPage {
  const top = new TopPage(query, (entry) => entry.id);
  for (const entry of found) top.offer(entry.created_at, entry, query.family);
  const { items, before, after } = top.page();
  return { items: items.map(({ entry }) => entry), total: top.total, before, after };
}

/** A family that is searched, with its index. */
interface SearchedIndex extends SearchedFamily {
  readonly index: FamilyIndex;
}

interface SearchedPage extends TakenPage<Ranked> {
  readonly total: number;
  readonly positionOf: (ranked: Ranked) => Position;
}

const idOf = (entry: Entry): string => entry.id;

/** Finds the matches of all families and keeps the page. `text` is case-folded. */
export function searchEntries(
  families: readonly SearchedIndex[],
  text: string,
  query: SearchQuery,
): SearchedPage {
  const top = new TopPage(query, query.order === 'ALPHABETICAL' ? digestOf : idOf);
  for (const searched of families) offerMatches(searched, text, query.order, top);
  return { total: top.total, ...top.page(), positionOf: (ranked) => top.positionOf(ranked) };
}

/** Score of a matching record. `text` is case-folded. */
export function scoreOf(index: FamilyIndex, { slot }: Entry, text: string): number {
  return searchScore(index.texts.titles[slot]!, text);
}

function offerMatches(
  { family, index, visible, or = [], instead }: SearchedIndex,
  text: string,
  order: SearchOrder,
  top: TopPage,
): void {
  const selection = new Selection(index, {
    kind: 'search',
    text: instead ? '' : text,
    or,
    where: instead ? [instead] : [],
    visible,
  });
  const keyOf = keyOfOrder(index.texts, order, text);
  const candidates = selection.candidates();
  if (candidates !== null) {
    for (const entry of candidates) top.offer(keyOf(entry.slot), entry, family);
    return;
  }
  const { bits } = selection.selected();
  const times = timesOfOrder(index.texts, order);
  const zone_words = index.tuning.zone_slots / 32;
  const zones = Math.ceil(bits.length / zone_words);
  for (let step = 0; step < zones; step += 1) {
    const zone = top.descending ? zones - 1 - step : step;
    const from = zone * zone_words;
    const to = Math.min(bits.length, from + zone_words);
    const matches = countBits(bits, from, to);
    if (matches === 0) continue;
    if (times !== null && top.skip(matches, times.low(zone), times.high(zone))) continue;
    visitBits(bits, from, to, (slot) => top.offer(keyOf(slot), index.at(slot), family));
  }
}

type KeyOf = (slot: number) => string | number;

function keyOfOrder(texts: FamilyTexts, order: SearchOrder, text: string): KeyOf {
  const { titles, created_at, updated_at } = texts;
  switch (order) {
    case 'CREATED_AT':
      return (slot) => created_at.at(slot);
    case 'UPDATED_AT':
      return (slot) => updated_at.at(slot);
    case 'SCORE':
      return (slot) => searchScore(titles[slot]!, text);
    case 'ALPHABETICAL':
      return (slot) => textSortKey(titles[slot]!);
  }
}

function timesOfOrder({ created_at, updated_at }: FamilyTexts, order: SearchOrder) {
  if (order === 'CREATED_AT') return created_at;
  return order === 'UPDATED_AT' ? updated_at : null;
}
