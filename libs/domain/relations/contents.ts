import type { DriveState } from '../foundation/state.js';

/** Notes that a version no longer names a content: its bytes are kept for a time after the last one. */
export function noteIfUnused(
  state: DriveState,
  content_id: string | null | undefined,
  at_ms: number,
): void {
  if (!content_id || isUsed(state, content_id)) return;
  const content = state.contents.get(content_id);
  if (content) state.contents.put({ ...content, unused_since: at_ms });
}

function isUsed({ files, file_versions }: DriveState, content_id: string): boolean {
  return files.count('content', content_id) + file_versions.count('content', content_id) > 0;
}
