import { SHOWN_RECORDS } from '../../domain/drive/record-kinds.js';
import type { Context } from '../../domain/foundation/decision.js';
import type { ReadDefinition, SearchDefinition } from '../../domain/foundation/reading.js';
import type { RecordBase } from '../../domain/kernel/record.js';
import { foldCase } from '../../domain/kernel/indexes/text-key.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import type {
  Document,
  DocumentKey,
  Reads,
  SearchedFamily,
  SearchHit,
  SearchOrder,
  SearchQuery,
} from '../../read-model/port.js';
import { pageRequest, type PageInput } from '../pages/cursor.js';
import { driveQuery } from '../drive-query.js';
import { findAndShow } from '../find-and-show.js';
import type { ListPage } from '../list-records.js';
import { shownPage } from '../pages/page-of.js';
import { views } from '../views.js';
import { integer, nullable, number, type Shown, text, view } from '../../domain/kernel/view.js';

const SEARCHED: readonly Searched[] = SHOWN_RECORDS.flatMap(
  ({ definition: { name: family }, reads }) =>
    reads.search ? [{ family, reads, ...reads.search }] : [],
);

/** Categories of a search request. ALL and METADATA each stand for several. */
export const SEARCH_CATEGORIES: readonly string[] = [
  'ALL',
  'METADATA',
  ...SEARCHED.map(({ category }) => category),
];

export const SEARCH_SORTS = [
  'CREATED_AT',
  'UPDATED_AT',
  'RELEVANCE',
  'SCORE',
  'ALPHABETICAL',
] as const;

interface SearchInput extends PageInput {
  readonly query: string;
  readonly categories: readonly string[];
  readonly sort_by: (typeof SEARCH_SORTS)[number];
}

export const searchResultView = view('SearchResult', {
  title: text(),
  preview: text(),
  score: number(
    'Match: 1 exact name, 0.75 prefix of the name, 0.5 in the name, 0.25 in another field',
  ),
  resource_id: text(),
  category: text({ example: 'GROUPS' }),
  metadata: nullable(
    text(
      'For files and folders: `/<disk_type>/<disk_id>/<id>`; for other records: their external_payload',
    ),
  ),
  created_at: integer(),
  updated_at: integer(),
});
export type SearchResult = Shown<typeof searchResultView>;

interface Searched extends SearchDefinition<RecordBase> {
  readonly family: string;
  readonly reads: ReadDefinition<RecordBase, object>;
}

/** Records of several families that contain a text and are visible to the caller. */
export const Search = driveQuery<SearchInput, ListPage<SearchResult>>(
  'Search',
  (drives, reader, input) =>
    findAndShow<NamedSearchQuery, SearchHit<Document>, SearchHit, ListPage<SearchResult>>(
      drives,
      reader,
      {
        query(context, read_scope) {
          const searched = SEARCHED.filter((seen) => isWanted(seen, input.categories));
          const order: SearchOrder = input.sort_by === 'RELEVANCE' ? 'SCORE' : input.sort_by;
          const categories = [...input.categories].sort().join();
          const list = `${reader.drive_id}\nsearch ${order} ${categories}\n${input.query}`;
          const page = pageRequest(list, input, order === 'ALPHABETICAL' ? 'string' : 'number');
          if (isRefusal(page)) return page;
          return {
            list,
            query: {
              ...page,
              text: input.query,
              order,
              families: searched.map((seen) => ({
                family: seen.family,
                visible: views.of(read_scope, context, seen.reads).visible(context),
                ...beside(seen, context, input),
              })),
            },
          };
        },
        find: <Key extends DocumentKey>(model: Reads<Key>, { query }: NamedSearchQuery) =>
          model.search(reader.drive_id, query),
        inState(context, { document: found, ...hit }, record) {
          const document = record(found);
          if (!document) return null;
          const { reads } = searchedFamily(document.family);
          return reads.mayRead(context, document.record as RecordBase)
            ? { ...hit, document }
            : null;
        },
        show(context, _, found, { list, query: page }) {
          const present = (hit: SearchHit<Document>): SearchResult => presentHit(hit, context);
          const fit = { charsOf: lengthOf };
          return shownPage(list, page, found, ({ position }) => position, present, fit);
        },
      },
    ),
);

/** A search query with the name that its cursors are bound to. */
interface NamedSearchQuery {
  readonly list: string;
  readonly query: SearchQuery;
}

function searchedFamily(name: string): Searched {
  return SEARCHED.find(({ family }) => family === name)!;
}

/** METADATA also searches files and folders, but not their names. */
function isWanted({ category }: Searched, categories: readonly string[]): boolean {
  return isNamed(category, categories) || categories.includes('METADATA');
}

function isNamed(category: string, categories: readonly string[]): boolean {
  return categories.length === 0 || categories.includes('ALL') || categories.includes(category);
}

/** Additional matches of files and folders by path or metadata, if the requested categories include them. */
function beside(
  { category, finds }: Searched,
  context: Context,
  { categories, query }: SearchInput,
): Pick<SearchedFamily, 'or' | 'instead'> {
  const found = finds?.(context, foldCase(query));
  if (!found) return {};
  const { by_path, by_metadata } = found;
  if (!isNamed(category, categories)) return { instead: by_metadata() };
  const or = isNamed('METADATA', categories) ? [...by_path(), by_metadata()] : by_path();
  const holding = or.filter(({ among }) => among.size > 0);
  return holding.length > 0 ? { or: holding } : {};
}

/** Most of the length of a hit's JSON. */
function lengthOf({ title, preview, metadata }: SearchResult): number {
  return title.length + preview.length + (metadata?.length ?? 0);
}

function presentHit({ document, score }: SearchHit<Document>, context: Context): SearchResult {
  const { category, preview, link, title, updated_at } = searchedFamily(document.family);
  const record = document.record as RecordBase & {
    readonly created_at: number;
    readonly external_payload?: string | null;
  };
  return {
    title: title(record),
    preview: preview(record, context),
    score,
    resource_id: document.id,
    category,
    metadata: link ? link(record, context) : record.external_payload || null,
    created_at: record.created_at,
    updated_at: updated_at(record),
  };
}
