import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import type { Point } from './record.js';
import { event } from '../foundation/events.js';
import { decidedBy, namedCommands } from '../foundation/commands.js';
import { Access } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { type BookmarkView, presentBookmark } from './reads.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

export interface CreateBookmark {
  name: string;
  note?: string;
  /**
   * The resolved point, or the refusal of an invalid one. Absent: the current point, before the command's own event.
   */
  point?: Point | Refusal;
}

export interface DeleteBookmark {
  name: string;
}

export const createBookmark: Decider<CreateBookmark> = (context, command) => {
  const { state, caller, now } = context;
  const access = Access.of(context);
  const allowed = access.owner();
  if (!allowed) return access.denied();
  const point = command.point ?? { revision: state.revision, at_ms: now };
  if (isRefusal(point)) return point;
  const { name, note = '' } = command;
  if (state.bookmarks.has(name))
    return refuse('bookmark-exists', { pointer: '/name', reason: 'is in use' });
  return accept(
    allowed,
    event('BookmarkCreated', { name, point, note, created_by: caller.user_id }),
  );
};

export const deleteBookmark: Decider<DeleteBookmark> = (context, { name }) => {
  const access = Access.of(context);
  const allowed = access.owner();
  if (!allowed) return access.denied();
  if (!context.state.bookmarks.has(name)) return refuse('bookmark-not-found');
  return accept(allowed, event('BookmarkDeleted', { name }));
};

export const bookmarkDeletedView = view('BookmarkDeleted', {
  name: text({ example: 'year-end' }),
  deleted: flag<true>({ example: true }),
});
export type BookmarkDeleted = Shown<typeof bookmarkDeletedView>;

export const bookmarkCommands = namedCommands({
  CreateBookmark: decidedBy<CreateBookmark, BookmarkView>(createBookmark, {
    answer: (context, { name }) => presentBookmark(context, context.state.bookmarks.get(name)!),
  }),

  DeleteBookmark: decidedBy<DeleteBookmark, BookmarkDeleted>(deleteBookmark, {
    answer: (_, { name }) => ({ name, deleted: true }),
  }),
});
