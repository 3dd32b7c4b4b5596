import { access, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentFiles } from '../../content-store/files/content-files.js';
import { ContentMissing } from '../../content-store/port.js';
import { deleteEventsAfter, UNFINISHED_RESTORE } from '../../event-store/sqlite/index.js';
import {
  type BackedUpContent,
  backupsIn,
  CONTENT_LIST,
  CONTENTS,
  DATABASES,
  describeFile,
  digested,
  readContentList,
  readManifest,
  sync,
  UnusableBackup,
} from './manifest.js';

/** What a restore writes. SQLite puts files of its own beside a database. */
const RESTORED: readonly string[] = [
  ...DATABASES.flatMap((name) => [name, `${name}-wal`, `${name}-shm`, `${name}-journal`]),
  CONTENTS,
];

export interface Restore {
  /** Folder of backups. */
  readonly from: string;
  /** Name of a backup; default: the last one. */
  readonly name?: string | undefined;
  /** Data folder; it must be missing or empty, or what an interrupted restore has left. */
  readonly to: string;
  /** Later events are omitted, ms since 1970. */
  readonly at_ms?: number | undefined;
  readonly signal: AbortSignal;
  readonly progress: (phase: string, done: number, total: number) => void;
}

export interface Restored {
  readonly backup: string;
  readonly began_ms: number;
  readonly contents: number;
  /** Events that were omitted because they are later than `at_ms`. */
  readonly omitted_events: number;
}

/** The target folder holds other data. */
export class TargetInUse extends Error {
  override readonly name = 'TargetInUse';
}

/**
 * Restores a backup into a new data folder, with every byte checked against the digests of the backup. A service
 * refuses the folder until all of it is on the disk.
 * @throws UnusableBackup; TargetInUse
 */
export async function restore(options: Restore): Promise<Restored> {
  const { from, to, at_ms, signal, progress } = options;
  const backup = await chosen(options);
  const folder = join(from, backup);
  const manifest = await readManifest(folder);
  for (const { name } of manifest.files) await expectFile(join(folder, name));
  const list = await readContentList(folder);
  const mark = await prepareTarget(to);
  for (const [at, file] of manifest.files.entries()) {
    progress('databases', at, manifest.files.length);
    const [in_list, target] = [file.name === CONTENT_LIST, join(to, file.name)];
    if (!in_list) await copyFile(join(folder, file.name), target);
    const found = await describeFile(in_list ? folder : to, file.name);
    if (found.sha256 !== file.sha256)
      throw new UnusableBackup(`${join(folder, file.name)} is not what was backed up.`);
    signal.throwIfAborted();
  }
  const omitted_events = at_ms === undefined ? 0 : deleteEventsAfter(join(to, DATABASES[0]), at_ms);
  const contents = await copyContents(options, list);
  for (const file of DATABASES) await sync(join(to, file));
  await rm(mark);
  await sync(to);
  return { backup, began_ms: manifest.began_ms, contents, omitted_events };
}

async function chosen({ from, name }: Restore): Promise<string> {
  const names = await backupsIn(from);
  const backup = name ?? names.at(-1);
  if (backup === undefined) throw new UnusableBackup(`${from} has no finished backup.`);
  if (names.includes(backup)) return backup;
  throw new UnusableBackup(
    `${from} has no backup ${backup}; it has ${names.join(', ') || 'none'}.`,
  );
}

async function expectFile(path: string): Promise<void> {
  await access(path).catch((error: unknown) => {
    throw new UnusableBackup(`${path} cannot be read.`, { cause: error });
  });
}

/**
 * Deletes what an interrupted restore has left, and nothing else: the operator may already have put the keys there.
 * @returns the file that marks the folder as unfinished
 */
async function prepareTarget(to: string): Promise<string> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const mark = join(to, UNFINISHED_RESTORE);
  const found = await readdir(to);
  if (found.length > 0 && !found.includes(UNFINISHED_RESTORE))
    throw new TargetInUse(`${to} is not empty; name a new folder.`);
  await writeFile(mark, '', { mode: 0o600 });
  await sync(to);
  for (const name of RESTORED) await rm(join(to, name), { recursive: true, force: true });
  return mark;
}

async function copyContents(
  { from, to, signal, progress }: Restore,
  list: readonly BackedUpContent[],
): Promise<number> {
  const source = ContentFiles.reading(join(from, CONTENTS));
  const target = await ContentFiles.open(join(to, CONTENTS));
  for (const [at, { drive_id, content_id, sha256 }] of list.entries()) {
    signal.throwIfAborted();
    progress('contents', at, list.length);
    const key = { drive_id, content_id };
    const { chunks, digest } = digested(source.read(key));
    await target.write(key, chunks).catch((error: unknown) => {
      if (!(error instanceof ContentMissing)) throw error;
      throw new UnusableBackup(`Content ${content_id} of ${drive_id} is missing from the backup.`);
    });
    if (digest() !== sha256)
      throw new UnusableBackup(`Content ${content_id} of ${drive_id} is not what was backed up.`);
  }
  await target.close();
  await source.close();
  return list.length;
}
