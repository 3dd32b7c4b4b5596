import { setImmediate as nextTurn } from 'node:timers/promises';
import { ContentExists, type ContentKey, ContentMissing } from '../../../content-store/port.js';
import type { Contents } from '../../../engine/contents/contents.js';
import { storedContents } from '../../../engine/contents/gaps.js';
import type { Drives } from '../../../engine/drives/drives.js';
import { type Reservation, Reservations } from './reservations.js';
import { UploadFailed } from './upload-failed.js';
import {
  finishedKey,
  infoKey,
  partKey,
  PARTS_MAX,
  UPLOAD,
  type UploadKey,
  uploadsOf,
} from './upload-ids.js';

/** Time for an upload, from its creation on. Idempotency keys are valid as long. */
const UPLOAD_LIFE_MS = 86_400_000;
const DELETED_TOGETHER = 50;
/** Drives whose reservations are in memory. */
const MOST_DRIVES = 1_000;

/** What is known about an upload from its creation on. */
export interface UploadInfo {
  readonly created_at: number;
  readonly file_id: string;
  /** Bytes; null: the client names it later. */
  readonly length: number | null;
  readonly media_type: string;
  /** SHA-256 that the content must have, hex; null: any. */
  readonly sha256: string | null;
  /** `Upload-Metadata` as sent. */
  readonly metadata: string;
}

export interface StoredUpload {
  readonly info: UploadInfo;
  /** Number of bytes received. */
  readonly offset: number;
  readonly length: number | null;
  readonly parts: number;
  /** Revision of the event that stored the content; absent while the upload is unfinished. */
  readonly revision?: number;
}

interface FinishedUpload {
  readonly info: UploadInfo;
  readonly length: number;
  readonly revision: number;
}

/** Each part begins with the number of bytes before it, and the length of the upload. */
const HEADER_BYTES = 16;
const UNKNOWN_LENGTH = 2n ** 64n - 1n;

/**
 * Unfinished uploads, as contents of the content store: they outlive the process, and all processes share them. The
 * bytes lie in numbered parts. A part is written once and whole, so of two processes that receive the same bytes, one
 * succeeds. It is salted, since a client may send other bytes after a failure.
 */
export class UnfinishedUploads {
  /** Of drives that reached a limit or have a quota; the least recently used first. */
  private readonly reservations = new Map<string, Reservations>();

  constructor(
    private readonly contents: Contents,
    private readonly drives: Pick<Drives, 'role'>,
  ) {}

  async create(upload: UploadKey, info: UploadInfo): Promise<void> {
    await this.writeJson(infoKey(upload), info);
    this.reserve(upload, { info, offset: 0, length: info.length, parts: 0 });
  }

  async find(upload: UploadKey): Promise<StoredUpload | undefined> {
    const info = await this.readJson<UploadInfo>(infoKey(upload));
    if (!info) {
      const finished = await this.readJson<FinishedUpload>(finishedKey(upload));
      return finished && { ...finished, offset: finished.length, parts: 0 };
    }
    const parts = await this.countParts(upload);
    const last = parts === 0 ? undefined : await this.endAt(partKey(upload, parts));
    // Another process may finish the upload meanwhile, which deletes its parts.
    if (!(await this.has(infoKey(upload)))) return this.find(upload);
    if (parts > 0 && !last) throw new ContentMissing('a part is missing');
    return { info, parts, ...(last ?? { offset: 0, length: info.length }) };
  }

  /**
   * Stores the next part durably, or nothing.
   * @returns the upload with it
   * @throws UploadFailed `wrong-offset`, `too-many-parts`; ContentStoreFull; errors of the source
   */
  async append(
    upload: UploadKey,
    at: StoredUpload,
    source: AsyncIterable<Uint8Array>,
  ): Promise<StoredUpload> {
    const parts = at.parts + 1;
    if (parts > PARTS_MAX) throw new UploadFailed('too-many-parts');
    try {
      const key = partKey(upload, parts);
      const size = await this.contents.writeSalted(key, withHeader(at, source));
      const stored = { ...at, parts, offset: at.offset + size - HEADER_BYTES };
      this.reserve(upload, stored);
      return stored;
    } catch (error) {
      throw error instanceof ContentExists ? new UploadFailed('wrong-offset') : error;
    }
  }

  /** All bytes received. Other requests wait for one chunk to be decrypted and stored, not for all of them. */
  async *bytes(upload: UploadKey, { parts }: StoredUpload): AsyncGenerator<Uint8Array, void> {
    for (let nth = 1; nth <= parts; nth++) {
      await nextTurn();
      const key = partKey(upload, nth);
      const size = await this.contents.saltedSizeOf(key);
      if (size === undefined) throw new ContentMissing(`part ${nth} is missing`);
      const chunks = this.contents.readSalted(key, { size, from: HEADER_BYTES, to: size });
      for await (const chunk of chunks) {
        yield chunk;
        await nextTurn();
      }
    }
  }

  /** Marks an upload as finished and deletes what was received. */
  async finish(upload: UploadKey, stored: StoredUpload, revision: number): Promise<void> {
    const { info, offset: length } = stored;
    const finished: FinishedUpload = { info, length, revision };
    await this.writeJson(finishedKey(upload), finished).catch((error: unknown) => {
      // Another process has finished it as well.
      if (!(error instanceof ContentExists)) throw error;
    });
    await this.deleteReceived(upload);
  }

  async remove(upload: UploadKey): Promise<void> {
    await this.contents.delete(finishedKey(upload));
    await this.deleteReceived(upload);
  }

  /** Ids of a user's unfinished uploads, `limit` at most. */
  async ofUser(drive_id: string, user_id: string, limit: number): Promise<readonly string[]> {
    const prefix = uploadsOf(drive_id, user_id);
    const listed = await this.contents.store.list(drive_id, prefix, limit);
    return listed.map(({ content_id }) => content_id).filter((id) => id.startsWith(prefix));
  }

  /** Reservations of a drive's unfinished uploads, by upload; some may have expired. */
  reserved(drive_id: string, now: number): Promise<ReadonlyMap<string, Reservation>> {
    const { reservations } = this;
    const own = reservations.get(drive_id) ?? this.reservationsOf(drive_id);
    reservations.delete(drive_id);
    const [oldest] = reservations.keys();
    if (reservations.size >= MOST_DRIVES) reservations.delete(oldest!);
    reservations.set(drive_id, own);
    return own.all(now);
  }

  private reservationsOf(drive_id: string): Reservations {
    return new Reservations({
      is_sole: this.drives.role.sole,
      ids: () => this.ofDrive(drive_id),
      find: async (upload_id) => {
        const found = await this.find({ drive_id, upload_id });
        return found && found.revision === undefined ? reservedBy(found) : undefined;
      },
    });
  }

  /** Ids of all unfinished uploads of a drive, expired ones included. */
  private async ofDrive(drive_id: string): Promise<readonly string[]> {
    const ids: string[] = [];
    const stored = storedContents(this.contents.store, drive_id, { after: UPLOAD });
    for await (const { content_id } of stored) {
      if (!content_id.startsWith(UPLOAD)) break;
      ids.push(content_id);
    }
    return ids;
  }

  private reserve({ drive_id, upload_id }: UploadKey, stored: StoredUpload): void {
    this.reservations.get(drive_id)?.set(upload_id, reservedBy(stored));
  }

  /** The info first: without it there is no upload. Then the last parts, many at a time: they share a sync of the disk. */
  private async deleteReceived(upload: UploadKey): Promise<void> {
    const { contents } = this;
    await contents.delete(infoKey(upload));
    this.reservations.get(upload.drive_id)?.delete(upload.upload_id);
    for (let last = await this.countParts(upload); last > 0; last -= DELETED_TOGETHER) {
      const deleting: Promise<void>[] = [];
      for (let nth = last; nth > Math.max(0, last - DELETED_TOGETHER); nth--)
        deleting.push(contents.delete(partKey(upload, nth)));
      await Promise.all(deleting);
    }
  }

  /** Numbers of parts have no gaps: the last one is found by few steps. */
  private async countParts(upload: UploadKey): Promise<number> {
    let least = 0;
    let beyond = 1;
    while (await this.has(partKey(upload, beyond))) {
      least = beyond;
      beyond *= 2;
    }
    while (beyond - least > 1) {
      const middle = Math.floor((least + beyond) / 2);
      if (await this.has(partKey(upload, middle))) least = middle;
      else beyond = middle;
    }
    return least;
  }

  private async has(key: ContentKey): Promise<boolean> {
    return (await this.contents.store.size(key)) !== undefined;
  }

  /** The state of an upload whose last part this is; undefined if it has been deleted. */
  private async endAt(
    key: ContentKey,
  ): Promise<Pick<StoredUpload, 'offset' | 'length'> | undefined> {
    const size = await this.contents.saltedSizeOf(key);
    if (size === undefined) return undefined;
    const range = { size, from: 0, to: HEADER_BYTES };
    const head = await bytesIfAny(this.contents.readSalted(key, range));
    if (!head) return undefined;
    const length = head.readBigUInt64BE(8);
    return {
      offset: Number(head.readBigUInt64BE(0)) + size - HEADER_BYTES,
      length: length === UNKNOWN_LENGTH ? null : Number(length),
    };
  }

  private async writeJson(key: ContentKey, value: object): Promise<void> {
    async function* source() {
      yield Buffer.from(JSON.stringify(value));
    }
    await this.contents.write(key, source());
  }

  private async readJson<T>(key: ContentKey): Promise<T | undefined> {
    const size = await this.contents.sizeOf(key);
    if (size === undefined) return undefined;
    const bytes = await bytesIfAny(this.contents.read(key, { size, from: 0, to: size }));
    return bytes && (JSON.parse(bytes.toString()) as T);
  }
}

export function expiresAt({ created_at }: UploadInfo): number {
  return created_at + UPLOAD_LIFE_MS;
}

function reservedBy({ info, offset, length }: StoredUpload): Reservation {
  const { file_id } = info;
  return {
    file_id,
    bytes: length ?? offset,
    is_open: length === null,
    expires_at: expiresAt(info),
  };
}

/** The bytes of a content; undefined if it has been deleted. */
async function bytesIfAny(chunks: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const read: Buffer[] = [];
  try {
    for await (const chunk of chunks) read.push(chunk);
    return Buffer.concat(read);
  } catch (error) {
    if (error instanceof ContentMissing) return undefined;
    throw error;
  }
}

async function* withHeader(
  { offset, length }: StoredUpload,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeBigUInt64BE(BigInt(offset), 0);
  header.writeBigUInt64BE(length === null ? UNKNOWN_LENGTH : BigInt(length), 8);
  yield header;
  yield* source;
}
