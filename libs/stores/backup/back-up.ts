import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ContentFiles, SMALL_CONTENTS } from '../../content-store/files/content-files.js';
import { sync } from '../../content-store/files/large-contents.js';
import { type ContentKey, ContentMissing, type ContentStore } from '../../content-store/port.js';
import { StoreUnusable } from '../../event-store/port.js';
import { flawOf, isDamaged, remedy } from '../../event-store/sqlite/index.js';
import { keysOf, pathOf } from './keys.js';
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
  MANIFEST,
  nameAfter,
  newManifest,
  readContentList,
  UNFINISHED,
} from './manifest.js';

/** All pages in one step: SQLite begins a copy in several steps anew after every change of the source. */
const ALL_PAGES = 2 ** 31 - 1;

interface BackUp {
  /** Data folder of embedded stores; a service may use it meanwhile. */
  readonly data_dir: string;
  readonly contents: ContentStore;
  /** Folder of backups; locked. */
  readonly to: string;
  /** Reads the contents of earlier backups, and replaces those that have changed. */
  readonly verify: boolean;
  readonly signal: AbortSignal;
  readonly progress: (phase: string, done: number, total: number) => void;
}

export interface BackedUp extends Manifest {
  readonly folder: string;
  /** Contents that earlier backups had not copied, and their stored bytes. */
  readonly copied: number;
  readonly copied_bytes: number;
  /** Contents that the installation has and that could not be read; no earlier backup has copied them either. */
  readonly unreadable: readonly UnreadableContent[];
}

interface UnreadableContent extends ContentKey {
  readonly reason: string;
}

/**
 * Copies an installation consistently while it runs: events first, then keys, then contents. Keys and contents are
 * stored before the events that need them, so later copies of them fit an earlier copy of the events. A backup has its
 * name once all of it is on the disk; the rest of an interrupted one is removed by the next. The caller holds the lock
 * of the folder (`lockBackups`).
 */
export async function backUp(options: BackUp): Promise<BackedUp> {
  const { to } = options;
  const began_ms = Date.now();
  for (const name of await readdir(to))
    if (name.startsWith(UNFINISHED)) await rm(join(to, name), { recursive: true });
  const earlier = await backupsIn(to);
  const name = nameAfter(earlier.at(-1), began_ms);
  const folder = join(to, `${UNFINISHED}${name}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await backUpInto(options, began_ms, earlier, folder, join(to, name));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** @param folder becomes `finished` at the end */
async function backUpInto(
  options: BackUp,
  began_ms: number,
  earlier: readonly string[],
  folder: string,
  finished: string,
): Promise<BackedUp> {
  const { data_dir, to, signal, progress } = options;
  for (const [at, database] of DATABASES.entries()) {
    progress('databases', at, DATABASES.length);
    await copyDatabase(join(data_dir, database), join(folder, database));
    refuseDamaged(join(folder, database), join(data_dir, database));
    signal.throwIfAborted();
  }
  const refuseDamagedContents = (): void => {
    const small = join(to, CONTENTS, SMALL_CONTENTS);
    refuseDamaged(small, small, 'name another folder for backups');
  };
  const copied = await copyContents(options, earlier, folder).catch((error: unknown) => {
    // The store's own error names the remedy for a data folder.
    if (isDamaged(error)) refuseDamagedContents();
    throw error;
  });
  refuseDamagedContents();
  const files = await Promise.all(
    [...DATABASES, CONTENT_LIST].map((file) => describeFile(folder, file)),
  );
  const manifest = newManifest({
    began_ms,
    files,
    contents: copied.contents,
    content_bytes: copied.bytes,
  });
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
  });
  for (const file of [...DATABASES, CONTENT_LIST, MANIFEST]) await sync(join(folder, file));
  await sync(folder);
  await rename(folder, finished);
  await sync(to);
  const { new_contents, new_bytes, unreadable } = copied;
  return {
    ...manifest,
    folder: finished,
    copied: new_contents,
    copied_bytes: new_bytes,
    unreadable,
  };
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  await chmod(to, 0o600);
}

/** A copy has the damage of its source, page by page, and `--keep` would delete the last backup without it. */
function refuseDamaged(copy: string, source: string, what_to_do = remedy(source)): void {
  const flaw = flawOf(copy, { is_copy: copy !== source });
  if (flaw === null) return;
  throw new StoreUnusable(
    `${source} is damaged (${flaw}), so no backup was made, and earlier ones are kept: ${what_to_do}`,
  );
}

interface Copied {
  readonly contents: number;
  readonly bytes: number;
  readonly new_contents: number;
  readonly new_bytes: number;
  readonly unreadable: readonly UnreadableContent[];
}

/** Copies the contents that no earlier backup has, and writes the list of all. */
async function copyContents(
  { contents, to, verify, signal, progress }: BackUp,
  earlier: readonly string[],
  folder: string,
): Promise<Copied> {
  const listed = new EarlierLists(to, earlier);
  const target = await ContentFiles.open(join(to, CONTENTS));
  const keys = await keysOf(contents);
  const lines: string[] = [];
  const unreadable: UnreadableContent[] = [];
  let [bytes, new_contents, new_bytes] = [0, 0, 0];
  for (const [at, key] of keys.entries()) {
    signal.throwIfAborted();
    progress('contents', at, keys.length);
    // Deleted meanwhile: its retention has ended.
    if ((await contents.size(key)) === undefined) continue;
    const has_copy = (await target.size(key)) !== undefined;
    let one = has_copy ? await listed.last(key) : undefined;
    if (!one || !(await isWhole(target, one, verify))) {
      try {
        one = await copyContent(contents, target, key);
      } catch (error) {
        if (!(error instanceof ContentUnreadable)) throw error;
        if (!(error.cause instanceof ContentMissing))
          unreadable.push({ ...key, reason: error.message });
        continue;
      }
      new_contents++;
      new_bytes += one.bytes;
    }
    bytes += one.bytes;
    lines.push(JSON.stringify(one));
  }
  const text = lines.map((line) => `${line}\n`).join('');
  await writeFile(join(folder, CONTENT_LIST), text, { mode: 0o600 });
  await target.close();
  return { contents: lines.length, bytes, new_contents, new_bytes, unreadable };
}

/**
 * Copies a content. A copy that no backup lists, as an interrupted backup leaves it, is replaced only if it differs
 * and once the source has been read to its end: until then it may be the only one.
 */
async function copyContent(
  source: ContentStore,
  target: ContentStore,
  key: ContentKey,
): Promise<BackedUpContent> {
  if ((await target.size(key)) !== undefined) {
    const stored = await describeContent(source, key);
    const copy = await describeContent(target, key).catch(() => null);
    if (copy?.sha256 === stored.sha256) return copy;
    await target.delete(key);
  }
  const { chunks, digest } = digested(source, key);
  const bytes = await target.write(key, chunks);
  return { ...key, bytes, sha256: digest() };
}

/** True if the copy of an earlier backup has the length that is listed, and on request the bytes. */
async function isWhole(
  copies: ContentStore,
  listed: BackedUpContent,
  verify: boolean,
): Promise<boolean> {
  if ((await copies.size(listed)) !== listed.bytes) return false;
  if (!verify) return true;
  const copy = await describeContent(copies, listed).catch(() => null);
  return copy?.sha256 === listed.sha256;
}

async function describeContent(store: ContentStore, key: ContentKey): Promise<BackedUpContent> {
  const { chunks, digest } = digested(store, key);
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return { ...key, bytes, sha256: digest() };
}

/**
 * What earlier backups say of contents that have a copy. Mostly the last one lists them; those before are read for a
 * copy that it lacks, as after a backup of an installation that had lost the content.
 */
class EarlierLists {
  private readonly known = new Map<string, BackedUpContent>();
  private readonly unread: string[];

  constructor(
    private readonly folder: string,
    backups: readonly string[],
  ) {
    this.unread = [...backups];
  }

  /** What the last backup with the content says of it; undefined if none has it. */
  async last(key: ContentKey): Promise<BackedUpContent | undefined> {
    const path = pathOf(key);
    while (!this.known.has(path)) {
      const name = this.unread.pop();
      if (name === undefined) break;
      for (const one of await readContentList(join(this.folder, name)))
        if (!this.known.has(pathOf(one))) this.known.set(pathOf(one), one);
    }
    return this.known.get(path);
  }
}
