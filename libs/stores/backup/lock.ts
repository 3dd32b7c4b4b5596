import { DataFolderInUse, ensureFolder, lockFolder } from '../../event-store/sqlite/index.js';
import { overlapsData } from './overlap.js';

/** The folder of backups and the data folder share files: a backup would delete what it copies. */
export class TargetIsData extends Error {
  override readonly name = 'TargetIsData';
}

/** Another process makes or deletes backups in the folder: this one would delete what it has begun. */
export class BackupInProgress extends Error {
  override readonly name = 'BackupInProgress';
}

/**
 * Creates a missing folder of backups, and locks it until the returned function is called or the process ends in any
 * way. `backUp` and `deleteOldBackups` need the lock.
 * @throws TargetIsData; BackupInProgress; FolderUnusable; StoreUnusable
 */
export async function lockBackups(to: string, data_dir: string): Promise<() => void> {
  if (await overlapsData(to, data_dir))
    throw new TargetIsData(
      `${to} is the data folder ${data_dir}, or one of them lies in the other; name another folder.`,
    );
  ensureFolder(to);
  try {
    return lockFolder(to);
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    throw new BackupInProgress(
      `Another backup into ${to} is in progress; repeat this one after its end.`,
      { cause: error },
    );
  }
}
