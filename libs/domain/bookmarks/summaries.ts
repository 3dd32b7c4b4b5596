import type { Summaries } from '../foundation/summary-context.js';
import type { BookmarkEvents } from './events.js';

export const bookmarkSummaries: Summaries<BookmarkEvents> = {
  BookmarkCreated: ({ actor }, { name, point }) =>
    `${actor} named revision ${point.revision} ${name}`,

  BookmarkDeleted: ({ actor }, { name }) => `${actor} deleted the bookmark ${name}`,
};
