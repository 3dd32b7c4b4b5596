import { family } from '../foundation/family.js';
import { bookmarkCommands } from './commands.js';
import {
  type BookmarkEvents,
  bookmarkEvolvers,
  bookmarkSchemas,
  bookmarkSummaries,
} from './events.js';
import { bookmarkReads } from './reads.js';
import { bookmarkFamily, bookmarkRefusals } from './record.js';

/** Named points of the history. */
export const bookmarks = family<BookmarkEvents>()({
  records: { bookmarks: bookmarkFamily },
  events: bookmarkSchemas,
  evolve: bookmarkEvolvers,
  summaries: bookmarkSummaries,
  refusals: bookmarkRefusals,
  reads: { bookmarks: bookmarkReads },
  commands: bookmarkCommands,
});
