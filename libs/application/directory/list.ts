import { DIRECTORY_TYPES } from '../../domain/kernel/permission-types.js';
import {
  integer,
  listOf,
  nullable,
  oneOf,
  type Shown,
  text,
  view,
} from '../../domain/kernel/view.js';
import { breadcrumbView } from '../../domain/directory/items/breadcrumbs.js';
import { fileView } from '../../domain/directory/file-view.js';
import { folderView } from '../../domain/directory/folder-view.js';
import {
  type ListedPlace,
  type Listing,
  listPlace,
} from '../../domain/directory/finding/listing.js';
import { fileReads, folderReads } from '../../domain/directory/reads.js';
import type { Context } from '../../domain/foundation/decision.js';
import { digestOf, type OrderedId } from '../../domain/kernel/indexes/ordered-index.js';
import { compareTexts } from '../../domain/kernel/indexes/text-key.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { stateSource } from '../../engine/read-models/source.js';
import type { PageRequest, Position } from '../../read-model/port.js';
import { encodeCursor, pageRequest } from '../pages/cursor.js';
import { fittingItems } from '../pages/page-of.js';
import { stateQuery } from '../drive-query.js';
import type { ListInput } from '../list-records.js';
import type { ReadScope } from '../read-scope.js';
import { JsonText, views } from '../views.js';

export const directoryPageView = view('DirectoryPage', {
  folders: listOf(folderView),
  files: listOf(fileView),
  total_folders: integer('Visible folders, over all pages'),
  total_files: integer(),
  cursor: nullable(text('The same as cursor_down')),
  cursor_down: nullable(text('For the next page; null at the end')),
  cursor_up: nullable(text('For the previous page; null at the start')),
  breadcrumbs: listOf(breadcrumbView),
  permission_previews: listOf(oneOf(DIRECTORY_TYPES), 'The caller’s permissions on the folder'),
});
export type DirectoryPage = Shown<typeof directoryPageView>;

export interface ListDirectoryInput extends ListInput {
  readonly place: ListedPlace;
}

/** A page of a folder's items, or of those shared on a disk: folders first, then files, by name. */
export const ListDirectory = stateQuery<ListDirectoryInput, DirectoryPage>(
  'ListDirectory',
  (context, input, read_scope) => {
    const listing = listPlace(context, input.place, input.filters);
    if (isRefusal(listing)) return listing;
    const list = `${context.state.drive_id}\ndirectory\n${listing.place_id}`;
    const page = pageRequest(list, input, 'string');
    if (isRefusal(page)) return page;
    const places = new Sequence(listing, page.direction);
    const [first_at, end_at] = boundsOf(places, page);
    const found = Array.from({ length: end_at - first_at }, (_, nth) => places.at(first_at + nth));
    const shown = fittingItems(page, found, textsOf(read_scope, context), {
      charsOf: ({ text: { length } }) => length,
    });
    const taken = shown.map(({ place }) => place);
    const from = page.before ? end_at - taken.length : first_at;
    const to = from + taken.length;
    const [first, last] = [taken[0], taken.at(-1)];
    // An empty page beyond the ends of a list leads back to it.
    const before = from > 0 ? (first ? positionOf(first) : BEHIND_ALL) : null;
    const after = to < places.length ? (last ? positionOf(last) : BEFORE_ALL) : null;
    const cursor_down = encodeCursor(list, page.direction, after);
    const frame = JSON.stringify({
      total_folders: listing.folders.length,
      total_files: listing.files.length,
      cursor: cursor_down,
      cursor_down,
      cursor_up: encodeCursor(list, page.direction, before),
      breadcrumbs: [...listing.breadcrumbs],
      permission_previews: listing.permission_previews,
    } satisfies Omit<DirectoryPage, 'folders' | 'files'>);
    const of = (wanted: Placed['family']): string =>
      shown
        .filter(({ place: { family } }) => family === wanted)
        .map(({ text: one }) => one)
        .join(',');
    return new JsonText<DirectoryPage>(
      `{"folders":[${of('folders')}],"files":[${of('files')}],${frame.slice(1)}`,
    );
  },
);

interface Placed {
  readonly family: 'folders' | 'files';
  readonly at: OrderedId;
}

/** All listed items in the requested order; folders come first in both directions. */
class Sequence {
  readonly length: number;

  constructor(
    private readonly listing: Listing,
    private readonly direction: 'ASC' | 'DESC',
  ) {
    this.length = listing.folders.length + listing.files.length;
  }

  at(index: number): Placed {
    const { folders, files } = this.listing;
    const is_folder = index < folders.length;
    const [family, ordered] = is_folder
      ? (['folders', folders] as const)
      : (['files', files] as const);
    const nth = is_folder ? index : index - folders.length;
    const at = ordered.at(this.direction === 'ASC' ? nth : ordered.length - 1 - nth)!;
    return { family, at };
  }
}

/** The index of the page's first item, and the index after its last item. */
function boundsOf(
  places: Sequence,
  { after, before, page_size, direction }: PageRequest,
): readonly [from: number, to: number] {
  const sign = direction === 'ASC' ? 1 : -1;
  const position = after ?? before;
  if (!position) return [0, Math.min(page_size, places.length)];
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = comparePlace(places.at(middle), position, sign);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return after
    ? [low, Math.min(low + page_size, places.length)]
    : [Math.max(0, low - page_size), low];
}

const FAMILY_KEYS = { folders: '0', files: '1' } as const;
const BEFORE_ALL: Position = { key: '', id: '' };
const BEHIND_ALL: Position = { key: '2', id: '' };

function positionOf({ family, at }: Placed): Position {
  return { key: FAMILY_KEYS[family] + at.key, id: digestOf(at) };
}

function comparePlace(place: Placed, position: Position, sign: number): number {
  const key = String(position.key);
  const family = FAMILY_KEYS[place.family];
  if (family !== key[0]) return family < key.slice(0, 1) ? -1 : 1;
  const order = compareTexts(place.at.key, key.slice(1));
  if (order !== 0) return sign * order;
  const digest = digestOf(place.at);
  return digest === position.id ? 0 : sign * (digest < position.id ? -1 : 1);
}

/** Gives the records of places as JSON texts. */
function textsOf(
  read_scope: ReadScope,
  context: Context,
): (place: Placed) => { readonly place: Placed; readonly text: string } {
  const source = stateSource(context.state, context.open);
  const shown = {
    files: views.of(read_scope, context, fileReads),
    folders: views.of(read_scope, context, folderReads),
  };
  return (place) => {
    const { family, at } = place;
    const document = source.document(family, at.id)!;
    return { place, text: shown[family].list(context, document).text };
  };
}
