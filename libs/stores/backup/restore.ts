import { access, copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentFiles } from '../../content-store/files/content-files.js';
import { sync } from '../../content-store/files/large-contents.js';
import { type Chunks, type ContentKey, ContentMissing } from '../../content-store/port.js';
import {
  deleteEventsAfter,
  ensureFolder,
  flawOf,
  UNFINISHED_RESTORE,
} from '../../event-store/sqlite/index.js';
import {
  type BackedUpContent,
  backupsIn,
  CONTENT_LIST,
  CONTENTS,
  ContentUnreadable,
  DATABASES,
  describeFile,
  digested,
  type Manifest,
  readContentList,
  readManifest,
  UnusableBackup,
} from './manifest.js';

/** What a restore writes. SQLite puts files of its own beside a database. */
const RESTORED: readonly string[] = [
  ...DATABASES.flatMap((name) => [name, `${name}-wal`, `${name}-shm`, `${name}-journal`]),
  CONTENTS,
];

interface ReadBackup {
  /** Folder of backups. */
  readonly from: string;
  /** Name of a backup; default: the last one. */
  readonly name?: string | undefined;
  readonly signal: AbortSignal;
  readonly progress: (phase: string, done: number, total: number) => void;
}

export interface Restore extends ReadBackup {
  /** Data folder; it must be missing or empty, or what an interrupted restore has left. */
  readonly to: string;
  /** Later events are omitted, ms since 1970. */
  readonly at_ms?: number | undefined;
  /** Omits contents that are not what was backed up. */
  readonly skip_damaged: boolean;
}

/** A content that a backup lists and does not have as it was. */
export interface DamagedContent extends ContentKey {
  readonly reason: string;
}

export interface CheckedBackup {
  readonly backup: string;
  readonly began_ms: number;
  /** Contents that are what was backed up. */
  readonly contents: number;
  readonly damaged: readonly DamagedContent[];
}

export interface Restored extends CheckedBackup {
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
 * @throws UnusableBackup; TargetInUse; FolderUnusable
 */
export async function restore(options: Restore): Promise<Restored> {
  const { to, at_ms, skip_damaged } = options;
  const backup = await opened(options);
  const mark = await prepareTarget(to);
  await checkFiles(backup, options, to);
  const omitted_events = at_ms === undefined ? 0 : deleteEventsAfter(join(to, DATABASES[0]), at_ms);
  const target = await ContentFiles.open(join(to, CONTENTS));
  const damaged: DamagedContent[] = [];
  const copy = async (key: ContentKey, chunks: Chunks): Promise<void> => {
    await target.write(key, chunks);
  };
  for await (const one of damagedContents(backup, options, copy)) {
    if (!skip_damaged) throw new UnusableBackup(`${damagedText(one)}.`);
    await target.delete(one);
    damaged.push(one);
  }
  await target.close();
  for (const file of DATABASES) await sync(join(to, file));
  await rm(mark);
  await sync(to);
  return { ...outcome(backup, damaged), omitted_events };
}

/**
 * Reads a backup as `restore` does, and writes nothing.
 * @throws UnusableBackup for databases and lists that are not what was backed up
 */
export async function checkBackup(options: ReadBackup): Promise<CheckedBackup> {
  const backup = await opened(options);
  await checkFiles(backup, options, null);
  const damaged: DamagedContent[] = [];
  for await (const one of damagedContents(backup, options, readThrough)) damaged.push(one);
  return outcome(backup, damaged);
}

async function readThrough(_key: ContentKey, chunks: Chunks): Promise<void> {
  for await (const chunk of chunks) void chunk;
}

/** In words, without a full stop. */
export function damagedText({ drive_id, content_id, reason }: DamagedContent): string {
  return `Content ${content_id} of ${drive_id} is ${reason}`;
}

interface OpenedBackup {
  readonly backup: string;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly list: readonly BackedUpContent[];
}

async function opened(options: ReadBackup): Promise<OpenedBackup> {
  const backup = await chosen(options);
  const folder = join(options.from, backup);
  const manifest = await readManifest(folder);
  for (const { name } of manifest.files) await expectFile(join(folder, name));
  return { backup, folder, manifest, list: await readContentList(folder) };
}

function outcome(
  { backup, manifest, list }: OpenedBackup,
  damaged: readonly DamagedContent[],
): CheckedBackup {
  const contents = list.length - damaged.length;
  return { backup, began_ms: manifest.began_ms, contents, damaged };
}

/** Checks databases and list. With a target, the databases are copied there first and the copies are checked. */
async function checkFiles(
  { folder, manifest }: OpenedBackup,
  { progress, signal }: ReadBackup,
  to: string | null,
): Promise<void> {
  for (const [at, { name, sha256 }] of manifest.files.entries()) {
    progress('databases', at, manifest.files.length);
    const is_copied = to !== null && name !== CONTENT_LIST;
    if (is_copied) await copyFile(join(folder, name), join(to, name));
    const found = await describeFile(is_copied ? to : folder, name);
    if (found.sha256 !== sha256)
      throw new UnusableBackup(`${join(folder, name)} is not what was backed up.`);
    // Earlier releases backed up damaged databases; what of one can be read is still restored.
    const flaw =
      to === null && name !== CONTENT_LIST ? flawOf(join(folder, name), { is_copy: true }) : null;
    if (flaw !== null)
      throw new UnusableBackup(
        `${join(folder, name)} is damaged (${flaw}): take an earlier backup.`,
      );
    signal.throwIfAborted();
  }
}

async function chosen({ from, name }: ReadBackup): Promise<string> {
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
  ensureFolder(to);
  const mark = join(to, UNFINISHED_RESTORE);
  const found = await readdir(to);
  if (found.length > 0 && !found.includes(UNFINISHED_RESTORE))
    throw new TargetInUse(`${to} is not empty; name a new folder.`);
  await writeFile(mark, '', { mode: 0o600 });
  await sync(to);
  for (const name of RESTORED) await rm(join(to, name), { recursive: true, force: true });
  return mark;
}

/** Gives all contents to `take`, and yields those that are not what was backed up. */
async function* damagedContents(
  { list }: OpenedBackup,
  { from, signal, progress }: ReadBackup,
  take: (key: ContentKey, chunks: Chunks) => Promise<void>,
): AsyncGenerator<DamagedContent, void> {
  const source = ContentFiles.reading(join(from, CONTENTS));
  try {
    for (const [at, { drive_id, content_id, sha256 }] of list.entries()) {
      signal.throwIfAborted();
      progress('contents', at, list.length);
      const key = { drive_id, content_id };
      const { chunks, digest } = digested(source, key);
      try {
        await take(key, chunks);
      } catch (error) {
        if (!(error instanceof ContentUnreadable)) throw error;
        const is_missing = error.cause instanceof ContentMissing;
        yield {
          ...key,
          reason: is_missing ? 'missing from the backup' : `unreadable (${error.message})`,
        };
        continue;
      }
      if (digest() !== sha256) yield { ...key, reason: 'not what was backed up' };
    }
  } finally {
    await source.close();
  }
}
