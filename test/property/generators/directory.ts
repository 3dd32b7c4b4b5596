import { CONFLICT_RESOLUTIONS } from '../../../libs/domain/directory/commands.js';
import type { directoryCommands } from '../../../libs/domain/directory/definitions.js';
import { isOwnStorage } from '../../../libs/domain/disks/record.js';
import { byService, type MakersOf } from './maker.js';
import { type Means, NOTES } from './means.js';

/** True for items on disks whose content the service stores. */
const isStored = (state: Means['state']) => (item: { disk_id: string }) => {
  const disk = state.disks.get(item.disk_id);
  return disk !== undefined && isOwnStorage(disk);
};

/** Mostly a folder whose files can have content. */
function storedFolder({ state, id }: Means): string {
  const folders = [...state.folders.values()].filter(isStored(state));
  return id(
    folders.map((folder) => folder.id),
    'FolderID_',
  );
}

const itemName = ({ chance, made }: Means): string =>
  chance.of(['a.txt', 'b', 'c: d', `Item ${made}`]);

const freshIds = (kind: 'File' | 'Folder', { fresh }: Means) => ({
  id: fresh(`${kind}ID_`),
  version_id: fresh('FileVersionID_'),
  permission_id: fresh('DirectoryPermissionID_own'),
});

const receivedContent = ({ chance, made, fresh }: Means) => ({
  content_id: fresh('ContentID_'),
  sha256: made.toString(16).padStart(64, '0'),
  size: chance.of([0, 1, 70_000]),
  media_type: 'text/plain',
});

const create = (kind: 'File' | 'Folder') => (means: Means) => {
  const { chance, state, now, made, external, chosen, item, note } = means;
  const parent = state.folders.get(chance.once(2) ? storedFolder(means) : item('Folder'));
  return {
    ...chosen(`${kind}ID_`),
    name: itemName(means),
    parent_folder_uuid: parent?.id ?? 'FolderID_nobody',
    disk_id: parent?.disk_id ?? 'DiskID_nobody',
    file_size: made,
    file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
    has_sovereign_permissions: chance.once(5),
    ...chance.maybe('expires_at', chance.of([-1, -1, now + 60_000])),
    ...chance.maybe('labels', [...state.labels.values()].map(({ value }) => value).slice(0, 2)),
    ...chance.maybe('notes', note()),
    ...external,
    fresh: freshIds(kind, means),
  };
};

const update = (kind: 'File' | 'Folder') => (means: Means) => {
  const { chance, made, item } = means;
  return {
    id: item(kind),
    ...chance.maybe('name', chance.of(['a.txt', 'b', `Renamed ${made}`])),
    ...chance.maybe('notes', chance.of([null, ...NOTES])),
    ...chance.maybe('labels', []),
  };
};

const transfer = (kind: 'File' | 'Folder') => (means: Means) => {
  const { chance, item, fresh } = means;
  return {
    id: item(kind),
    destination_folder_id: item('Folder'),
    file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
    fresh: { id: fresh(`${kind}ID_copy`) },
  };
};

const remove = (kind: 'File' | 'Folder') => (means: Means) => ({
  id: means.item(kind),
  permanent: means.chance.once(4),
});

/** Mostly a file whose content the service stores; every second time one that has content already. */
function uploadTarget({ chance, state, item, id }: Means): string {
  if (chance.once(12)) return item('File');
  const files = [...state.files.values()].filter(isStored(state));
  const stored = files.filter(({ content_id }) => content_id);
  const targets = stored.length > 0 && chance.once(2) ? stored : files;
  return id(
    targets.map((file) => file.id),
    'FileID_',
  );
}

export const directoryMakers: MakersOf<typeof directoryCommands> = {
  CreateFile: create('File'),
  CreateFolder: create('Folder'),
  UpdateFile(means) {
    const { chance, state, fresh } = means;
    const versions = [...state.file_versions.values()].filter(({ content_id }) => content_id);
    const restored = chance.once(4) && versions.length > 0 ? chance.of(versions) : undefined;
    return {
      ...update('File')(means),
      ...chance.maybe('request_presigned_url', true),
      ...(restored && { id: restored.file_id, restore_version_id: restored.id }),
      fresh: { version_id: fresh('FileVersionID_') },
    };
  },
  UpdateFolder: update('Folder'),
  DeleteFile: remove('File'),
  DeleteFolder: remove('Folder'),
  CopyFile: transfer('File'),
  CopyFolder: transfer('Folder'),
  MoveFile: transfer('File'),
  MoveFolder: transfer('Folder'),
  RestoreTrash({ chance, state, id }) {
    const trashed = [...state.files.values(), ...state.folders.values()]
      .filter(({ trashed_by }) => trashed_by)
      .map(({ id: trashed_id }) => trashed_id);
    return {
      id: id(trashed, 'FileID_'),
      file_conflict_resolution: chance.of(CONFLICT_RESOLUTIONS),
      fresh: { folder_ids: [] },
    };
  },
  StoreContent(means) {
    const { chance, fresh } = means;
    return {
      id: uploadTarget(means),
      ...(chance.once(4) && { version_id: fresh('FileVersionID_form') }),
      content: receivedContent(means),
      fresh: { version_id: fresh('FileVersionID_') },
    };
  },
  PutFile(means) {
    const { chance, item } = means;
    return {
      parent_folder_uuid: chance.once(4) ? item('Folder') : storedFolder(means),
      name: itemName(means),
      content: receivedContent(means),
      fresh: freshIds('File', means),
    };
  },
  ReleaseVersions: byService(({ state }) => ({
    version_ids: [...state.file_versions.ids(), 'FileVersionID_nobody'],
  })),
  DeleteContents: byService(({ state }) => ({
    content_ids: [...state.contents.ids(), 'ContentID_nobody'],
  })),
  RemoveLostContents: byService(({ state }) => ({
    content_ids: [...state.contents.ids()].slice(0, 1),
  })),
  SweepExpired: byService(() => ({ most: 10 })),
};
