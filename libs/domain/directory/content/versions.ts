import { Access } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.js';
import { flag, integer, nullable, type Shown, text, view } from '../../kernel/view.js';
import { findItem } from '../items/find.js';
import { objectNameOf } from '../items/object.js';
import { holds } from '../items/rights.js';
import type { FileContent, FileRecord } from '../record.js';
import { isCloud } from '../../disks/record.js';

/** A version of a file, current or former, in one form. */
export interface Version extends FileContent {
  readonly id: string;
  readonly file_version: number;
  readonly created_by: string;
  readonly created_at: number;
  readonly is_current: boolean;
  /** Name of its object in the disk's bucket; absent if there is none. */
  readonly object_name?: string | undefined;
}

export const versionView = view('FileVersion', {
  version_id: text({ example: 'FileVersionID_3f0c…' }),
  file_version: integer('1, 2, …'),
  extension: text({ example: 'pdf' }),
  sha256: nullable(text('SHA-256 of the content, hex; null if unknown')),
  size: integer('Bytes'),
  media_type: nullable(text()),
  created_by: text('A user id'),
  created_at: integer('ms'),
  is_current: flag(),
  content_available: flag('True if the content can be downloaded'),
});
export type VersionView = Shown<typeof versionView>;

export function presentVersion(context: Context, file: FileRecord, version: Version): VersionView {
  return {
    version_id: version.id,
    file_version: version.file_version,
    extension: version.extension,
    sha256: version.sha256 ?? null,
    size: version.file_size,
    media_type: version.media_type ?? null,
    created_by: version.created_by,
    created_at: version.created_at,
    is_current: version.is_current,
    content_available: isAvailable(context, file.disk_id, version),
  };
}

/** True if the content of a version can be downloaded. */
export function isAvailable(
  { state }: Context,
  disk_id: string,
  version: FileContent & { readonly object_name?: string | null | undefined },
): boolean {
  if (version.raw_url) return true;
  if (version.content_id) return state.contents.has(version.content_id);
  const disk = state.disks.get(disk_id);
  return disk !== undefined && isCloud(disk) && version.upload_status === 'COMPLETED';
}

export function currentVersion(file: FileRecord): Version {
  return {
    ...contentOf(file),
    id: file.version_id,
    file_version: file.file_version,
    created_by: file.version_by,
    created_at: file.version_at,
    is_current: true,
    object_name: objectNameOf(file),
  };
}

function contentOf(version: FileContent): FileContent {
  const { extension, file_size, raw_url, upload_status, content_id, sha256, media_type } = version;
  return {
    ...{ extension, file_size, raw_url, upload_status },
    ...((sha256 ?? media_type) && { content_id, sha256, media_type }),
  } as FileContent;
}

/** A version of a file; undefined if the file has no such version. */
export function versionOf(
  { state }: Context,
  file: FileRecord,
  version_id: string,
): Version | undefined {
  if (version_id === file.version_id) return currentVersion(file);
  const version = state.file_versions.get(version_id);
  return version?.file_id === file.id ? { ...version, is_current: false } : undefined;
}

/** True if the caller may read former versions: they may contain what was removed on purpose. */
export function mayReadFormer(access: Access, file: FileRecord): boolean {
  return holds(access, 'EDIT', file.id) !== null || access.can('VIEW', 'TABLE_AUDIT');
}

/** A file with all its versions, the newest first, for callers who may read them. */
export function listVersions(
  context: Context,
  file_id: string,
): { file: FileRecord; versions: Version[] } | Refusal {
  const file = findItem(context, 'file', file_id);
  if (isRefusal(file)) return file;
  const access = Access.of(context);
  if (!mayReadFormer(access, file)) return access.denied(file.id);
  const former = context.state.file_versions
    .where('file', file_id)
    .map((version): Version => ({ ...version, is_current: false }))
    .sort((one, other) => other.file_version - one.file_version);
  return { file, versions: [currentVersion(file), ...former] };
}

/** The version that becomes the current one again. */
export function restorable(
  context: Context,
  file: FileRecord,
  version_id: string,
): Version | Refusal {
  const version = versionOf(context, file, version_id);
  if (!version || version.is_current)
    return refuse('version-not-found', {
      pointer: '/restore_version_id',
      reason: version ? 'is the current version' : 'is no version of this file',
    });
  if (isAvailable(context, file.disk_id, version)) return version;
  return refuse('content-gone', {
    pointer: '/restore_version_id',
    reason: version.sha256
      ? `had the content with SHA-256 ${version.sha256}`
      : 'has no content that can be restored',
  });
}
