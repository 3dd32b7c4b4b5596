import type { Context } from '../foundation/decision.js';
import type { Bookmark } from './record.js';

export interface BookmarkView {
  name: string;
  revision: number;
  at_ms: number;
  note: string;
  created_by: string;
  created_at: number;
}

/** A named point as its owner and auditors see it. */
export function presentBookmark(_: Context, bookmark: Bookmark): BookmarkView {
  const { id: name, point, note, created_by, created_at } = bookmark;
  return { name, ...point, note, created_by, created_at };
}
