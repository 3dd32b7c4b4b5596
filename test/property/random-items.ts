import { CONFLICT_RESOLUTIONS } from '../../libs/domain/directory/commands.js';
import { directoryCommands } from '../../libs/domain/directory/definitions.js';
import { diskCommands } from '../../libs/domain/disks/commands.js';
import { DISK_TYPES } from '../../libs/domain/disks/record.js';
import { type Means, NOTES } from './random-means.js';

/** Commands of disks and what lies on them. */
export const itemCommands = { ...diskCommands, ...directoryCommands };

export type ItemName = keyof typeof itemCommands;

export function itemCommand(name: ItemName, means: Means): unknown {
  const { chance, state, now, made, disk, external } = means;
  const { note, item, id, fresh, chosen } = means;
  switch (name) {
    case 'CreateDisk':
      return {
        ...chosen('DiskID_'),
        name: `Disk ${made}`,
        disk_type: chance.of(DISK_TYPES),
        auth_json:
          '{"endpoint":"https://s3.example","access_key":"a","secret_key":"b","bucket":"c","region":"d"}',
        ...external,
        fresh: disk,
      };
    case 'UpdateDisk':
      return {
        id: id(state.disks.ids(), 'DiskID_'),
        name: `Renamed ${made}`,
        ...chance.maybe('public_note', note()),
        ...chance.maybe('auth_json', null),
      };
    case 'DeleteDisk':
      return { id: id(state.disks.ids(), 'DiskID_') };
    case 'CreateFile':
    case 'CreateFolder': {
      const parent = state.folders.get(item('Folder'));
      return {
        ...chosen(name === 'CreateFile' ? 'FileID_' : 'FolderID_'),
        name: chance.of(['a.txt', 'b', 'c: d', `Item ${made}`]),
        parent_folder_uuid: parent?.id ?? 'FolderID_nobody',
        disk_id: parent?.disk_id ?? 'DiskID_nobody',
        file_size: made,
        file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
        has_sovereign_permissions: chance.once(5),
        ...chance.maybe('expires_at', chance.of([-1, -1, now + 60_000])),
        ...chance.maybe('labels', [...state.labels.values()].map(({ value }) => value).slice(0, 2)),
        ...chance.maybe('notes', note()),
        fresh: {
          id: fresh(name === 'CreateFile' ? 'FileID_' : 'FolderID_'),
          version_id: fresh('FileVersionID_'),
          permission_id: fresh('DirectoryPermissionID_own'),
        },
      };
    }
    case 'UpdateFile':
    case 'UpdateFolder':
      return {
        id: item(name),
        ...chance.maybe('name', chance.of(['a.txt', 'b', `Renamed ${made}`])),
        ...chance.maybe('notes', chance.of([null, ...NOTES])),
        ...chance.maybe('labels', []),
        ...(name === 'UpdateFile' && chance.maybe('request_presigned_url', true)),
      };
    case 'DeleteFile':
    case 'DeleteFolder':
      return { id: item(name), permanent: chance.once(4) };
    case 'CopyFile':
    case 'CopyFolder':
    case 'MoveFile':
    case 'MoveFolder':
      return {
        id: item(name),
        destination_folder_id: item('Folder'),
        file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
        fresh: { id: fresh(name === 'CopyFile' ? 'FileID_copy' : 'FolderID_copy') },
      };
    case 'RestoreTrash': {
      const trashed = [...state.files.values(), ...state.folders.values()]
        .filter(({ trashed_by }) => trashed_by)
        .map(({ id: trashed_id }) => trashed_id);
      return {
        id: id(trashed, 'FileID_'),
        file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
        fresh: { folder_ids: [] },
      };
    }
    case 'SweepExpired':
      return { most: 10 };
  }
}
