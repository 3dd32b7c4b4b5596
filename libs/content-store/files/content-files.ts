import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkKey,
  type Chunks,
  ContentExists,
  type ContentKey,
  ContentMissing,
  type ContentStore,
  ContentStoreFull,
  type StoredContent,
} from '../port.js';
import { StoreUnusable } from '../../event-store/port.js';
import { hasContent } from '../../event-store/sqlite/files/folder-files.js';
import { remedy } from '../../event-store/sqlite/files/unusable.js';
import { sealedSize } from '../sealed.js';
import { isCode, LargeContents, type NewFile, sync } from './large-contents.js';
import { SmallContents } from './small-contents.js';

/**
 * Largest content that is a row of the database and not a file: 16 KiB and the tag of their frame. Up to 64 KiB a row
 * takes less processor time than a file, but of the thread that answers requests.
 */
const SMALL_BYTES = 16 * 1024 + 16;
/** The database. Its name is no id, since it has a dot. */
export const SMALL_CONTENTS = 'small.db';

/** A content as its event records it. */
export interface RecordedContent extends ContentKey {
  /** Bytes in clear. */
  readonly size: number;
}

/**
 * Contents in a folder: small ones in a database, others in files. A file costs nine calls of the file system and two
 * syncs of its own; small contents share them. Folders of older versions have small contents in files too, so readers
 * look in both places.
 */
export class ContentFiles implements ContentStore {
  private readonly large: LargeContents;
  private readonly path: string;
  private small: SmallContents | null = null;

  private constructor(
    private readonly folder: string,
    private readonly is_temporary = false,
  ) {
    this.large = new LargeContents(folder);
    this.path = join(folder, SMALL_CONTENTS);
  }

  /** A store in a new folder, which is removed when the store is closed. */
  static async temporary(): Promise<ContentFiles> {
    return new ContentFiles(await mkdtemp(join(tmpdir(), 'drive-content-')), true).prepare();
  }

  /** An existing store beside the process that writes to it: it must only be read. */
  static reading(folder: string): ContentFiles {
    return new ContentFiles(folder);
  }

  /**
   * @param folder created unless it exists; used by one process
   * @param recorded the contents that must be stored, called if there is no database: a lost one is not made anew
   * @throws StoreUnusable; NewerSchema
   */
  static async open(
    folder: string,
    recorded?: () => Promise<Iterable<RecordedContent>>,
  ): Promise<ContentFiles> {
    const store = new ContentFiles(folder);
    if (recorded && !hasContent(store.path)) store.refuseLost(await recorded());
    return store.prepare();
  }

  /** Folders of older versions have no database: their small contents are files. */
  private refuseLost(recorded: Iterable<RecordedContent>): void {
    for (const { size, ...key } of recorded) {
      if (sealedSize(size) > SMALL_BYTES || this.large.has(key)) continue;
      const holds = 'the contents of small files are in it';
      throw new StoreUnusable(
        `${this.path} is missing or empty, but ${holds}: ${remedy(this.path)}`,
      );
    }
  }

  private async prepare(): Promise<this> {
    await this.large.prepare();
    const isTaken = (key: ContentKey): boolean => this.large.has(key);
    this.small = new SmallContents({ path: this.path, isTaken });
    await sync(this.folder);
    return this;
  }

  async write(key: ContentKey, source: Chunks): Promise<number> {
    checkKey(key.drive_id, key.content_id);
    const start: Uint8Array[] = [];
    let bytes = 0;
    let file: NewFile | undefined;
    try {
      for await (const chunk of source) {
        bytes += chunk.length;
        if (bytes <= SMALL_BYTES) start.push(chunk);
        else {
          file ??= await this.large.create(start);
          await file.add(chunk);
        }
      }
      if (file) await this.store(key, file);
      else await this.openedSmall().write(key, Buffer.concat(start, bytes));
      return bytes;
    } catch (error) {
      if (isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT'))
        throw new ContentStoreFull('the disk of the contents is full', { cause: error });
      throw error;
    } finally {
      await file?.discard();
    }
  }

  /** Stores a file as a content. Of a row and a file under one key, the row wins: it looks for the file first. */
  private async store(key: ContentKey, file: NewFile): Promise<void> {
    await this.large.store(key, file);
    if (this.openedSmall().size(key) === undefined) return;
    await this.large.delete(key);
    throw new ContentExists('the content exists');
  }

  async *read(key: ContentKey, from = 0, to = Infinity): AsyncGenerator<Uint8Array, void> {
    checkKey(key.drive_id, key.content_id);
    const bytes = this.smallIfAny()?.read(key);
    if (bytes) {
      if (from < Math.min(to, bytes.length)) yield bytes.subarray(from, to);
    } else if (to > from) yield* this.large.read(key, from, to);
    else if (!this.large.has(key)) throw new ContentMissing('there is no such content');
  }

  async size(key: ContentKey): Promise<number | undefined> {
    checkKey(key.drive_id, key.content_id);
    return this.smallIfAny()?.size(key) ?? this.large.size(key);
  }

  async delete(key: ContentKey): Promise<void> {
    checkKey(key.drive_id, key.content_id);
    await this.openedSmall().delete(key);
    await this.large.delete(key);
  }

  async list(drive_id: string, after: string, limit: number): Promise<readonly StoredContent[]> {
    checkKey(drive_id);
    const small = this.smallIfAny()?.list(drive_id, after, limit) ?? [];
    const large = await this.large.list(drive_id, after, limit);
    return [...small, ...large]
      .sort((a, b) => (a.content_id < b.content_id ? -1 : 1))
      .slice(0, limit);
  }

  async drives(after: string, limit: number): Promise<readonly string[]> {
    const small = this.smallIfAny()?.drives(after, limit) ?? [];
    const large = await this.large.drives(after);
    return [...new Set([...small, ...large])].sort().slice(0, limit);
  }

  async sweepUnfinished(before_ms: number): Promise<number> {
    await this.openedSmall().eraseDeleted();
    return this.large.sweepUnfinished(before_ms);
  }

  async close(): Promise<void> {
    await this.small?.close();
    // No file stays open beyond its read or write.
    if (this.is_temporary) await rm(this.folder, { recursive: true, force: true });
  }

  /** @throws Error if the store is opened for reading */
  private openedSmall(): SmallContents {
    const small = this.smallIfAny();
    if (!small) throw new Error('the contents are opened for reading');
    return small;
  }

  /** For reading, the database is opened once it exists. */
  private smallIfAny(): SmallContents | null {
    if (!this.small && existsSync(this.path))
      this.small = new SmallContents({ path: this.path, read_only: true });
    return this.small;
  }
}
