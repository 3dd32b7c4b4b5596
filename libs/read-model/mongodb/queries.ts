import { matching } from '../../mongodb/regex.js';
import { foldCase, searchScore } from '../order.js';
import type {
  DocumentKey,
  ListQuery,
  Page,
  PageRequest,
  SearchHit,
  SearchOrder,
  SearchQuery,
} from '../port.js';
import { type Counted, Totals, totalsKey } from '../totals.js';
import type { KeptGeneration } from './checkpoints.js';
import { type Kind, select } from './selection.js';
import { recordId } from './stored.js';
import type { Tables } from './tables.js';
import {
  BY_CREATION,
  BY_TITLE,
  BY_UPDATE,
  type Row,
  type Source,
  type Stretch,
  byScore,
  countMatches,
  takeRows,
} from './walk.js';

const KEPT_TOTALS = 1000;

/** Rows show their position; a hit's score follows from the title. */
const SHOWN = { filter: {}, search: { 'search.title': 1 } } as const;

/** A source, and the cache key of its total. */
interface CountedSource extends Source {
  readonly total_key: string;
}

export interface Answer<Item> {
  readonly page: Page<Item>;
  /** To be called once the answer is known to show one revision. */
  keepTotals(): void;
}

/** Answers checked queries from the current documents of one generation. */
export class Queries {
  private readonly totals = new Totals(KEPT_TOTALS);

  constructor(
    private readonly tables: Tables,
    private readonly most_values: number,
  ) {}

  list(drive_id: string, kept: KeptGeneration, query: ListQuery): Promise<Answer<DocumentKey>> {
    const { family, filter, where = [], visible } = query;
    const wanted = { text: foldCase(filter?.text ?? ''), or: filter?.or ?? [], where, visible };
    const sources = this.sources(drive_id, kept, 'filter', [{ family, wanted }]);
    const stretches = [{ sources, order: BY_CREATION }];
    // A list that fits on its first page needs little extra counting.
    return this.answer(kept, sources, stretches, query, keyOf, true);
  }

  search(drive_id: string, kept: KeptGeneration, query: SearchQuery): Promise<Answer<SearchHit>> {
    const text = foldCase(query.text);
    const families = query.families.map(({ family, visible, or = [], instead }) => ({
      family,
      wanted: { text: instead ? '' : text, or, where: instead ? [instead] : [], visible },
    }));
    const sources = this.sources(drive_id, kept, 'search', families);
    const stretches = stretchesOf(query.order, text, sources);
    const show = (row: Row): SearchHit => ({
      document: keyOf(row),
      score: searchScore(row.document.search!.title, text),
      position: row.position,
    });
    const is_first = query.after === undefined && query.before === undefined;
    return this.answer(kept, sources, stretches, query, show, !is_first);
  }

  /** Families that cannot match are omitted. */
  private sources(
    drive_id: string,
    { build, touched }: KeptGeneration,
    kind: Kind,
    families: readonly { readonly family: string; readonly wanted: Counted }[],
  ): CountedSource[] {
    const scope = { drive_id, build };
    return families.flatMap(({ family, wanted }) => {
      const selection = select(scope, kind, wanted, this.most_values);
      if (selection === null) return [];
      const collection = this.tables.of(family);
      const total_key = JSON.stringify([build, kind, family, touched[family], totalsKey(wanted)]);
      return [{ family, scope, collection, selection, shown: SHOWN[kind], total_key }];
    });
  }

  /** @param counts_ahead true: in parallel with the rows, before it is known whether the total is needed */
  private async answer<Item>(
    { revision }: KeptGeneration,
    sources: readonly CountedSource[],
    stretches: readonly Stretch[],
    request: PageRequest,
    show: (row: Row) => Item,
    counts_ahead: boolean,
  ): Promise<Answer<Item>> {
    const [taken, counted_ahead] = await Promise.all([
      takeRows(stretches, request),
      counts_ahead ? this.count(sources) : null,
    ]);
    const { items: rows, before, after, is_all } = taken;
    const counted = counted_ahead ?? (is_all ? null : await this.count(sources));
    const items = rows.map(show);
    const total = is_all ? rows.length : counted!.reduce((sum, [, matches]) => sum + matches, 0);
    return {
      page: { items, total, before, after, revision },
      keepTotals: () => {
        for (const [key, matches] of counted ?? []) this.totals.set(key, matches);
      },
    };
  }

  /** Counts unknown totals; they are not cached yet. */
  private count(sources: readonly CountedSource[]) {
    return Promise.all(
      sources.map(async (source): Promise<[key: string, matches: number]> => {
        const { total_key } = source;
        return [total_key, this.totals.get(total_key) ?? (await countMatches(source))];
      }),
    );
  }
}

function keyOf({ family, document }: Row): DocumentKey {
  return { family, id: recordId(document, document._id) };
}

/** The matches in ascending order. Scores are not stored, so each score is queried separately. */
function stretchesOf(order: SearchOrder, text: string, sources: readonly Source[]): Stretch[] {
  switch (order) {
    case 'CREATED_AT':
      return [{ sources, order: BY_CREATION }];
    case 'UPDATED_AT':
      return [{ sources, order: BY_UPDATE }];
    case 'ALPHABETICAL':
      return [{ sources, order: BY_TITLE }];
    case 'SCORE':
      return titlesByScore(text).map(([key, title]) => ({
        key,
        order: byScore(key),
        sources: sources.map((source) => ({
          ...source,
          selection: {
            ...source.selection,
            filter: { $and: [source.selection.filter, { 'search.title': title }] },
          },
        })),
      }));
  }
}

/** `searchScore` as conditions on the title. */
function titlesByScore(text: string): [score: number, title: unknown][] {
  const within = { $regex: matching(text) };
  const at_start = { $regex: `^${matching(text)}` };
  return [
    [0.25, { $not: within }],
    [0.5, { ...within, $not: at_start }],
    [0.75, { ...at_start, $ne: text }],
    [1, text],
  ];
}
