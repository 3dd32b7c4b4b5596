import { foldCase, searchScore } from '../order.js';
import type { SearchQuery, Visibility } from '../port.js';
import type { Entry } from './entry.js';
import type { FamilyIndex } from './family-index.js';
import { type Ranked, compareRanked, nearest, searchRanking } from './nearest.js';
import { type TakenPage, takePage } from './page.js';
import { Selection } from './selection.js';

/** Finding the text of one candidate costs about this many entries of a scan through joined texts. */
const CANDIDATE_COST = 16;

export interface SearchedFamily {
  readonly family: string;
  readonly index: FamilyIndex;
  readonly visible: Visibility;
}

export interface FoundEntry extends Ranked {
  readonly family: string;
  readonly score: number;
}

export interface SearchedPage extends TakenPage<FoundEntry> {
  readonly total: number;
}

/** Gathers all matches of all families, then picks the page. */
export function searchEntries(
  families: readonly SearchedFamily[],
  query: SearchQuery,
): SearchedPage {
  const text = foldCase(query.text);
  const ranking = searchRanking(query.order, text);
  const matches = families.map(({ family, index, visible }) => ({
    family,
    found: matchesOf(index, text, visible),
  }));
  const page = takePage<FoundEntry>(query, {
    near: (from, ascending, limit) =>
      matches
        .flatMap(({ family, found }) =>
          nearest(found, ranking, from, ascending, limit).map((ranked) => ({
            ...ranked,
            family,
            score: searchScore(ranked.entry.search!.title, text),
          })),
        )
        .toSorted((left, right) => (ascending ? 1 : -1) * compareRanked(ranking, left, right))
        .slice(0, limit),
    position: ({ entry, key }) => ({ key, id: ranking.tie(entry) }),
  });
  return { total: matches.reduce((sum, { found }) => sum + found.length, 0), ...page };
}

function matchesOf(index: FamilyIndex, text: string, visible: Visibility): Entry[] {
  const selection = new Selection(index, { kind: 'search_text', text, or: [], where: [], visible });
  const few = selection.estimate() * CANDIDATE_COST < index.order.size;
  return few ? selection.candidates() : selection.scan();
}
