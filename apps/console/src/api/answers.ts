import type { components } from '../../../../libs/client/src/index.js';

type Schemas = components['schemas'];

export type Bookmark = Schemas['Bookmark'];
export type Breadcrumb = Schemas['Breadcrumb'];
export type DirectoryPage = Schemas['DirectoryPage'];
export type EventChange = Schemas['EventChange'];
export type EventTimeline = Schemas['EventTimeline'];
export type FileVersion = Schemas['FileVersion'];
export type HistoryItem = Schemas['HistoryItem'];
export type TimelineEventType = Schemas['TimelineEventType'];

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly cursor_down: string | null;
  readonly cursor_up: string | null;
}
