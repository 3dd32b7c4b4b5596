import type { DriveState } from '../../foundation/state.js';

/** Ids of the labels with these values (in any case), each once; values that no label has are passed over. */
export function labelIds(state: DriveState, values: readonly string[]): readonly string[] {
  const ids = values.flatMap((value) => [...state.labels.by('value', value.toLowerCase())]);
  return [...new Set(ids)];
}
