import { accept, type Context, type Decider } from '../../foundation/decision.js';
import { decidedBy } from '../../foundation/commands.js';
import { event } from '../../foundation/events.js';
import type { DriveState } from '../../foundation/state.js';
import { bodyOf } from '../../kernel/fields.js';
import { refuse } from '../../kernel/refusal.js';
import type { Disk } from '../../disks/record.js';
import type { FileVersion } from '../record.js';

const DAY_MS = 86_400_000;

/** Ends the retention of former versions; run by the service itself. */
export interface ReleaseVersions {
  version_ids: readonly string[];
}

interface ContentsToDelete {
  content_ids: readonly string[];
}

export interface Swept {
  /** Ids that the command has released or deleted. */
  readonly ids: readonly string[];
}

/** True if a former version has bytes that its disk's settings no longer keep. */
export function isOutdated(state: DriveState, version: FileVersion, now: number): boolean {
  const file = state.files.get(version.file_id);
  const disk = file && state.disks.get(file.disk_id);
  if (!version.content_id || !disk) return false;
  const { keep_versions, keep_versions_days } = disk;
  const is_too_old =
    keep_versions_days != null && supersededAt(state, version) + keep_versions_days * DAY_MS <= now;
  // The current version counts as one.
  const is_too_many =
    keep_versions != null && file.file_version - version.file_version >= keep_versions;
  return is_too_old || is_too_many;
}

/** True for disks that do not keep all former versions. */
export function limitsVersions({ keep_versions, keep_versions_days }: Disk): boolean {
  return keep_versions != null || keep_versions_days != null;
}

/** When the next version was created, ms. */
function supersededAt(state: DriveState, { file_id, next_version }: FileVersion): number {
  const next = state.file_versions.get(next_version);
  return next ? next.created_at : state.files.get(file_id)!.version_at;
}

const releaseVersions: Decider<ReleaseVersions> = ({ state, now, caller }, { version_ids }) => {
  if (caller.via !== 'SYSTEM') return refuse('forbidden');
  const released = version_ids.filter((id) => {
    const version = state.file_versions.get(id);
    return version !== undefined && isOutdated(state, version, now);
  });
  if (released.length === 0) return accept(['SYSTEM']);
  return accept(['SYSTEM'], event('VersionsReleased', { version_ids: released }));
};

/** True if the bytes of a content may go. */
export function isDeletable(
  state: DriveState,
  content_id: string,
  retention_ms: number,
  now: number,
): boolean {
  const unused_since = state.contents.get(content_id)?.unused_since ?? 0;
  return unused_since > 0 && unused_since + retention_ms <= now;
}

/** Deletes those of the contents that may go. */
function deletionOf(mayGo: (context: Context, content_id: string) => boolean) {
  return decidedBy<ContentsToDelete, Swept>(
    (context, command) => {
      if (context.caller.via !== 'SYSTEM') return refuse('forbidden');
      const content_ids = command.content_ids.filter((id) => mayGo(context, id));
      if (content_ids.length === 0) return accept(['SYSTEM']);
      return accept(['SYSTEM'], event('ContentsDeleted', { content_ids }));
    },
    {
      answer: (_, __, events) => ({ ids: bodyOf(events, 'ContentsDeleted')?.content_ids ?? [] }),
    },
  );
}

export const retentionCommands = {
  ReleaseVersions: decidedBy<ReleaseVersions, Swept>(releaseVersions, {
    answer: (_, __, events) => ({ ids: bodyOf(events, 'VersionsReleased')?.version_ids ?? [] }),
  }),

  /** Deletes contents that no version names any more; run by the service itself. */
  DeleteContents: deletionOf(({ state, settings, now }, id) =>
    isDeletable(state, id, settings.content_retention_ms, now),
  ),

  /** Removes contents whose bytes an import has not brought; run by the service itself. */
  RemoveLostContents: deletionOf(({ state }, id) => state.contents.has(id)),
};
