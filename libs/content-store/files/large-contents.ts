import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ContentExists,
  type ContentKey,
  ContentMissing,
  isKeyPart,
  type StoredContent,
} from '../port.js';
import { SEALED_BYTES } from '../sealed.js';

/** Folder of contents that are being written. No id begins with a dot. */
const WRITING = '.writing';
/**
 * Contents lie in folders by the first characters of their ids, so that order holds. Ids begin with the time: contents
 * of some three days share a folder, and those stored together one sync of it.
 */
const BRANCH_CHARACTERS = 15;
/** Whole frames, which then need no copy. */
const READ_BYTES = 4 * SEALED_BYTES;
/** Bytes of one write. The next ones are encrypted meanwhile. */
const WRITE_BYTES = 256 * 1024;
/** Only the service's user has access. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Contents as files of a folder: `<drive>/<branch>/<content>`. A file appears under its name once its bytes are on the
 * disk; what a crash left in `.writing` is removed when the store is opened.
 */
export class LargeContents {
  private readonly syncs = new FolderSyncs();
  /** Folders being created, by the folder of their drive. */
  private readonly creations = new Map<string, Promise<void>>();

  constructor(private readonly folder: string) {}

  /** Creates the folder, and removes what a crash left. */
  async prepare(): Promise<void> {
    const writing = join(this.folder, WRITING);
    await rm(writing, { recursive: true, force: true });
    await mkdir(writing, { recursive: true, mode: FOLDER_MODE });
  }

  /** A new file that begins with these bytes. The caller must discard it in any case. */
  create(start: readonly Uint8Array[]): Promise<NewFile> {
    return NewFile.create(join(this.folder, WRITING, randomUUID()), start);
  }

  /** Stores a new file durably as a content. @throws ContentExists */
  async store(key: ContentKey, file: NewFile): Promise<void> {
    await file.sync();
    try {
      await this.link(file.path, this.pathOf(key));
    } catch (error) {
      if (isCode(error, 'EEXIST')) throw new ContentExists('the content exists', { cause: error });
      throw error;
    }
  }

  /** Gives a written file its name durably. */
  private async link(writing: string, path: string): Promise<void> {
    const folder = dirname(path);
    // Unlike a rename, a link never replaces a file.
    await link(writing, path).catch(async (error: unknown) => {
      if (!isCode(error, 'ENOENT')) throw error;
      await this.createFolder(folder);
      await link(writing, path);
    });
    await Promise.all([this.creations.get(dirname(folder)), this.syncs.sync(folder)]);
  }

  /** Creates a folder durably. Folders of one drive are created in sequence; writes wait until they are durable. */
  private createFolder(folder: string): Promise<void> {
    const drive_folder = dirname(folder);
    const before = this.creations.get(drive_folder) ?? Promise.resolve();
    const created = before
      .catch(() => {})
      .then(() => makeFolder(folder))
      .finally(() => {
        if (this.creations.get(drive_folder) === created) this.creations.delete(drive_folder);
      });
    this.creations.set(drive_folder, created);
    return created;
  }

  /** As `ContentStore.read`, for a range that is not empty. */
  async *read(key: ContentKey, from: number, to: number): AsyncGenerator<Uint8Array, void> {
    const options = { start: from, end: to - 1, highWaterMark: READ_BYTES };
    try {
      yield* createReadStream(this.pathOf(key), options) as AsyncIterable<Uint8Array>;
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      throw new ContentMissing('there is no such content', { cause: error });
    }
  }

  has(key: ContentKey): boolean {
    return existsSync(this.pathOf(key));
  }

  async size(key: ContentKey): Promise<number | undefined> {
    const found = await statIfAny(this.pathOf(key));
    return found?.bytes;
  }

  async delete(key: ContentKey): Promise<void> {
    await remove(this.pathOf(key));
  }

  async list(drive_id: string, after: string, limit: number): Promise<readonly StoredContent[]> {
    const folder = join(this.folder, drive_id);
    const found: StoredContent[] = [];
    for (const branch of (await entriesOf(folder)).sort()) {
      if (branch < branchOf(after)) continue;
      for (const content_id of (await entriesOf(join(folder, branch))).sort()) {
        if (found.length === limit) return found;
        // Files of other names are no contents.
        if (content_id <= after || !isKeyPart(content_id)) continue;
        const file = await statIfAny(this.pathOf({ drive_id, content_id }));
        if (file) found.push({ drive_id, content_id, ...file });
      }
    }
    return found;
  }

  async drives(after: string): Promise<string[]> {
    const all = await entriesOf(this.folder);
    return all.filter((id) => isKeyPart(id) && id > after);
  }

  async sweepUnfinished(before_ms: number): Promise<number> {
    let swept = 0;
    for (const name of await entriesOf(join(this.folder, WRITING))) {
      const path = join(this.folder, WRITING, name);
      const file = await statIfAny(path);
      // The time of the last byte written: a write in progress is younger.
      if (!file || file.stored_ms >= before_ms) continue;
      await remove(path);
      swept++;
    }
    return swept;
  }

  private pathOf({ drive_id, content_id }: ContentKey): string {
    return join(this.folder, drive_id, branchOf(content_id), content_id);
  }
}

/** A content that is being written to a file. */
export class NewFile {
  private writing: Promise<unknown> = Promise.resolve();
  private waiting_bytes = 0;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private waiting: Uint8Array[],
  ) {}

  static async create(path: string, start: readonly Uint8Array[]): Promise<NewFile> {
    return new NewFile(path, await open(path, 'wx', FILE_MODE), [...start]);
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.waiting.push(chunk);
    this.waiting_bytes += chunk.length;
    if (this.waiting_bytes >= WRITE_BYTES) await this.flush();
  }

  /** Resolves once all of it is on the disk. */
  async sync(): Promise<void> {
    await this.flush();
    await this.writing;
    await this.file.datasync();
  }

  /** Closes the file, and removes its name here; a content has another one. */
  async discard(): Promise<void> {
    await this.writing.catch(() => {});
    await this.file.close();
    await remove(this.path);
  }

  private async flush(): Promise<void> {
    await this.writing;
    this.writing = writeAll(this.file, this.waiting);
    // Thrown when it is awaited.
    this.writing.catch(() => {});
    this.waiting = [];
    this.waiting_bytes = 0;
  }
}

function branchOf(content_id: string): string {
  return content_id.slice(0, BRANCH_CHARACTERS);
}

/** Writes chunks one after the other; the system may take a part at a time. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let left = chunks.filter(({ length }) => length > 0);
  while (left.length > 0) {
    let { bytesWritten: written } = await file.writev(left);
    const rest: Uint8Array[] = [];
    for (const chunk of left) {
      if (written < chunk.length) rest.push(chunk.subarray(written));
      written = Math.max(0, written - chunk.length);
    }
    left = rest;
  }
}

/** Syncs of folders: while one runs, all that come share the next. */
class FolderSyncs {
  private readonly next = new Map<string, Promise<void>>();
  private readonly running = new Map<string, Promise<void>>();

  /** Brings all entries that a folder has now to the disk. */
  sync(folder: string): Promise<void> {
    const known = this.next.get(folder);
    if (known) return known;
    const before = this.running.get(folder) ?? Promise.resolve();
    const synced = before
      .catch(() => {})
      .then(() => {
        this.next.delete(folder);
        this.running.set(folder, synced);
        return sync(folder);
      })
      .finally(() => {
        if (this.running.get(folder) === synced) this.running.delete(folder);
      });
    this.next.set(folder, synced);
    return synced;
  }
}

/** Removes a file if there is one; `rm` would look at it first. */
async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

/** Creates a folder durably, with those above it. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made))
    await sync(dirname(made));
}

/** Brings a file, or the entries of a folder, to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

async function statIfAny(path: string): Promise<{ bytes: number; stored_ms: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { bytes: size, stored_ms: Math.floor(mtimeMs) };
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === code;
}
