import type { RecordBase } from '../kernel/record.js';
import type { DriveState, Records } from '../foundation/state.js';

/**
 * Values of the labels on a record, in the order of pinning. They are joined on read, so a changed value appears at
 * once.
 */
export function labelValues(state: DriveState, { label_ids = [] }: RecordBase): string[] {
  return label_ids.flatMap((label_id) => state.labels.get(label_id)?.value ?? []);
}

/** The label with that id or value (case-insensitive); undefined if there is none. */
export function findLabel(state: DriveState, id_or_value: string): Records['labels'] | undefined {
  return state.labels.get(id_or_value) ?? state.labels.where('value', id_or_value.toLowerCase())[0];
}

/** Ids of the labels with these values (case-insensitive), each once; unknown values are ignored. */
export function labelIds(state: DriveState, values: readonly string[]): readonly string[] {
  const ids = values.flatMap((value) => [...state.labels.by('value', value.toLowerCase())]);
  return [...new Set(ids)];
}

/** The record without the label. Without labels it lacks the member. */
export function withoutLabel<R extends RecordBase>(record: R, label_id: string): R {
  const { label_ids = [], ...rest } = record;
  const kept = label_ids.filter((id) => id !== label_id);
  return (kept.length > 0 ? { ...rest, label_ids: kept } : rest) as R;
}
