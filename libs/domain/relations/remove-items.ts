import type { DriveState, Records } from '../foundation/state.js';
import { forEach, type Steps } from '../kernel/steps.js';
import { removeGrantsOn, removeRecord } from './cascade.js';
import { noteIfUnused } from './contents.js';
import { findContent, isFile, itemOf } from './directory-tree.js';

/**
 * Removes a file with its versions, or a folder with its content, and all grants on them.
 * @param at_ms time of the event
 */
export function* removeItem(state: DriveState, item_id: string, at_ms: number): Steps {
  const item = itemOf(state, item_id);
  if (!item) return;
  if (isFile(item)) return yield* removeFile(state, item, at_ms);
  const { folders, files } = yield* findContent(state, item_id, () => true);
  for (const file of files) yield* removeFile(state, file, at_ms);
  for (const { id } of [item, ...folders]) yield* removeFolder(state, id);
}

export function* removeFolder(state: DriveState, id: string): Steps {
  yield* removeRecord(state, state.folders, id);
  yield;
}

export function* removeFile(state: DriveState, file: Records['files'], at_ms: number): Steps {
  const { id } = file;
  yield* removeGrantsOn(state, id);
  const versions = state.file_versions.where('file', id);
  yield* forEach(versions, (version) => state.file_versions.remove(version.id));
  state.files.remove(id);
  yield* forEach([file, ...versions], ({ content_id }) => noteIfUnused(state, content_id, at_ms));
  yield;
}
