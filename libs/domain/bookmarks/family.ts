import { family } from '../foundation/family.js';
import { bookmarkCommands } from './definitions.js';
import { type BookmarkEvents, bookmarkSchemas } from './events.js';
import { bookmarkEvolvers } from './evolve.js';
import { bookmarkReads } from './reads.js';
import { bookmarkFamily, bookmarkRefusals } from './record.js';
import { bookmarkSummaries } from './summaries.js';

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
