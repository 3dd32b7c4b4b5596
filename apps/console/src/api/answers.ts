import type { components } from '../../../../libs/client/src/index.js';

type Schemas = components['schemas'];

export type AccessChange = Schemas['AccessChange'];
export type Bookmark = Schemas['Bookmark'];
export type Breadcrumb = Schemas['Breadcrumb'];
export type DeniedGrant = Schemas['DeniedGrant'];
export type Difference = Schemas['Difference'];
export type Digest = Schemas['Digest'];
export type Disk = Schemas['Disk'];
export type EventChange = Schemas['EventChange'];
export type EventTimeline = Schemas['EventTimeline'];
export type Explanation = Schemas['Explanation'];
export type FileVersion = Schemas['FileVersion'];
export type GroupPreview = Schemas['GroupPreview'];
export type HeldInterval = Schemas['HeldInterval'];
export type HistoryItem = Schemas['HistoryItem'];
export type Holder = Schemas['Holder'];
export type MemberPreview = Schemas['MemberPreview'];
export type Readiness = Schemas['Readiness'];
export type Reached = Schemas['Reached'];
export type Source = Schemas['Source'];
export type TimelineEventType = Schemas['TimelineEventType'];
export type Webhook = Schemas['Webhook'];

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly cursor_down: string | null;
  readonly cursor_up: string | null;
}
