import { directoryCommands as directory } from '../../libs/domain/directory/definitions.js';
import { diskCommands } from '../../libs/domain/disks/commands.js';
import { sha256Hex } from '../../libs/engine/proofs/hashing.js';
import { DAY_MS, disk, type GoldenRun } from './golden-run.js';

/** Commands of the content of files on a disk of the service. */
export async function runContent({ run, spec }: GoldenRun): Promise<void> {
  await run(diskCommands.CreateDisk, {
    name: 'Files',
    disk_type: 'LOCAL_SSD',
    quota_bytes: 1_000_000,
    keep_versions: 2,
    fresh: disk(9),
  });
  const fresh = (nth: number) => ({
    id: `FileID_c${nth}`,
    version_id: `FileVersionID_c${nth}`,
    permission_id: `DirectoryPermissionID_own-c${nth}`,
  });
  await run(directory.CreateFile, {
    ...{ name: 'stored.txt', parent_folder_uuid: 'FolderID_root-9', disk_id: 'DiskID_9' },
    file_size: 5,
    fresh: fresh(1),
  });
  const store = (nth: number) =>
    run(directory.StoreContent, {
      id: 'FileID_c1',
      content: {
        content_id: `ContentID_${nth}`,
        sha256: sha256Hex(`content ${nth}`),
        size: 9,
        media_type: 'text/plain; charset=utf-8',
      },
      fresh: fresh(nth),
    });
  for (const nth of [1, 2, 3]) await store(nth);
  await run(directory.UpdateFile, {
    id: 'FileID_c1',
    restore_version_id: 'FileVersionID_c2',
    fresh: fresh(4),
  });
  await run(
    directory.ReleaseVersions,
    { version_ids: ['FileVersionID_c1', 'FileVersionID_c2'] },
    { kind: 'system' },
  );
  spec.now += 31 * DAY_MS;
  await run(
    directory.DeleteContents,
    { content_ids: ['ContentID_1', 'ContentID_2', 'ContentID_3'] },
    { kind: 'system' },
  );
}
