import type { DriveState } from '../../foundation/state.js';

/** Ids of the labels with these values (case-insensitive), each once; unknown values are ignored. */
export function labelIds(state: DriveState, values: readonly string[]): readonly string[] {
  const ids = values.flatMap((value) => [...state.labels.by('value', value.toLowerCase())]);
  return [...new Set(ids)];
}
