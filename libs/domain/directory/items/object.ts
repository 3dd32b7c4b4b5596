import type { Context } from '../../foundation/decision.js';
import type { DriveState } from '../../foundation/state.js';
import type { FileRecord } from '../record.js';

type Stored = Pick<
  FileRecord,
  'id' | 'version_id' | 'extension' | 'object_name' | 'keyed_by_version'
>;

/** Extensions that are allowed in a key. Others could be parsed as part of a path or a form. */
const PLAIN_EXTENSION = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * The name of a file's stored object, from its id, version and extension at the time of the upload:
 * `<file id>/<version id>.<extension>`. A new version therefore never overwrites an earlier one. Older releases used
 * `<file id>.<extension>` for all versions.
 */
export function objectNameOf(file: Stored): string {
  const { id, version_id, extension, object_name, keyed_by_version } = file;
  if (object_name !== null) return object_name;
  if (!keyed_by_version) return `${id}.${extension}`;
  const ending = PLAIN_EXTENSION.test(extension) ? `.${extension}` : '';
  return `${id}/${version_id}${ending}`;
}

/** Key of a file's content in its disk's bucket. */
export function objectKeyOf(state: DriveState, file: Stored & { disk_id: string }): string {
  const name = objectNameOf(file);
  const in_disk = name.includes('/') ? name : `${name.slice(0, name.lastIndexOf('.'))}/${name}`;
  return `${state.drive_id}/${file.disk_id}/${in_disk}`;
}

/** The URL of a file's content at the service, without the extension. */
export function assetUrl(host_url: string, drive_id: string, file_id: string): string {
  return `${host_url}/v1/drive/${drive_id}/directory/asset/${file_id}`;
}

/**
 * The client's URL of the content; `''` for the file's own URL at the service. Clients return that one as they received
 * it, and storing it would create a redirect loop.
 */
export function ownRawUrl({ settings, state }: Context, raw_url: string, file_id: string): string {
  const own = assetUrl(settings.host_url, state.drive_id, file_id);
  return raw_url === own || raw_url.startsWith(`${own}.`) ? '' : raw_url;
}
