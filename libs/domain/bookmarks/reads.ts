import type { Context } from '../foundation/decision.js';
import type { Bookmark } from './record.js';
import { integer, type Shown, text, view } from '../kernel/view.js';
import { Access } from '../access/access.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';

export const bookmarkView = view('Bookmark', {
  name: text({ example: 'year-end' }),
  revision: integer('The point: just after this event'),
  at_ms: integer('ms; windows count as of this time'),
  note: text(),
  created_by: text(),
  created_at: integer(),
});
export type BookmarkView = Shown<typeof bookmarkView>;

/** A named point as its owner and auditors see it. */
export function presentBookmark(_: Context, bookmark: Bookmark): BookmarkView {
  const { id: name, point, note, created_by, created_at } = bookmark;
  return { name, ...point, note, created_by, created_at };
}

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
