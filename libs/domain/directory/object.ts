import type { DriveState } from '../drive/state.js';
import type { FileRecord } from './record.js';

type Stored = Pick<FileRecord, 'id' | 'extension' | 'object_name'>;

/** Name of a file's stored object: `<file id>.<extension>`, both as they were when it was uploaded. */
export function objectNameOf({ id, extension, object_name }: Stored): string {
  return object_name ?? `${id}.${extension}`;
}

/** Key of a file's content in its disk's bucket. */
export function objectKeyOf(state: DriveState, file: Stored & { disk_id: string }): string {
  const name = objectNameOf(file);
  return `${state.drive_id}/${file.disk_id}/${name.slice(0, name.lastIndexOf('.'))}/${name}`;
}

/** What is asked for at the service, without the extension. */
export function assetUrl(host_url: string, drive_id: string, file_id: string): string {
  return `${host_url}/v1/drive/${drive_id}/directory/asset/${file_id}`;
}
