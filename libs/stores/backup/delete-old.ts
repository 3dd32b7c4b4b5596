import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentFiles } from '../../content-store/files/content-files.js';
import { sync } from '../../content-store/files/large-contents.js';
import type { ContentKey } from '../../content-store/port.js';
import { keysOf, pathOf } from './keys.js';
import { backupsIn, CONTENTS, readContentList, UNFINISHED } from './manifest.js';

export interface Deleted {
  readonly backups: readonly string[];
  readonly contents: number;
}

/**
 * Deletes all but the last backups of a folder, then the contents that no other backup lists. If the last backup lacks
 * a content, the last one that has it is kept too. Interrupted, it leaves contents too many, which the next call
 * deletes. The caller holds the lock of the folder (`lockBackups`).
 * @param keep at least 1
 * @param missing contents that the last backup should have and has not
 */
export async function deleteOldBackups(
  to: string,
  keep: number,
  missing: readonly ContentKey[],
  signal: AbortSignal,
): Promise<Deleted> {
  const names = await backupsIn(to);
  const kept = await keptOf(to, names, keep, missing);
  const backups = names.filter((name) => !kept.includes(name));
  for (const name of backups) {
    const unfinished = join(to, `${UNFINISHED}${name}`);
    await rename(join(to, name), unfinished);
    await rm(unfinished, { recursive: true });
  }
  await sync(to);
  const listed = new Set<string>();
  for (const name of kept)
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

/** The last backups, and for each missing content the last one that has it. */
async function keptOf(
  to: string,
  names: readonly string[],
  keep: number,
  missing: readonly ContentKey[],
): Promise<readonly string[]> {
  const sought = new Set(missing.map(pathOf));
  const kept: string[] = [];
  for (const [at, name] of names.toReversed().entries()) {
    const listed = sought.size > 0 ? await readContentList(join(to, name)) : [];
    const found = listed.map(pathOf).filter((path) => sought.delete(path));
    if (at < keep || found.length > 0) kept.push(name);
  }
  return kept;
}
