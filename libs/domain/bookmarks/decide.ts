import { event } from '../foundation/events.js';
import { Access } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { isRefusal, refuse } from '../kernel/refusal.js';
import type { CreateBookmark, DeleteBookmark } from './commands.js';

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
