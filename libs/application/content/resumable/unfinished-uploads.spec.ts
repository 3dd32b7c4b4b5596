import type { ContentKey, ContentStore } from '../../../content-store/port.js';
import { Contents } from '../../../engine/contents/contents.js';
import { freshUploadId } from './upload-ids.js';
import { type StoredUpload, UnfinishedUploads } from './unfinished-uploads.js';

/** Keeps what every attempt to write has stored, also if it fails. */
class AttemptsStore {
  readonly attempts: Buffer[] = [];
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
    return this.last.get(content_id)?.length;
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

function begun() {
  const store = new AttemptsStore();
  const keys = { get: async () => new Uint8Array(32).fill(9) };
  const unfinished = new UnfinishedUploads(
    new Contents(store as unknown as ContentStore, keys as never),
  );
  const upload = { drive_id: 'DriveID_a', upload_id: freshUploadId('DriveID_a', 'UserID_a') };
  return { store, unfinished, upload };
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
    async function* byte() {
      yield Buffer.from('a');
    }
    for (let nth = 0; nth < 20; nth++) at = await unfinished.append(upload, at, byte());
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
});
