import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import type { Bookmark } from './record.js';
import { type BookmarkView, presentBookmark } from './view.js';

export const bookmarkReads: ReadDefinition<Bookmark, BookmarkView> = {
  family: 'bookmarks',
  not_found: 'bookmark-not-found',
  when_hidden: 'forbidden',
  mayRead: (context) => mayReadBookmarks(context),
  visible: (context) => (mayReadBookmarks(context) ? 'all' : []),
  present: presentBookmark,
  filter_text: (bookmark) => lines(bookmark.id, bookmark.note),
};

/** Bookmarks name points in time: callers who may read the past may read them. */
export function mayReadBookmarks(context: Context): boolean {
  return Access.of(context).can('VIEW', 'TABLE_AUDIT');
}
