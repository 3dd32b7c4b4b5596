import { Access } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.js';
import { findItem } from './find.js';
import { isInTrash } from '../../relations/directory-tree.js';
import { isOwnStorage } from '../../disks/record.js';
import { currentVersion, mayReadFormer, type Version, versionOf } from '../content/versions.js';
import type { FileRecord } from '../record.js';
import { type ObjectOrder, objectOrder } from './upload.js';

export interface OwnContent {
  readonly content_id: string;
  readonly version_id: string;
  readonly sha256: string;
  readonly size: number;
  readonly media_type: string;
  readonly file_name: string;
  /** Creation time of the version, ms. */
  readonly modified_ms: number;
}

/** The place of a file's content: a URL given by the client, an object that needs a signed URL, or the service. */
type AssetPlace = { readonly url: string } | ObjectOrder | { readonly content: OwnContent };

/**
 * The place of a file's content: for callers with VIEW, anonymous ones by a grant to PUBLIC. Former versions are for
 * others: see `mayReadFormer`.
 */
export function findAsset(
  context: Context,
  file_id: string,
  version_id?: string,
): AssetPlace | Refusal {
  const file = findItem(context, 'file', file_id);
  if (isRefusal(file)) return file;
  if (isInTrash(context.state, file)) return refuse('file-not-found');
  const access = Access.of(context);
  const is_current = version_id === undefined || version_id === file.version_id;
  const may_read = is_current ? access.canDirectory('VIEW', file.id) : mayReadFormer(access, file);
  if (!may_read) return access.denied(file.id);
  const version = is_current ? currentVersion(file) : versionOf(context, file, version_id);
  if (!version) return refuse('version-not-found');
  return placeOf(context, file, version);
}

function placeOf(context: Context, file: FileRecord, version: Version): AssetPlace | Refusal {
  if (version.raw_url) return { url: version.raw_url };
  if (isOwnStorage(context.state.disks.get(file.disk_id)!)) return ownContent(file, version);
  const { object_name } = version;
  if (object_name === undefined) return refuse('no-content');
  const order = objectOrder(context, { ...file, object_name });
  return order?.auth_json ? order : refuse('content-not-served');
}

function ownContent(file: FileRecord, version: Version): AssetPlace | Refusal {
  const { content_id, sha256, media_type, file_size: size } = version;
  if (!sha256) return refuse('no-content');
  if (!content_id) return refuseGone(sha256);
  return {
    content: {
      ...{ content_id, sha256, size, media_type: media_type! },
      version_id: version.id,
      file_name: file.name,
      modified_ms: version.created_at,
    },
  };
}

/** The refusal of content that is no longer stored: its hash remains. */
export function refuseGone(sha256: string): Refusal {
  return refuse('content-gone', { pointer: '', reason: `had the SHA-256 ${sha256}` });
}
