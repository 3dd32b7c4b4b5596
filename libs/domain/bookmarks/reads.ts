import { Access } from '../access/access.js';
import type { ReadDefinition } from '../drive/reading.js';
import type { Bookmark } from './record.js';
import { type BookmarkView, presentBookmark } from './view.js';

export const bookmarkReads: ReadDefinition<Bookmark, BookmarkView> = {
  family: 'bookmarks',
  not_found: 'bookmark-not-found',
  when_hidden: 'forbidden',
  mayRead: (context) => Access.of(context).is_owner,
  visible: (context) => (Access.of(context).is_owner ? 'all' : []),
  present: presentBookmark,
};
