import type { EventSchemas } from '../kernel/event.js';
import type { Point } from './record.js';

export interface BookmarkEvents {
  /** A point got a name. Neither the name nor the point ever changes. */
  BookmarkCreated: { name: string; point: Point; note: string; created_by: string };
  BookmarkDeleted: { name: string };
}

export const bookmarkSchemas: EventSchemas<BookmarkEvents> = {
  BookmarkCreated: { version: 1 },
  BookmarkDeleted: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends BookmarkEvents {}
}
