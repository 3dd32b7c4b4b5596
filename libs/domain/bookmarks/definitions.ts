import type { CommandDefinition } from '../foundation/decision.js';
import type { CreateBookmark, DeleteBookmark } from './commands.js';
import { createBookmark, deleteBookmark } from './decide.js';
import { type BookmarkView, presentBookmark } from './view.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

export const bookmarkDeletedView = view('BookmarkDeleted', {
  name: text({ example: 'year-end' }),
  deleted: flag<true>({ example: true }),
});
export type BookmarkDeleted = Shown<typeof bookmarkDeletedView>;

export const bookmarkCommands = {
  CreateBookmark: {
    name: 'CreateBookmark',
    decide: createBookmark,
    answer: (context, { name }) => presentBookmark(context, context.state.bookmarks.get(name)!),
  } satisfies CommandDefinition<CreateBookmark, BookmarkView>,

  DeleteBookmark: {
    name: 'DeleteBookmark',
    decide: deleteBookmark,
    answer: (_, { name }) => ({ name, deleted: true }),
  } satisfies CommandDefinition<DeleteBookmark, BookmarkDeleted>,
};
