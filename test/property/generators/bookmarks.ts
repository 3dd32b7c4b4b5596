import type { bookmarkCommands } from '../../../libs/domain/bookmarks/commands.js';
import type { MakersOf } from './maker.js';

export const bookmarkMakers: MakersOf<typeof bookmarkCommands> = {
  CreateBookmark: ({ chance, state, now, note }) => ({
    name: `mark-${chance.number() % 20}`,
    ...chance.maybe('note', note()),
    ...chance.maybe('point', { revision: state.revision, at_ms: now }),
  }),
  DeleteBookmark: ({ state, id }) => ({ name: id(state.bookmarks.ids(), 'mark-') }),
};
