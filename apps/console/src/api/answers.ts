/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly cursor_down: string | null;
  readonly cursor_up: string | null;
}

export interface EventChange {
  readonly resource_id: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface HistoryItem {
  readonly revision: number;
  readonly type: string;
  readonly timestamp_ms: number;
  readonly actor: { readonly user_id: string | null; readonly via: string };
  readonly actor_name: string;
  readonly command: string;
  readonly correlation_id: string;
  readonly allowed_by: readonly string[];
  readonly reason: string | null;
  readonly resource_ids: readonly string[];
  readonly resource_count: number;
  readonly summary: string;
  readonly changes: readonly EventChange[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

export interface TimelineBucket {
  readonly from_ms: number;
  readonly from_revision: number;
  readonly to_revision: number;
  readonly count: number;
}

export interface EventTimeline {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bucket_ms: number;
  readonly from_revision: number;
  readonly to_revision: number;
  readonly total: number;
  readonly buckets: readonly TimelineBucket[];
  readonly types: readonly TimelineEventType[];
}

export interface TimelineEventType {
  readonly type: string;
  readonly family: string;
  readonly count: number;
}

export interface Bookmark {
  readonly name: string;
  readonly revision: number;
  readonly at_ms: number;
  readonly note: string;
}

export interface Named {
  readonly id: string;
  readonly name: string;
}
