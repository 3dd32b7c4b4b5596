import { directoryCommands } from '../../libs/domain/directory/definitions.js';
import { diskCommands } from '../../libs/domain/disks/commands.js';
import { sha256Hex } from '../../libs/engine/proofs/hashing.js';
import { DAY_MS, disk, type Steps } from './golden-run.js';

const { CreateFile, StoreContent, UpdateFile, ReleaseVersions, DeleteContents } = directoryCommands;
const { PutFile, RemoveLostContents } = directoryCommands;
const SERVICE = { kind: 'system' } as const;

const fresh = (nth: number) => ({
  id: `FileID_c${nth}`,
  version_id: `FileVersionID_c${nth}`,
  permission_id: `DirectoryPermissionID_own-c${nth}`,
});
const received = (nth: number) => ({
  content_id: `ContentID_${nth}`,
  sha256: sha256Hex(`content ${nth}`),
  size: 9,
  media_type: 'text/plain; charset=utf-8',
});
const stored = (nth: number) => ({
  id: 'FileID_c1',
  content: received(nth),
  fresh: fresh(nth),
});

/** Commands of the content of files on a disk of the service. */
export const content = {
  async StoreContent({ run }) {
    await run(diskCommands.CreateDisk, {
      name: 'Files',
      disk_type: 'LOCAL_SSD',
      quota_bytes: 1_000_000,
      keep_versions: 2,
      fresh: disk(9),
    });
    await run(CreateFile, {
      ...{ name: 'stored.txt', parent_folder_uuid: 'FolderID_root-9', disk_id: 'DiskID_9' },
      file_size: 5,
      fresh: fresh(1),
    });
    for (const nth of [1, 2, 3]) await run(StoreContent, stored(nth));
  },
  async ReleaseVersions({ run }) {
    const restored = { id: 'FileID_c1', restore_version_id: 'FileVersionID_c2', fresh: fresh(4) };
    await run(UpdateFile, restored);
    const version_ids = ['FileVersionID_c1', 'FileVersionID_c2'];
    await run(ReleaseVersions, { version_ids }, SERVICE);
  },
  DeleteContents({ run, spec }) {
    spec.now += 31 * DAY_MS;
    const content_ids = ['ContentID_1', 'ContentID_2', 'ContentID_3'];
    return run(DeleteContents, { content_ids }, SERVICE);
  },
  async RemoveLostContents({ run }) {
    await run(StoreContent, stored(5));
    await run(RemoveLostContents, { content_ids: ['ContentID_5'] }, SERVICE);
  },
  async PutFile({ run }) {
    const target = { parent_folder_uuid: 'FolderID_root-9', name: 'put.txt' };
    for (const nth of [6, 7])
      await run(PutFile, { ...target, content: received(nth), fresh: fresh(nth) });
  },
} satisfies Steps;
