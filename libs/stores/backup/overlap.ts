import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isCode } from '../../content-store/files/large-contents.js';
import { CONTENTS } from './manifest.js';

/** Whether a folder, existing or not, is the data folder or its folder of contents, or lies in one of them. */
export function liesInData(folder: string, data_dir: string): Promise<boolean> {
  return some([data_dir, join(data_dir, CONTENTS)], (one) => isWithin(folder, one));
}

/**
 * Whether a folder of backups and the data folder share files: one is or contains the other. The folders of contents
 * count too, since a link can put them elsewhere.
 */
export async function overlapsData(to: string, data_dir: string): Promise<boolean> {
  const targets = [to, join(to, CONTENTS)];
  if (await some(targets, (one) => liesInData(one, data_dir))) return true;
  const data = [data_dir, join(data_dir, CONTENTS)];
  return some(targets, (target) => some(data, (one) => isWithin(one, target)));
}

/**
 * Whether a folder is another one or lies in it. Folders are compared by their identity on the disk: one folder can
 * have several paths, by links, by mounts, or if the file system ignores case.
 */
async function isWithin(inner: string, outer: string): Promise<boolean> {
  const real = await realPathOf(outer);
  return real !== null && (await identitiesFrom(inner)).includes(await identityOf(real));
}

/** Identities of a folder and of those above it. A missing folder has none; those above it have. */
async function identitiesFrom(folder: string): Promise<readonly string[]> {
  let path = resolve(folder);
  let real = await realPathOf(path);
  while (real === null) real = await realPathOf((path = dirname(path)));
  const found = [await identityOf(real)];
  while (real !== dirname(real)) found.push(await identityOf((real = dirname(real))));
  return found;
}

/** Null if the folder is missing. */
async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

async function some<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<boolean> {
  for (const one of all) if (await holds(one)) return true;
  return false;
}
