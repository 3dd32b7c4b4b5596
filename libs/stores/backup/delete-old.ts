import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentFiles } from '../../content-store/files/content-files.js';
import { keysOf, pathOf } from './keys.js';
import { backupsIn, CONTENTS, readContentList, sync, UNFINISHED } from './manifest.js';

export interface Deleted {
  readonly backups: readonly string[];
  readonly contents: number;
}

/**
 * Deletes all but the last backups of a folder, then the contents that none of the others lists. Interrupted, it leaves
 * contents too many, which the next call deletes.
 * @param keep at least 1
 */
export async function deleteOldBackups(
  to: string,
  keep: number,
  signal: AbortSignal,
): Promise<Deleted> {
  const names = await backupsIn(to);
  const backups = names.slice(0, -keep);
  for (const name of backups) {
    const unfinished = join(to, `${UNFINISHED}${name}`);
    await rename(join(to, name), unfinished);
    await rm(unfinished, { recursive: true });
  }
  await sync(to);
  const listed = new Set<string>();
  for (const name of names.slice(-keep))
    for (const one of await readContentList(join(to, name))) listed.add(pathOf(one));
  const store = await ContentFiles.open(join(to, CONTENTS));
  let contents = 0;
  for (const key of await keysOf(store)) {
    signal.throwIfAborted();
    if (listed.has(pathOf(key))) continue;
    await store.delete(key);
    contents++;
  }
  await store.close();
  return { backups, contents };
}
