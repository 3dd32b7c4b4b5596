import type { Context } from '../foundation/decision.js';
import type { Bookmark } from './record.js';
import { integer, type Shown, text, view } from '../kernel/view.js';

export const bookmarkView = view('Bookmark', {
  name: text({ example: 'year-end' }),
  revision: integer('The point: just after this event'),
  at_ms: integer('ms; windows count as of this time'),
  note: text(),
  created_by: text(),
  created_at: integer(),
});
export type BookmarkView = Shown<typeof bookmarkView>;

/** A named point as its owner and auditors see it. */
export function presentBookmark(_: Context, bookmark: Bookmark): BookmarkView {
  const { id: name, point, note, created_by, created_at } = bookmark;
  return { name, ...point, note, created_by, created_at };
}
