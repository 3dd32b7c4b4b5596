import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContentKey, ContentStore, StoredContent } from '../../../content-store/port.js';
import { Contents } from '../../../engine/contents/contents.js';
import { type ProcessRole, ROLES } from '../../../engine/drives/role.js';
import { freshUploadId } from './upload-ids.js';
import { type StoredUpload, UnfinishedUploads } from './unfinished-uploads.js';

/** Keeps what every attempt to write has stored, also if it fails. */
class AttemptsStore {
  readonly attempts: Buffer[] = [];
  /** Ids whose size was asked for. */
  readonly lookups: string[] = [];
  private readonly last = new Map<string, Buffer>();

  async write({ content_id }: ContentKey, source: AsyncIterable<Uint8Array>): Promise<number> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of source) chunks.push(chunk);
    } finally {
      this.attempts.push(Buffer.concat(chunks));
    }
    const stored = this.attempts.at(-1)!;
    this.last.set(content_id, stored);
    return stored.length;
  }

  async size({ content_id }: ContentKey): Promise<number | undefined> {
    this.lookups.push(content_id);
    return this.last.get(content_id)?.length;
  }

  async delete({ content_id }: ContentKey): Promise<void> {
    this.last.delete(content_id);
  }

  async list(drive_id: string, after: string): Promise<readonly StoredContent[]> {
    const ids = [...this.last.keys()].filter((content_id) => content_id > after).sort();
    return ids.map((content_id) => ({ drive_id, content_id, bytes: 0, stored_ms: 0 }));
  }

  async *read({ content_id }: ContentKey, from: number, to: number): AsyncGenerator<Buffer> {
    yield this.last.get(content_id)!.subarray(from, to);
  }
}

async function* bytes(fill: number, error?: Error): AsyncGenerator<Uint8Array> {
  for (let nth = 0; nth < 4; nth++) yield Buffer.alloc(65_536, fill);
  if (error) throw error;
}

/** What a new upload says of itself. */
const info = { created_at: 0, file_id: '', media_type: '', sha256: null, metadata: '' };

function begun(role: ProcessRole = ROLES.embedded) {
  const store = new AttemptsStore();
  const keys = { get: async () => new Uint8Array(32).fill(9) };
  const contents = new Contents(store as unknown as ContentStore, keys as never);
  const unfinished = new UnfinishedUploads(contents, { role });
  const other_process = new UnfinishedUploads(contents, { role });
  return { store, unfinished, other_process, upload: freshUpload() };
}

function freshUpload() {
  return { drive_id: 'DriveID_a', upload_id: freshUploadId('DriveID_a', 'UserID_a') };
}

async function* oneByte() {
  yield Buffer.from('a');
}

describe('unfinished uploads', () => {
  it('encrypt a part that is sent again with other bytes under another key', async () => {
    const { store, unfinished, upload } = begun();
    const length = 4 * 65_536;
    const at = { info: { ...info, length }, offset: 0, length, parts: 0 };
    const failure = new Error('the checksum does not match');
    await expect(unfinished.append(upload, at, bytes(0x11, failure))).rejects.toBe(failure);
    const stored = await unfinished.append(upload, at, bytes(0x77));
    expect(stored).toMatchObject({ parts: 1, offset: length });
    const [one, other] = store.attempts as [Buffer, Buffer];
    // Under one key stream, the stored bytes would differ as the bytes in clear: by one value.
    const differences = new Set(
      one.subarray(32, 60_000).map((byte, nth) => byte ^ other[nth + 32]!),
    );
    expect(differences.size).toBe(256);
  });

  it('let other requests be answered while parts that are all there are read', async () => {
    const { unfinished, upload } = begun();
    let at: StoredUpload = { info: { ...info, length: 20 }, offset: 0, length: 20, parts: 0 };
    for (let nth = 0; nth < 20; nth++) at = await unfinished.append(upload, at, oneByte());
    let turns = 0;
    let is_over = false;
    const turn = (): void => {
      turns++;
      if (!is_over) setImmediate(turn);
    };
    setImmediate(turn);
    const read: Buffer[] = [];
    for await (const chunk of unfinished.bytes(upload, at)) read.push(Buffer.from(chunk));
    is_over = true;
    expect(Buffer.concat(read).toString()).toBe('a'.repeat(20));
    expect(turns).toBeGreaterThanOrEqual(18);
  });

  it('leave nothing when they are removed; many parts are deleted together', async () => {
    const { store, unfinished, upload } = begun();
    let at: StoredUpload = { info: { ...info, length: 120 }, offset: 0, length: 120, parts: 0 };
    await unfinished.create(upload, at.info);
    for (let nth = 0; nth < 120; nth++) at = await unfinished.append(upload, at, oneByte());
    const remove = store.delete.bind(store);
    let [running, most] = [0, 0];
    store.delete = async (key) => {
      most = Math.max(most, ++running);
      await nextTurn();
      await remove(key);
      running--;
    };
    await unfinished.remove(upload);
    expect(most).toBe(50);
    expect(await store.list('DriveID_a', '')).toEqual([]);
  });

  describe('reserve', () => {
    const LATER = 86_400_000;
    const bytesOf = async (unfinished: UnfinishedUploads, now = 1) =>
      [...(await unfinished.reserved('DriveID_a', now)).values()]
        .map((reservation) => reservation.bytes)
        .sort((a, b) => a - b);

    it('what this process has announced and received, without a further read of the store', async () => {
      const { store, unfinished, other_process: earlier } = begun();
      const stored = freshUpload();
      await earlier.create(stored, { ...info, length: 50 });
      expect(await bytesOf(unfinished)).toEqual([50]);
      store.lookups.length = 0;
      const [open, announced] = [freshUpload(), freshUpload()];
      await unfinished.create(open, { ...info, length: null });
      await unfinished.create(announced, { ...info, length: 70 });
      expect(await bytesOf(unfinished)).toEqual([0, 50, 70]);
      const begun_at = { info: { ...info, length: null }, offset: 0, length: null, parts: 0 };
      const at = await unfinished.append(open, begun_at, oneByte());
      expect(await bytesOf(unfinished)).toEqual([1, 50, 70]);
      await unfinished.append(open, { ...at, length: 9 }, oneByte());
      expect(await bytesOf(unfinished)).toEqual([9, 50, 70]);
      expect(store.lookups.filter((id) => id.startsWith('UploadID_'))).toEqual([]);
      await unfinished.remove(stored);
      expect(await bytesOf(unfinished)).toEqual([9, 70]);
      expect(await bytesOf(unfinished, LATER)).toEqual([]);
    });

    it('nothing once removed, also if the first read has just found them', async () => {
      const { unfinished, other_process: earlier, store, upload } = begun();
      await earlier.create(upload, { ...info, length: 50 });
      const { size } = store;
      const [found, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let asked = 0;
      store.size = async (key) => {
        const stored = await size.call(store, key);
        if (key.content_id !== upload.upload_id || ++asked < 2) return stored;
        found.resolve();
        await removed.promise;
        return stored;
      };
      const first = bytesOf(unfinished);
      await found.promise;
      await unfinished.remove(upload);
      removed.resolve();
      await first;
      expect(await bytesOf(unfinished)).toEqual([]);
    });

    it('what other processes have announced, received and removed', async () => {
      const { store, unfinished, other_process } = begun(ROLES.replica);
      const [open, announced, removed] = [freshUpload(), freshUpload(), freshUpload()];
      await other_process.create(removed, { ...info, length: 50 });
      expect(await bytesOf(unfinished)).toEqual([50]);
      await other_process.remove(removed);
      await other_process.create(open, { ...info, length: null });
      await other_process.create(announced, { ...info, length: 70 });
      expect(await bytesOf(unfinished)).toEqual([0, 70]);
      const at = { info: { ...info, length: null }, offset: 0, length: null, parts: 0 };
      await other_process.append(open, at, oneByte());
      store.lookups.length = 0;
      expect(await bytesOf(unfinished)).toEqual([1, 70]);
      expect(store.lookups).not.toContain(announced.upload_id);
      expect(store.lookups).toContain(open.upload_id);
    });
  });
});
