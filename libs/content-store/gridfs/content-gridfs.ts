import { Binary, type Collection, type Db, type GridFSFile, ObjectId } from 'mongodb';
import { DUPLICATE_KEY } from '../../mongodb/put.js';
import {
  checkKey,
  type Chunks,
  ContentExists,
  type ContentKey,
  ContentMissing,
  type ContentStore,
  type StoredContent,
} from '../port.js';
import { inPieces } from '../sealed.js';

const BUCKET = 'contents';
/** The size that the specification recommends. */
const CHUNK_BYTES = 255 * 1024;
/** Less than the id of any file. */
const FIRST_ID = '0'.repeat(24);
/** Chunks that a sweep looks at in one query. */
const SWEPT_CHUNKS = 1000;
/** Chunks per read, 255 KiB each: a reader holds no more of them. */
const READ_CHUNKS = 4;
/** The character behind `/`: file names of a drive lie between the two. */
const BEHIND_SLASH = '0';

interface Chunk {
  readonly files_id: ObjectId;
  readonly n: number;
  readonly data: Binary;
}

/**
 * Contents in GridFS (https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md), shared by
 * all processes. The name of a file is `<drive>/<content>`; a unique index on it decides which of several writers wins.
 * A file's document is inserted after its chunks, so that a content appears once all of it is stored.
 */
export class ContentGridFs implements ContentStore {
  private constructor(
    private readonly files: Collection<GridFSFile>,
    private readonly chunks: Collection<Chunk>,
  ) {}

  /** @param db of a client with majority writes and reads; it stays the caller's */
  static async open(db: Db): Promise<ContentGridFs> {
    const store = ContentGridFs.reading(db);
    await store.files.createIndex({ filename: 1 }, { unique: true });
    await store.chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
    return store;
  }

  /** For reading contents only: nothing is created. */
  static reading(db: Db): ContentGridFs {
    const files = db.collection<GridFSFile>(`${BUCKET}.files`);
    const chunks = db.collection<Chunk>(`${BUCKET}.chunks`);
    return new ContentGridFs(files, chunks);
  }

  async write(key: ContentKey, source: Chunks): Promise<number> {
    const filename = nameOf(key);
    if (await this.find(key)) throw new ContentExists('the content exists');
    const files_id = new ObjectId();
    // Not the driver's stream: it inserts the document without a look at the chunks.
    try {
      let n = 0;
      let length = 0;
      for await (const piece of inPieces(source, CHUNK_BYTES)) {
        await this.chunks.insertOne({ files_id, n, data: new Binary(piece) });
        n++;
        length += piece.length;
      }
      // A single chunk is too young to be swept.
      if (n > 1 && (await this.chunks.countDocuments({ files_id })) < n)
        throw new Error('a sweep has removed chunks of the content');
      const uploadDate = new Date();
      await this.files.insertOne({
        _id: files_id,
        length,
        chunkSize: CHUNK_BYTES,
        uploadDate,
        filename,
      });
      return length;
    } catch (error) {
      await this.remove(files_id).catch(() => {});
      if ((error as { code?: unknown }).code !== DUPLICATE_KEY) throw error;
      throw new ContentExists('the content exists', { cause: error });
    }
  }

  async *read(key: ContentKey, from = 0, to = Infinity): AsyncGenerator<Uint8Array, void> {
    const file = await this.find(key);
    if (!file) throw new ContentMissing('there is no such content');
    const { _id: files_id, length, chunkSize } = file;
    const end = Math.min(to, length);
    const behind = end > from ? Math.ceil(end / chunkSize) : 0;
    // Not the driver's stream: it reads up to 16 MiB ahead, and ends without an error if the last chunks are missing.
    for (let n = Math.floor(from / chunkSize); n < behind;) {
      const wanted = { $gte: n, $lt: Math.min(behind, n + READ_CHUNKS) };
      const page = await this.chunks.find({ files_id, n: wanted }).sort({ n: 1 }).toArray();
      if (page.length === 0) throw chunkMissing(n);
      for (const chunk of page) {
        const start = n * chunkSize;
        const bytes = chunk.data.buffer;
        if (chunk.n !== n || bytes.length !== Math.min(chunkSize, length - start))
          throw chunkMissing(n);
        n++;
        yield bytes.subarray(Math.max(0, from - start), Math.max(0, end - start));
      }
    }
  }

  async size(key: ContentKey): Promise<number | undefined> {
    return (await this.find(key))?.length;
  }

  async delete(key: ContentKey): Promise<void> {
    const file = await this.find(key);
    if (!file) return;
    await this.remove(file._id);
  }

  async list(
    drive_id: string,
    after: string,
    limit: number,
    counted = false,
  ): Promise<readonly StoredContent[]> {
    checkKey(drive_id);
    const found = await this.files
      .find({ filename: { $gt: `${drive_id}/${after}`, $lt: drive_id + BEHIND_SLASH } })
      .sort({ filename: 1 })
      .limit(limit)
      .toArray();
    const counts = counted ? await this.chunkCounts(found) : null;
    return found.map(({ _id, filename, length, chunkSize, uploadDate }) => ({
      drive_id,
      content_id: filename.slice(drive_id.length + 1),
      bytes: counts ? Math.min(length, (counts.get(_id.toHexString()) ?? 0) * chunkSize) : length,
      stored_ms: uploadDate.getTime(),
    }));
  }

  async drives(after: string, limit: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (let last = after; found.length < limit;) {
      const behind = { $gt: last === '' ? '' : last + BEHIND_SLASH };
      const [next] = await this.files
        .find({ filename: behind })
        .sort({ filename: 1 })
        .limit(1)
        .toArray();
      if (!next) break;
      last = next.filename.slice(0, next.filename.indexOf('/'));
      found.push(last);
    }
    return found;
  }

  async sweepUnfinished(before_ms: number): Promise<number> {
    const begun_before = ObjectId.createFromTime(Math.floor(before_ms / 1000));
    let swept = 0;
    let last = new ObjectId(FIRST_ID);
    for (;;) {
      const page = await this.chunks
        .find({ files_id: { $gt: last, $lt: begun_before } })
        .project<{ files_id: ObjectId }>({ files_id: 1 })
        .sort({ files_id: 1 })
        .limit(SWEPT_CHUNKS)
        .toArray();
      if (page.length === 0) return swept;
      last = page.at(-1)!.files_id;
      const ids = new Map(page.map(({ files_id }) => [files_id.toHexString(), files_id]));
      const files = this.files.find({ _id: { $in: [...ids.values()] } }).project({ _id: 1 });
      for await (const { _id } of files) ids.delete((_id as ObjectId).toHexString());
      for (const files_id of ids.values()) {
        if (await this.isGrowing(files_id, before_ms)) continue;
        await this.chunks.deleteMany({ files_id });
        swept++;
      }
    }
  }

  async close(): Promise<void> {
    // The connection is the caller's.
  }

  private find(key: ContentKey): Promise<GridFSFile | null> {
    return this.files.findOne({ filename: nameOf(key) });
  }

  /** Numbers of stored chunks by file; a restored database may have the documents of files without them. */
  private async chunkCounts(files: readonly GridFSFile[]): Promise<ReadonlyMap<string, number>> {
    if (files.length === 0) return new Map();
    const counted = await this.chunks
      .aggregate<{ _id: ObjectId; count: number }>([
        { $match: { files_id: { $in: files.map(({ _id }) => _id) } } },
        { $group: { _id: '$files_id', count: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(counted.map(({ _id, count }) => [_id.toHexString(), count]));
  }

  /** True if a chunk of a file was stored since a time: its last one is the youngest. */
  private async isGrowing(files_id: ObjectId, since_ms: number): Promise<boolean> {
    const last = await this.chunks.findOne(
      { files_id },
      { sort: { n: -1 }, projection: { _id: 1 } },
    );
    return last !== null && last._id.getTimestamp().getTime() >= since_ms;
  }

  /**
   * Removes a file. The document first, also after a failed write, whose answer may have been lost: without it the chunks
   * are a leftover, which a sweep removes; the other way round the content would be damaged.
   */
  private async remove(id: ObjectId): Promise<void> {
    await this.files.deleteOne({ _id: id });
    await this.chunks.deleteMany({ files_id: id });
  }
}

function chunkMissing(n: number): ContentMissing {
  return new ContentMissing(`chunk ${n} of the content is missing or has another length`);
}

/** @throws MalformedContentKey */
function nameOf({ drive_id, content_id }: ContentKey): string {
  checkKey(drive_id, content_id);
  return `${drive_id}/${content_id}`;
}
