import type { EventSchemas } from '../kernel/event.js';
import type { Point } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import type { Summaries } from '../foundation/summary-context.js';

export interface BookmarkEvents {
  /** A point got a name. Neither the name nor the point ever changes. */
  BookmarkCreated: { name: string; point: Point; note: string; created_by: string };
  BookmarkDeleted: { name: string };
}

export const bookmarkSchemas: EventSchemas<BookmarkEvents> = {
  BookmarkCreated: { version: 1 },
  BookmarkDeleted: { version: 1 },
};

export const bookmarkEvolvers: Evolvers<BookmarkEvents> = {
  BookmarkCreated(state, { name, point, note, created_by }, { timestamp_ms }) {
    state.bookmarks.put({ id: name, point, note, created_by, created_at: timestamp_ms });
  },

  BookmarkDeleted(state, { name }) {
    state.bookmarks.remove(name);
  },
};

export const bookmarkSummaries: Summaries<BookmarkEvents> = {
  BookmarkCreated: ({ actor }, { name, point }) =>
    `${actor} named revision ${point.revision} ${name}`,

  BookmarkDeleted: ({ actor }, { name }) => `${actor} deleted the bookmark ${name}`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends BookmarkEvents {}
}
