import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';

/** A past point of a drive: the state after `revision`, with time windows evaluated at `at_ms`. */
export interface Point {
  readonly revision: number;
  readonly at_ms: number;
}

/** A named point; its id is the name. */
export interface Bookmark extends RecordBase {
  readonly point: Point;
  readonly note: string;
  readonly created_by: string;
  readonly created_at: number;
}

export const bookmarkFamily: FamilyDefinition<Bookmark> = {
  name: 'bookmarks',
  defaults: { note: '' },
  user_fields: ['created_by'],
  uncounted_in_superswap: true,
  // Users choose the names, and may reuse the name of a deleted bookmark.
  reusable_ids: true,
};

/** Refusals of this family's commands and queries. */
export const bookmarkRefusals = {
  'bookmark-not-found': notFound('bookmark'),
  'bookmark-exists': {
    type: 'bookmark.exists',
    status: 409,
    title: 'A bookmark with this name already exists.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    bookmarks: Bookmark;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof bookmarkRefusals> {}
}
