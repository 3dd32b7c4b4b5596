import type { BookmarkDeleted } from '../../../libs/domain/bookmarks/definitions.js';
import type { BookmarkView } from '../../../libs/domain/bookmarks/view.js';
import { ShownFlag, ShownInteger, ShownText } from '../records/shown.js';

export class BookmarkRecord implements BookmarkView {
  @ShownText({ example: 'year-end' }) name!: string;
  @ShownInteger({ description: 'The point: just after this event' }) revision!: number;
  @ShownInteger({ description: 'ms; windows count as of this time' }) at_ms!: number;
  @ShownText() note!: string;
  @ShownText() created_by!: string;
  @ShownInteger() created_at!: number;
}

export class BookmarkDeletedRecord implements BookmarkDeleted {
  @ShownText({ example: 'year-end' }) name!: string;
  @ShownFlag({ example: true }) deleted!: true;
}
