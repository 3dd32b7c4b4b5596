import type { DriveState } from '../../foundation/state.js';
import type { FileRecord } from '../record.js';

type Stored = Pick<
  FileRecord,
  'id' | 'version_id' | 'extension' | 'object_name' | 'keyed_by_version'
>;

/** Extensions that stand in a key. Others could be read there as part of a path or of a form. */
const PLAIN_EXTENSION = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * Name of a file's stored object, as its id, version and extension were when it was uploaded:
 * `<file id>/<version id>.<extension>`, so that a new version never takes the place of the one before.
 * Before versions had objects of their own it was `<file id>.<extension>`.
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

/** What is asked for at the service, without the extension. */
export function assetUrl(host_url: string, drive_id: string, file_id: string): string {
  return `${host_url}/v1/drive/${drive_id}/directory/asset/${file_id}`;
}
