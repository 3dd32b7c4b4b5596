import { clippedPath } from '../../domain/access/paths.js';
import type { Contact } from '../../domain/contacts/record.js';
import { contactReads } from '../../domain/contacts/reads.js';
import { fileReads, folderReads } from '../../domain/directory/reads.js';
import { metadataMatches, pathMatches } from '../../domain/directory/finding/search.js';
import type { Item } from '../../domain/relations/directory-tree.js';
import { diskReads } from '../../domain/disks/reads.js';
import type { Disk } from '../../domain/disks/record.js';
import type { VisibilityRule } from '../../domain/access/known-visibility.js';
import type { Context } from '../../domain/foundation/decision.js';
import type { Clause } from '../../domain/foundation/reading.js';
import { groupReads } from '../../domain/groups/reads.js';
import type { Group } from '../../domain/groups/record.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { knownDriveReads } from '../../domain/known-drives/reads.js';
import type { KnownDrive } from '../../domain/known-drives/record.js';
import { purchaseReads } from '../../domain/purchases/reads.js';
import type { Purchase } from '../../domain/purchases/record.js';
import type { Reads } from '../../read-model/memory/state-reads.js';
import type {
  Document,
  DocumentKey,
  SearchedFamily,
  SearchHit,
  SearchOrder,
  SearchQuery,
} from '../../read-model/port.js';
import { pageFrame, pageRequest, type PageInput } from '../cursor.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { findAndShow } from '../find-and-show.js';
import type { ListPage } from '../list-records.js';
import { READ_SCHEMA } from '../read-schema.js';
import { views } from '../views.js';

/** What a client may ask for; ALL and METADATA stand for several. */
export const SEARCH_CATEGORIES = [
  'ALL',
  'FILES',
  'FOLDERS',
  'METADATA',
  'CONTACTS',
  'DISKS',
  'DRIVES',
  'GROUPS',
  'PURCHASES',
] as const;
export type SearchCategory = (typeof SEARCH_CATEGORIES)[number];

export const SEARCH_SORTS = [
  'CREATED_AT',
  'UPDATED_AT',
  'RELEVANCE',
  'SCORE',
  'ALPHABETICAL',
] as const;

export interface SearchInput extends PageInput {
  readonly query: string;
  readonly categories: readonly SearchCategory[];
  readonly sort_by: (typeof SEARCH_SORTS)[number];
}

export interface SearchResult {
  title: string;
  preview: string;
  score: number;
  resource_id: string;
  category: string;
  metadata: string | null;
  created_at: number;
  updated_at: number;
}

/** One family that search covers. */
interface Searched {
  readonly category: SearchCategory;
  readonly family: string;
  readonly reads: VisibilityRule & {
    readonly mayRead: (context: Context, record: never) => boolean;
  };
  readonly preview: (record: never, context: Context) => string;
  /** What clients build a link from, where it is not the record's external payload. */
  readonly link?: (record: never, context: Context) => string;
  /** What finds records beside their own text. */
  readonly finds?: (context: Context, text: string) => Found;
}

/** Clauses that find files or folders: by the folders above them, and by what else they carry. */
interface Found {
  readonly by_path: readonly Clause[];
  readonly by_metadata: Clause;
}

const preview = (item: Item, { state }: Context): string => clippedPath(state, item);

/** `/<disk_type>/<disk_id>/<id>`: no names, so that everybody may see it. */
const link = ({ id, disk_id }: Item, { state }: Context): string =>
  `/${state.disks.get(disk_id)?.disk_type ?? ''}/${disk_id}/${id}`;

const SEARCHED: readonly Searched[] = [
  {
    category: 'FILES',
    family: 'files',
    reads: fileReads,
    preview,
    link,
    finds: (context, text) => ({
      by_path: pathMatches(context, text).files,
      by_metadata: metadataMatches(context.state, context.state.files, text),
    }),
  },
  {
    category: 'FOLDERS',
    family: 'folders',
    reads: folderReads,
    preview,
    link,
    finds: (context, text) => ({
      by_path: pathMatches(context, text).folders,
      by_metadata: metadataMatches(context.state, context.state.folders, text),
    }),
  },
  {
    category: 'CONTACTS',
    family: 'contacts',
    reads: contactReads,
    preview: (contact: Contact) => contact.email as string,
  },
  {
    category: 'DISKS',
    family: 'disks',
    reads: diskReads,
    preview: (disk: Disk) => disk.disk_type,
  },
  {
    category: 'DRIVES',
    family: 'drives',
    reads: knownDriveReads,
    preview: (drive: KnownDrive) => drive.host_url,
  },
  {
    category: 'GROUPS',
    family: 'groups',
    reads: groupReads,
    preview: (group: Group) => group.host_url,
  },
  {
    category: 'PURCHASES',
    family: 'purchases',
    reads: purchaseReads,
    preview: (purchase: Purchase) => purchase.vendor_name,
  },
];

/** Records of several families that contain a text, as far as the caller may see them. */
export class Search extends DriveQuery<SearchInput, ListPage<SearchResult>> {}

export const searchHandlers = [
  driveQueryHandler(Search, (drives, reader, input) =>
    findAndShow<SearchQuestion, SearchHit<Document>, SearchHit, ListPage<SearchResult>>(
      drives,
      reader,
      {
        query(context, sight) {
          const searched = SEARCHED.filter((seen) => isWanted(seen, input.categories));
          const order: SearchOrder = input.sort_by === 'RELEVANCE' ? 'SCORE' : input.sort_by;
          const asked = [...input.categories].sort().join();
          const list = `${reader.drive_id}\nsearch ${order} ${asked}\n${input.query}`;
          const page = pageRequest(list, input);
          if (isRefusal(page)) return page;
          return {
            list,
            query: {
              ...page,
              text: input.query,
              order,
              families: searched.map((seen) => ({
                family: seen.family,
                visible: views.visible(sight, context, seen.reads),
                ...beside(seen, context, input),
              })),
            },
          };
        },
        find: <Key extends DocumentKey>(model: Reads<Key>, { query }: SearchQuestion) =>
          model.search(reader.drive_id, query),
        inState(context, { document: found, score }, record) {
          const document = record(found);
          if (!document) return null;
          const { reads } = searchedFamily(document.family);
          return reads.mayRead(context, document.record as never) ? { document, score } : null;
        },
        show(context, _, found, { list, query: page }) {
          const items = found.items.map((hit) => presentHit(hit, context));
          return { items, ...pageFrame(list, page, found) };
        },
      },
    ),
  ),
];

/** A search as it is asked for, and the name its cursors are tied to. */
interface SearchQuestion {
  readonly list: string;
  readonly query: SearchQuery;
}

function searchedFamily(name: string): Searched {
  return SEARCHED.find(({ family }) => family === name)!;
}

/** FILES and FOLDERS are looked into for METADATA too, though not for their names then. */
function isWanted({ category }: Searched, asked: readonly SearchCategory[]): boolean {
  return isNamed(category, asked) || asked.includes('METADATA');
}

function isNamed(category: SearchCategory, asked: readonly SearchCategory[]): boolean {
  return asked.length === 0 || asked.includes('ALL') || asked.includes(category);
}

/** What finds files and folders beside their own text, as far as it is asked for. */
function beside(
  { category, finds }: Searched,
  context: Context,
  { categories, query }: SearchInput,
): Pick<SearchedFamily, 'or' | 'instead'> {
  const found = finds?.(context, query.toLowerCase());
  if (!found) return {};
  const { by_path, by_metadata } = found;
  if (!isNamed(category, categories)) return { instead: by_metadata };
  const or = isNamed('METADATA', categories) ? [...by_path, by_metadata] : by_path;
  const holding = or.filter(({ among }) => among.size > 0);
  return holding.length > 0 ? { or: holding } : {};
}

function presentHit({ document, score }: SearchHit<Document>, context: Context): SearchResult {
  const { category, preview: previewOf, link: linkOf } = searchedFamily(document.family);
  const { search, created_at } = READ_SCHEMA[document.family]!;
  const { record, id } = document;
  const { external_payload: payload } = record as { external_payload?: string | null };
  return {
    title: search!.title(record),
    preview: previewOf(record as never, context),
    score,
    resource_id: id,
    category,
    metadata: linkOf ? linkOf(record as never, context) : payload || null,
    created_at: created_at(record),
    updated_at: search!.updated_at(record),
  };
}
