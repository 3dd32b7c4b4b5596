import type { Evolvers } from '../foundation/evolver.js';
import type { BookmarkEvents } from './events.js';

export const bookmarkEvolvers: Evolvers<BookmarkEvents> = {
  BookmarkCreated(state, { name, point, note, created_by }, { timestamp_ms }) {
    state.bookmarks.put({ id: name, point, note, created_by, created_at: timestamp_ms });
  },

  BookmarkDeleted(state, { name }) {
    state.bookmarks.remove(name);
  },
};
